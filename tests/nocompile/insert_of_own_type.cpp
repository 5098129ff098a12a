// A type of the caller is hashed by the caller.
#include <bloomery/portable_bloom.hpp>

void put(bloomery::portable_bloom& f) {
#ifdef BLOOMERY_NOCOMPILE
  struct point {
    int x, y;
  };
  f.insert(point{1, 2});
#else
  f.insert(f.from_hash(7));
#endif
}
