// A literal 0 is a null pointer, and a string_view takes pointers: not even 0 passes.
#include <bloomery/portable_bloom.hpp>

void put(bloomery::portable_bloom& f) {
#ifdef BLOOMERY_NOCOMPILE
  f.insert(0);
#else
  f.insert("0");
#endif
}
