// A source that takes neither room for keys nor a `put`.
#include <cstddef>
#include <span>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/live/live_filter.hpp>

void put(bloomery::live_filter<bloomery::concurrent<bloomery::block_bloom>>& live) {
#ifdef BLOOMERY_NOCOMPILE
  (void)live.rebuild({}, [](int) { return 0; });
#else
  (void)live.rebuild({}, [](std::span<bloomery::key>) { return std::size_t{0}; });
#endif
}
