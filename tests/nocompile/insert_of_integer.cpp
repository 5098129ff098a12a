// Nor does an integer reach a filter through any overload of insert.
#include <bloomery/portable_bloom.hpp>

void put(bloomery::portable_bloom& f) {
#ifdef BLOOMERY_NOCOMPILE
  f.insert(42);
#else
  f.insert(f.hash_u64(42));
#endif
}
