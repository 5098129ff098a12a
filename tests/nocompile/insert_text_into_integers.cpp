// Text in a filter of integers would never be found.
#include <bloomery/block_bloom.hpp>

void put(bloomery::block_bloom::integers& ids, bloomery::block_bloom& names) {
#ifdef BLOOMERY_NOCOMPILE
  ids.insert("alice");
#else
  ids.insert(42);
#endif
  names.insert("alice");
}
