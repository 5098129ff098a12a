// Fetches the lines of keys before a batch reads them, for callers that have more to hash
// meanwhile (hashed_groups.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/detail/probe/block_bits.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1::block_probe {

class line_fetch {
 public:
  // Nothing is gained by fetching: the bits fit a cache.
  line_fetch() noexcept = default;
  line_fetch(const block_shape& s, const std::byte* data) noexcept
      : data_(data),
        blocks_(s.blocks),
        block_bytes_(s.block_bytes()),
        two_(s.choices() == 2) {}

  explicit operator bool() const noexcept { return data_ != nullptr; }

  // A split filter's 32-bit index is the one below now and then: a fetch that is wasted.
  BLOOMERY_INLINE void operator()(key k) const noexcept {
    fetch(k.bits());
    if (two_) fetch(second(k.bits()));
  }

 private:
  BLOOMERY_INLINE void fetch(std::uint64_t h) const noexcept {
    __builtin_prefetch(data_ + high_product(h, blocks_) * block_bytes_);
  }

  const std::byte* data_ = nullptr;
  std::uint64_t blocks_ = 0;
  std::uint64_t block_bytes_ = 0;
  bool two_ = false;
};

}  // namespace bloomery::inline v1::block_probe
