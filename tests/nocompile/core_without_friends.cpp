// The core of a filter is private, and two friends see it.
#include <span>

#include <bloomery/detail/filter/filter_of.hpp>

class my_filter : public bloomery::filter_of<my_filter> {
#ifndef BLOOMERY_NOCOMPILE
  friend bloomery::core_parts;
#endif
  friend filter_of<my_filter>;
  bool find(bloomery::key) const noexcept { return true; }
  void find_each(std::span<const bloomery::key>, std::span<bool>) const noexcept {}
  bloomery::hasher hasher_ = bloomery::hasher::xxh3();
};

bool put() { return my_filter().may_contain("key"); }
