// The smallest distinct hashes of a stream of keys: the sentinels of a container, which
// show that a file holds the bits it was built with.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <bloomery/key.hpp>

namespace bloomery::cli {

class smallest_keys {
 public:
  static constexpr std::size_t most = 8;

  void add(std::span<const key> keys) {
    for (const key k : keys)
      if (kept_.size() < most || k.bits() < kept_.back().bits()) insert(k);
  }
  // Sorted.
  const std::vector<key>& all() const { return kept_; }

 private:
  void insert(key k) {
    const auto at = std::ranges::lower_bound(kept_, k.bits(), {}, &key::bits);
    if (at != kept_.end() && *at == k) return;
    kept_.insert(at, k);
    if (kept_.size() > most) kept_.pop_back();
  }

  std::vector<key> kept_;
};

}  // namespace bloomery::cli
