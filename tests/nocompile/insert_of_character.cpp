// '7' could be text or the integer 55.
#include <bloomery/portable_bloom.hpp>

void put(bloomery::portable_bloom& f) {
#ifdef BLOOMERY_NOCOMPILE
  f.insert('7');
#else
  f.insert("7");
#endif
}
