// A source of bytes that cannot report an error would hide a store that broke off.
#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/live/live_filter.hpp>

void put(bloomery::live_filter<bloomery::concurrent<bloomery::block_bloom>>& live) {
#ifdef BLOOMERY_NOCOMPILE
  (void)live.rebuild({}, [](auto& put) { put("alice"); });
#else
  (void)live.rebuild({}, [](auto& put) -> bloomery::result<void> {
    put("alice");
    return {};
  });
#endif
}
