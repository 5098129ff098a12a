// The bits of keys in one link of RedisBloom's BF, without divisions: (a + i b mod 2^64)
// mod m for i = 0, 1, 2 ...
//
// With r = (a + i b mod 2^64) mod m, the next is r + (b mod m), less m if that is m or
// more; and where the 64-bit sum wrapped, less 2^64 mod m.  The two first remainders are
// products with a reciprocal: q = a * floor((2^64 - 1) / m) / 2^64 is the quotient or one
// below it, since the reciprocal is less than 1 + 1/2^64 too small for a < 2^64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include <bloomery/detail/probe/words.hpp>

#include "base/multiply.hpp"
#include "format/dialect/redis_link.hpp"

namespace bloomery::format::redis {

class link_steps {
 public:
  static constexpr std::size_t group = 16;  // keys whose lines are fetched together
  // Every second bit of a full link is clear: few absent keys need more lines.
  static constexpr std::uint64_t first_lines = 3;

  explicit link_steps(const link& k) noexcept
      : modulus_(k.modulus()),
        reciprocal_(std::numeric_limits<std::uint64_t>::max() / modulus_),
        wrap_(remainder(std::numeric_limits<std::uint64_t>::max()) + 1),
        probes_(probes_of(k)),
        bytes_(k.bytes) {
    if (wrap_ == modulus_) wrap_ = 0;
  }

  bool all_set(const std::byte* bits, std::uint64_t a, std::uint64_t b) const noexcept {
    walk at(*this, a, b);
    for (std::uint64_t i = 0; i < probes_; ++i, at.next())
      if (!is_set(bits, at.bit())) return false;
    return true;
  }

  void set_all(std::byte* bits, std::uint64_t a, std::uint64_t b) const noexcept {
    walk at(*this, a, b);
    for (std::uint64_t i = 0; i < probes_; ++i, at.next())
      bits[at.bit() / 8] |= mask_of(at.bit());
  }

  // Queries the keys left[0 .. count): those that are found have out[key] set, the others
  // are left; returns how many.
  std::size_t find_group(const std::byte* bits, const hash::u64_pair* hashes,
                         unsigned char* left, std::size_t count,
                         bool* out) const noexcept {
    const std::uint64_t first = probes_ < first_lines ? probes_ : first_lines;
    walk at[group];
    for (std::size_t i = 0; i < count; ++i) {
      const hash::u64_pair& h = hashes[left[i]];
      walk w = at[i] = walk(*this, h.first, h.second);
      for (std::uint64_t p = 0; p < first; ++p, w.next()) fetch(bits, w.bit());
    }
    // What is left after the first bits is present, or nearly so: all its lines.
    bool may[group];
    for (std::size_t i = 0; i < count; ++i) {
      may[i] = true;
      for (std::uint64_t p = 0; p < first; ++p, at[i].next())
        if (!is_set(bits, at[i].bit())) {
          may[i] = false;
          break;
        }
      if (!may[i] || is_small()) continue;
      walk w = at[i];
      for (std::uint64_t p = first; p < probes_; ++p, w.next()) fetch(bits, w.bit());
    }
    std::size_t still = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::uint64_t p = first; may[i] && p < probes_; ++p, at[i].next())
        may[i] = is_set(bits, at[i].bit());
      if (may[i])
        out[left[i]] = true;
      else
        left[still++] = left[i];
    }
    return still;
  }

  // All lines of the keys, or the first ones.
  void fetch_group(const std::byte* bits, const hash::u64_pair* hashes, std::size_t count,
                   bool all) const noexcept {
    if (is_small()) return;
    const std::uint64_t lines = all ? probes_ : first_lines;
    for (std::size_t i = 0; i < count; ++i) {
      walk w(*this, hashes[i].first, hashes[i].second);
      for (std::uint64_t p = 0; p < lines && p < probes_; ++p, w.next())
        fetch(bits, w.bit());
    }
  }

 private:
  class walk {
   public:
    walk() noexcept = default;
    walk(const link_steps& of, std::uint64_t a, std::uint64_t b) noexcept
        : sum_(a),
          step_(b),
          bit_(of.remainder(a)),
          bit_step_(of.remainder(b)),
          modulus_(of.modulus_),
          wrap_(of.wrap_) {}
    std::uint64_t bit() const noexcept { return bit_; }
    void next() noexcept {
      sum_ += step_;
      bit_ += bit_step_;
      bit_ -= bit_ >= modulus_ ? modulus_ : 0;
      const std::uint64_t less = sum_ < step_ ? wrap_ : 0;
      bit_ += bit_ < less ? modulus_ : 0;
      bit_ -= less;
    }

   private:
    std::uint64_t sum_, step_, bit_, bit_step_, modulus_, wrap_;
  };

  std::uint64_t remainder(std::uint64_t x) const noexcept {
    const std::uint64_t r = x - base::multiply_high(x, reciprocal_) * modulus_;
    return r >= modulus_ ? r - modulus_ : r;
  }
  static bool is_set(const std::byte* bits, std::uint64_t i) noexcept {
    return (bits[i / 8] & mask_of(i)) != std::byte{0};
  }
  BLOOMERY_INLINE static void fetch(const std::byte* bits, std::uint64_t i) noexcept {
    __builtin_prefetch(bits + i / 8);
  }
  // In the nearest caches anyway.
  bool is_small() const noexcept { return bytes_ < 128 * 1024; }

  std::uint64_t modulus_, reciprocal_, wrap_, probes_, bytes_;
};

}  // namespace bloomery::format::redis
