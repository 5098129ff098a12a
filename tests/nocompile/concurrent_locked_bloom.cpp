// Locks of lines are for keys that fall into one line or two.
#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/concurrent.hpp>

#ifdef BLOOMERY_NOCOMPILE
void put(bloomery::concurrent<bloomery::bloom, bloomery::locked>& f) { f.insert("key"); }
#else
void put(bloomery::concurrent<bloomery::block_bloom, bloomery::locked>& f) {
  f.insert("key");
}
#endif
