// Lookups in the quotient filter without a branch that cannot be predicted.
//
// What mostly holds is computed for every key, occupied or not: the run begins in the
// home block or in the next, and ends in the block it begins in.  What does not (a
// saturated or long offset, a run across blocks, a value that may be a digit, the ends of
// the filter) is left to quotient_runs.  Two steps, so that many keys are on their way in
// a batch: the slots of the run, as bits of one block; then which of them hold the
// remainder.
//
// Select has:
//   bit_at                64 for a word with fewer bits
//   columns(r), equal(p, x)   slots of the block with columns at p that hold x, as bits
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/quotient/runs.hpp>
#include <bloomery/detail/kind/quotient/words.hpp>

namespace bloomery::kernel {
namespace {

// a where the mask is all ones, b where it is 0: a compiler makes branches of conditions.
BLOOMERY_INLINE std::uint64_t choose(unsigned mask, std::uint64_t a,
                                     std::uint64_t b) noexcept {
  return b ^ ((a ^ b) & static_cast<std::uint64_t>(static_cast<int>(mask)));
}

template <class Select>
class quotient_lookup {
 public:
  // The slots of a run.
  struct place {
    std::uint64_t run;       // bits of the block; 0: none; `odd`: ask `exactly`
    const std::byte* block;  // that they lie in
  };
  static constexpr std::uint64_t odd = ~std::uint64_t{0};

  quotient_lookup(const quotient_layout& l, const std::byte* data) noexcept
      : layout_(l),
        data_(data),
        offsets_(data + 8 * l.offsets_at()),
        block_bytes_(8 * l.block_words()),
        columns_(l.remainder_bits) {}

  // Fetches what `find` will read.
  BLOOMERY_INLINE void fetch(std::uint64_t f) const noexcept {
    const std::uint64_t b = f >> layout_.remainder_bits >> 6;
    const std::byte* const block = data_ + b * block_bytes_;
    __builtin_prefetch(block);
    __builtin_prefetch(block + block_bytes_ + 8);
    __builtin_prefetch(offsets_ + b);
  }

  BLOOMERY_INLINE bool is_occupied(std::uint64_t f) const noexcept {
    const std::uint64_t q = f >> layout_.remainder_bits;
    return (load(data_ + q / 64 * block_bytes_) >> (q % 64) & 1) != 0;
  }

  // Known: its quotient is occupied.
  template <bool Known>
  BLOOMERY_INLINE place find(std::uint64_t f) const noexcept {
    const std::uint64_t q = f >> layout_.remainder_bits, b = q / 64;
    const auto i = static_cast<unsigned>(q % 64);
    // The first block has no offset, the last no next.
    if (b - 1 >= layout_.blocks - 2) [[unlikely]]
      return {odd, data_};
    const std::byte* const block = data_ + b * block_bytes_;
    const std::uint64_t occupied = load(block), next = load(block + block_bytes_ + 8);
    const auto distance = std::to_integer<unsigned>(offsets_[b]);
    // The slots after the runs of this block, one further: bit n is slot n - 1.  The run
    // of the quotient begins at the k-th of them, counted from 0, or at its own slot.
    const std::uint64_t ends = load(block + 8) & ~std::uint64_t{0} << (distance % 64);
    const std::uint64_t starts = 2 * ends | std::uint64_t{1} << (distance % 64);
    const auto k =
        static_cast<unsigned>(std::popcount(occupied & ((std::uint64_t{1} << i) - 1)));
    const auto in_block = static_cast<unsigned>(std::popcount(ends));
    const unsigned beyond =
        0u - unsigned{k >= static_cast<unsigned>(std::popcount(starts))};
    const unsigned free = Select::bit_at(choose(beyond, 2 * next | 1, starts),
                                         (k - (in_block & beyond)) & 63) +
                          (64 & beyond);
    const unsigned first = std::max(i, free);
    const std::byte* const at =
        block + (block_bytes_ & (0 - std::uint64_t{first / 64 & 1}));
    const std::uint64_t ahead = load(at + 8) >> (first % 64);
    const std::uint64_t has_run = Known ? 1 : occupied >> i & 1;
    const std::uint64_t is_odd =
        has_run & (std::uint64_t{ahead == 0} | std::uint64_t{(first | distance) >= 128} |
                   std::uint64_t{distance >= 64});
    const std::uint64_t run = (ahead ^ (ahead - 1)) << (first % 64);
    return {(run & (0 - has_run)) | (0 - is_odd), at};
  }

  BLOOMERY_INLINE bool has(std::uint64_t f, const place& p) const noexcept {
    bool yes;
    if (!has_at_once(f, p, yes)) [[unlikely]]
      return exactly(layout_, data_, f);
    return yes;
  }
  // False: ask `exactly`.
  BLOOMERY_INLINE bool has_at_once(std::uint64_t f, const place& p,
                                   bool& yes) const noexcept {
    const std::uint64_t x = f & ((std::uint64_t{1} << layout_.remainder_bits) - 1);
    const std::uint64_t same = columns_.equal(p.block + 16, x) & p.run;
    yes = same != 0;
    if (p.run == odd) [[unlikely]]
      return false;
    if (same == 0) [[likely]]
      return true;
    return std::countr_zero(same) - std::countr_zero(p.run) < 3;
  }

  [[gnu::noinline]] static bool exactly(const quotient_layout& l, const std::byte* data,
                                        std::uint64_t f) noexcept {
    return quotient_runs<plain_words<const std::byte>, Select>(l, {data}).may_contain(f);
  }

 private:
  BLOOMERY_INLINE static std::uint64_t load(const std::byte* p) noexcept {
    return words::load_le<std::uint64_t>(p);
  }

  const quotient_layout layout_;
  const std::byte *const data_, *const offsets_;
  const std::uint64_t block_bytes_;
  const typename Select::columns columns_;
};

}  // namespace
}  // namespace bloomery::kernel
