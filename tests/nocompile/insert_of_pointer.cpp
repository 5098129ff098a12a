// The address is not meant, and the length is not known.
#include <bloomery/portable_bloom.hpp>

void put(bloomery::portable_bloom::integers& f, const int* p) {
#ifdef BLOOMERY_NOCOMPILE
  f.insert(p);
#else
  f.insert(*p);
#endif
}
