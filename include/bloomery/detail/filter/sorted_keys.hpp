// Distinct keys in ascending order, delivered in parts: what build-only filters are built
// from, whether the keys are in memory or on disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// Owns nothing: the array or the context outlives it.
class sorted_keys {
 public:
  // Returns the next keys below `end`, as take_below does.
  using take_call = result<std::span<const key>> (*)(void* context,
                                                     std::uint64_t end) noexcept;

  // Spare: how many bytes a builder may take beside the keys and the filter.
  // REQUIRES: ks is ascending by bits(), without duplicates
  explicit sorted_keys(std::span<const key> ks,
                       std::uint64_t spare = ~std::uint64_t{0}) noexcept
      : count_(ks.size()), spare_(spare), rest_(ks) {}
  // `count` keys from elsewhere.
  sorted_keys(std::uint64_t count, void* context, take_call take,
              std::uint64_t spare = ~std::uint64_t{0}) noexcept
      : count_(count), spare_(spare), context_(context), take_(take) {}

  // How many keys there are in all, taken or not.
  std::uint64_t size() const noexcept { return count_; }
  std::uint64_t spare() const noexcept { return spare_; }

  // The keys below `end` that were not taken yet, all that are left if `end` is 0; valid
  // until the next call.  A builder that takes one range of hashes after the other needs
  // memory for one range only.  Errors: those of the source (out_of_memory, io).
  // REQUIRES: `end` ascends from call to call
  result<std::span<const key>> take_below(std::uint64_t end) noexcept {
    if (take_ != nullptr) return take_(context_, end);
    // By halves; not std::ranges::partition_point, which every file would pay for.
    std::size_t below = 0, some = rest_.size();
    while (end != 0 && some != 0) {
      const std::size_t half = some / 2;
      if (rest_[below + half].bits() < end) {
        below += half + 1;
        some -= half + 1;
      } else {
        some = half;
      }
    }
    const auto taken = rest_.first(end == 0 ? rest_.size() : below);
    rest_ = rest_.subspan(taken.size());
    return taken;
  }

 private:
  std::uint64_t count_ = 0;
  std::uint64_t spare_ = ~std::uint64_t{0};
  std::span<const key> rest_;
  void* context_ = nullptr;
  take_call take_ = nullptr;
};

}  // namespace bloomery::inline v1
