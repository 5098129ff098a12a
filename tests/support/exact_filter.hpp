// A filter without false positives, so that a window over it must forget exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>

#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::testing {

// For one thread.
class exact_filter {
 public:
  struct params {
    std::uint64_t keys = 0;
    double fpr = 0.01;
  };
  using plain = std::set<std::uint64_t>;

  static result<exact_filter> make(params) noexcept { return exact_filter(); }

  void insert(key k) noexcept { keys_.insert(k.bits()); }
  void insert(std::span<const key> ks) noexcept {
    for (const key k : ks) insert(k);
  }
  void insert(std::span<const std::string_view> ss) noexcept {
    for (const auto s : ss) insert(hasher().hash(s));
  }
  bool may_contain(key k) const noexcept { return keys_.contains(k.bits()); }
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = may_contain(ks[i]);
  }
  void clear() noexcept { keys_.clear(); }
  result<plain> snapshot() const noexcept { return keys_; }
  bloomery::hasher hasher() const noexcept { return hasher::xxh3(); }
  std::size_t size_in_bytes() const noexcept { return 0; }

 private:
  plain keys_;
};

}  // namespace bloomery::testing
