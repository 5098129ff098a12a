// A filter that may be full has try_insert, for threads as for one.
#include <bloomery/concurrent.hpp>
#include <bloomery/cuckoo.hpp>

void put(bloomery::concurrent<bloomery::cuckoo>& f) {
#ifdef BLOOMERY_NOCOMPILE
  f.insert("key");
#else
  (void)f.try_insert("key");
#endif
}
