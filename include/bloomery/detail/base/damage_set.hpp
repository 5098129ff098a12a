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

  // The damaged chunks of a mapped payload: `found` of them so far, more as they are
  // checked.  REQUIRES: both outlive this
  damage_set(std::span<std::byte> bits, const std::atomic<std::uint64_t>& found,
             unsigned chunk_log) noexcept
      : bits_(pages::borrow(bits)), found_(&found), chunk_log_(chunk_log) {}

  bool empty() const noexcept { return damaged_chunks() == 0; }
  std::uint64_t damaged_chunks() const noexcept {
    return found_ == nullptr ? damaged_ : found_->load(std::memory_order_acquire);
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
    const auto* words = reinterpret_cast<const std::uint64_t*>(bits_.data());
    return chunk / 64 < bits_.size() / 8 &&
           (__atomic_load_n(words + chunk / 64, __ATOMIC_RELAXED) >> (chunk % 64) & 1) !=
               0;
  }

  pages bits_;
  std::uint64_t damaged_ = 0;
  const std::atomic<std::uint64_t>* found_ = nullptr;
  unsigned chunk_log_ = 12;
};

}  // namespace bloomery::inline v1
