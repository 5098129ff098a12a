// The bits of keys in one link of RedisBloom's BF, without divisions: (a + i b mod 2^64)
// mod m for i = 0, 1, 2 ...
//
// With r = (a + i b mod 2^64) mod m, the next is r + (b mod m) modulo m, and less 2^64
// mod m where the 64-bit sum wrapped: one of two steps is added, and m taken off at most
// once. The remainders of a and b are products with a reciprocal: q = a * floor((2^64 -
// 1) / m) / 2^64 is the quotient or one below it, since the reciprocal is less than 1 +
// 1/2^64 too small for a < 2^64.
#pragma once

#include <algorithm>
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

  explicit link_steps(const link& k) noexcept
      : modulus_(k.modulus()),
        reciprocal_(std::numeric_limits<std::uint64_t>::max() / modulus_),
        wrap_(remainder(std::numeric_limits<std::uint64_t>::max()) + 1),
        probes_(probes_of(k)),
        bytes_(k.bytes) {
    if (wrap_ == modulus_) wrap_ = 0;
  }

  bool all_set(const std::byte* bits, std::uint64_t a, std::uint64_t b) const noexcept {
    return walk(a, b, probes_,
                [=](std::uint64_t i, std::uint64_t) noexcept { return is_set(bits, i); });
  }

  void set_all(std::byte* bits, std::uint64_t a, std::uint64_t b) const noexcept {
    walk(a, b, probes_, [=](std::uint64_t i, std::uint64_t) noexcept {
      bits[i / 8] |= mask_of(i);
      return true;
    });
  }

  // The bits of a group of keys, where all of them can be kept.
  static constexpr std::uint64_t max_kept = 16;
  struct rows {
    std::uint64_t at[group][max_kept];
  };
  bool keeps_all() const noexcept { return probes_ <= max_kept; }
  // Computes them, and fetches their lines.  REQUIRES: keeps_all()
  void keep_group(const std::byte* bits, const hash::u64_pair* hashes, std::size_t count,
                  rows& to) const noexcept {
    const bool fetches = first_fetched() != 0;
    for (std::size_t i = 0; i < count; ++i)
      walk(hashes[i].first, hashes[i].second, probes_,
           [&, row = to.at[i]](std::uint64_t bit, std::uint64_t p) noexcept {
             row[p] = bit;
             if (fetches) fetch(bits, bit);
             return true;
           });
  }
  bool row_is_set(const std::byte* bits, const std::uint64_t* row) const noexcept {
    unsigned all = 1;
    for (std::uint64_t p = 0; p < probes_; ++p) all &= bit_of(bits, row[p]);
    return all != 0;
  }
  void set_row(std::byte* bits, const std::uint64_t* row) const noexcept {
    for (std::uint64_t p = 0; p < probes_; ++p) bits[row[p] / 8] |= mask_of(row[p]);
  }

  // Queries the keys left[0 .. count): those that are found have out[key] set, the others
  // are left; returns how many.
  std::size_t find_group(const std::byte* bits, const hash::u64_pair* hashes,
                         unsigned char* left, std::size_t count,
                         bool* out) const noexcept {
    std::uint64_t at[group][max_kept];
    const std::uint64_t kept = std::min(probes_, max_kept);
    const std::uint64_t lines = first_fetched();
    for (std::size_t i = 0; i < count; ++i)
      walk(hashes[left[i]].first, hashes[left[i]].second, kept,
           [&, row = at[i]](std::uint64_t bit, std::uint64_t p) noexcept {
             row[p] = bit;
             if (p < lines) fetch(bits, bit);
             return true;
           });
    // Without branches, which a key in two would mispredict.
    bool may[group];
    const std::uint64_t first = lines == 0 ? kept : std::min(kept, lines);
    for (std::size_t i = 0; i < count; ++i) {
      unsigned all = 1;
      for (std::uint64_t p = 0; p < first; ++p) all &= bit_of(bits, at[i][p]);
      may[i] = all != 0;
    }
    // What is left then is present, or nearly so: its other lines.
    for (std::size_t i = 0; i < count && first < kept; ++i)
      for (std::uint64_t p = first; may[i] && p < kept; ++p) fetch(bits, at[i][p]);
    std::size_t still = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::uint64_t p = first; may[i] && p < kept; ++p)
        may[i] = is_set(bits, at[i][p]);
      const hash::u64_pair& h = hashes[left[i]];
      if (may[i] && kept < probes_) may[i] = all_set(bits, h.first, h.second);
      if (may[i])
        out[left[i]] = true;
      else
        left[still++] = left[i];
    }
    return still;
  }

  // The first lines that keys are looked up in.
  void fetch_group(const std::byte* bits, const hash::u64_pair* hashes,
                   std::size_t count) const noexcept {
    const std::uint64_t lines = first_fetched();
    if (lines == 0) return;
    for (std::size_t i = 0; i < count; ++i)
      walk(hashes[i].first, hashes[i].second, lines,
           [=](std::uint64_t bit, std::uint64_t) noexcept {
             return fetch(bits, bit), true;
           });
  }

 private:
  // Every second bit of a full link is clear: few absent keys need more lines.
  static constexpr std::uint64_t few_lines = 3;
  static constexpr std::uint64_t near = std::uint64_t{256} << 10,
                                 far = std::uint64_t{8} << 20;  // bytes

  // Lines of a key that are fetched before it is looked up: none of what is in the
  // nearest caches, all of what costs little to fetch, few of what is in memory.
  std::uint64_t first_fetched() const noexcept {
    if (bytes_ < near) return 0;
    return std::min(probes_, bytes_ < far ? max_kept : few_lines);
  }

  // visit(bit, i) for i = 0 .. probes - 1 until it returns false; whether none did.
  template <class Visit>
  BLOOMERY_INLINE bool walk(std::uint64_t a, std::uint64_t b, std::uint64_t probes,
                            Visit visit) const noexcept {
    const std::uint64_t m = modulus_, step = remainder(b);
    const std::uint64_t wrapped = step >= wrap_ ? step - wrap_ : step + m - wrap_;
    std::uint64_t sum = a, bit = remainder(a);
    for (std::uint64_t i = 0; i < probes; ++i) {
      if (!visit(bit, i)) return false;
      sum += b;
      bit += sum < b ? wrapped : step;
      bit -= bit >= m ? m : 0;
    }
    return true;
  }

  std::uint64_t remainder(std::uint64_t x) const noexcept {
    const std::uint64_t r = x - base::multiply_high(x, reciprocal_) * modulus_;
    return r >= modulus_ ? r - modulus_ : r;
  }
  static unsigned bit_of(const std::byte* bits, std::uint64_t i) noexcept {
    return std::to_integer<unsigned>(bits[i / 8]) >> (i % 8) & 1;
  }
  static bool is_set(const std::byte* bits, std::uint64_t i) noexcept {
    return bit_of(bits, i) != 0;
  }
  BLOOMERY_INLINE static void fetch(const std::byte* bits, std::uint64_t i) noexcept {
    __builtin_prefetch(bits + i / 8);
  }

  std::uint64_t modulus_, reciprocal_, wrap_, probes_, bytes_;
};

}  // namespace bloomery::format::redis
