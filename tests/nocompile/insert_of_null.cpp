// A null pointer is not the empty text.
#include <bloomery/portable_bloom.hpp>

void put(bloomery::portable_bloom& f) {
#ifdef BLOOMERY_NOCOMPILE
  f.insert(nullptr);
#else
  f.insert("");
#endif
}
