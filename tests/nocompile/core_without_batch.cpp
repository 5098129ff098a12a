// A core has its calls for many keys, too.
#include <span>

#include <bloomery/detail/filter/filter_of.hpp>

class my_filter : public bloomery::filter_of<my_filter> {
  friend filter_of<my_filter>;
  friend bloomery::core_parts;
  bool find(bloomery::key) const noexcept { return true; }
#ifndef BLOOMERY_NOCOMPILE
  void find_each(std::span<const bloomery::key>, std::span<bool>) const noexcept {}
#endif
  bloomery::hasher hasher_ = bloomery::hasher::xxh3();
};

bool put() { return my_filter().may_contain("key"); }
