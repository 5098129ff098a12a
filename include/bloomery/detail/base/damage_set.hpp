// The chunks of a payload that must not be trusted, for kinds whose bytes are not bits
// that only insertion sets: a lookup that reads one of them answers "possibly present"
// (the second damage_rule, spec/container.md section 4).
//
// Empty for a filter without damage, and for every one that was made here: asking whether
// it is costs one load of the filter's own line.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/pages.hpp>

namespace bloomery::inline v1 {

class damage_set {
 public:
  damage_set() noexcept = default;
  // `bits`: one for each chunk of 2^chunk_log bytes, in native 64-bit words.
  damage_set(pages bits, std::uint64_t damaged, unsigned chunk_log) noexcept
      : bits_(std::move(bits)), damaged_(damaged), chunk_log_(chunk_log) {}

  // Chunks that are found to be damaged while the filter is in use: `live` counts them,
  // and `bits`, which is borrowed, is written by others (chunk_guard.hpp). REQUIRES: both
  // outlive this object and what is moved from it
  damage_set(pages bits, const std::atomic<std::uint64_t>& live,
             unsigned chunk_log) noexcept
      : bits_(std::move(bits)), live_(&live), chunk_log_(chunk_log) {}

  bool empty() const noexcept { return damaged_chunks() == 0; }
  // Empty, and nobody will find damage later.
  bool stays_empty() const noexcept { return live_ == nullptr && damaged_ == 0; }
  std::uint64_t damaged_chunks() const noexcept {
    return live_ != nullptr ? live_->load(std::memory_order_acquire) : damaged_;
  }

  // Whether some byte from `offset` on lies in a damaged chunk.  REQUIRES: length > 0
  bool touches(std::uint64_t offset, std::uint64_t length) const noexcept {
    if (empty()) return false;
    const std::uint64_t last = (offset + length - 1) >> chunk_log_;
    for (std::uint64_t c = offset >> chunk_log_; c <= last; ++c)
      if (is_damaged(c)) return true;
    return false;
  }

 private:
  bool is_damaged(std::uint64_t chunk) const noexcept {
    if (chunk / 64 >= bits_.size() / 8) return false;
    const std::uint64_t word =
        __atomic_load_n(reinterpret_cast<const std::uint64_t*>(bits_.data()) + chunk / 64,
                        __ATOMIC_RELAXED);
    return (word >> (chunk % 64) & 1) != 0;
  }

  pages bits_;
  std::uint64_t damaged_ = 0;
  const std::atomic<std::uint64_t>* live_ = nullptr;
  unsigned chunk_log_ = 12;
};

}  // namespace bloomery::inline v1
