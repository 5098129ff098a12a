// A filter that is built once has no inserts.
#include <bloomery/bloom.hpp>
#include <bloomery/fuse.hpp>

#ifdef BLOOMERY_NOCOMPILE
void put(bloomery::fuse& f) { f.insert("key"); }
#else
void put(bloomery::bloom& f) { f.insert("key"); }
#endif
