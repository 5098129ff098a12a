// A source of keys would have hashed them already, and with which hasher?
#include <cstddef>
#include <span>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/live/rekeyable_filter.hpp>

using filter = bloomery::rekeyable_filter<bloomery::concurrent<bloomery::block_bloom>>;

bool rebuild(filter& f) {
#ifdef BLOOMERY_NOCOMPILE
  const auto source = [](std::span<bloomery::key>) -> bloomery::result<std::size_t> {
    return 0;
  };
#else
  const auto source = [](auto& put) -> bloomery::result<void> {
    put("alice");
    return {};
  };
#endif
  return f.rebuild({.params = {.keys = 1}}, source).has_value();
}
