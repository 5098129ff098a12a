// As for insert: may_contain(0) would read a null pointer.
#include <bloomery/portable_bloom.hpp>

bool ask(const bloomery::portable_bloom& f) {
#ifdef BLOOMERY_NOCOMPILE
  return f.may_contain(0);
#else
  return f.may_contain("0");
#endif
}
