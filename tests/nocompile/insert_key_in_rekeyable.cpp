// Nor does a key get in.
#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/live/rekeyable_filter.hpp>

using filter = bloomery::rekeyable_filter<bloomery::concurrent<bloomery::block_bloom>>;

void put(filter& f, [[maybe_unused]] bloomery::key k) {
#ifdef BLOOMERY_NOCOMPILE
  f.insert(k);
#else
  f.insert("alice");
#endif
}
