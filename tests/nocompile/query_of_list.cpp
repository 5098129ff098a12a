// Two literals in braces are two keys, not the memory between them.
#include <bloomery/portable_bloom.hpp>

bool put(bloomery::portable_bloom& f) {
#ifdef BLOOMERY_NOCOMPILE
  return f.may_contain({"a", "b"}) && f.insert_if_absent({"a", "b"}) &&
         f.hash({"a", "b"}) == f.hash("a");
#else
  f.insert({"a", "b"});
  return f.may_contain("a") && f.insert_if_absent("b") && f.hash("a") == f.hash("b");
#endif
}
