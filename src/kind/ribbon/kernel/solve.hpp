// The equations of one segment of a ribbon filter: which keys it takes, and the solution.
//
// Rows are brought into echelon form as they come, one slot for each, its lowest
// coefficient set (Dillinger and Walzer, "Ribbon filter", 2021).  Buckets are filled from
// left to right, and the keys of a bucket from right to left; at the first that does not
// fit, those on the left are passed on to the next layer ("bumped": Dillinger, Huebschle-
// Schneider, Sanders, Walzer, "Fast Succinct Retrieval and Approximate Membership Using
// Ribbon", 2022).
//
// Included by each kernel's file under its own target attributes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include <bloomery/key.hpp>

#include "kind/ribbon/kernel/probe.hpp"

namespace bloomery::kernel {
namespace {

BLOOMERY_INLINE unsigned lowest_one(std::uint64_t x) noexcept {
  return static_cast<unsigned>(std::countr_zero(x));
}
BLOOMERY_INLINE unsigned lowest_one(u128 x) noexcept {
  const auto low = static_cast<std::uint64_t>(x);
  return low != 0 ? lowest_one(low)
                  : 64 + lowest_one(static_cast<std::uint64_t>(x >> 64));
}

// Rows in echelon form: row i has its lowest coefficient, bit 0, in slot i; 0: none.
template <class Coefficients>
struct ribbon_rows {
  Coefficients* c;
  std::uint32_t* fingerprint;
};

enum class row_outcome : std::uint8_t { taken, further, redundant, contradicts };

// A row on its way to an empty slot.
template <class Coefficients>
struct ribbon_walk {
  std::uint64_t slot;
  Coefficients c;  // bit 0 is set
  std::uint32_t fingerprint;

  // Takes the slot if it is empty; otherwise the row there is subtracted, which clears
  // bit 0: at most w steps.
  BLOOMERY_INLINE row_outcome step(const ribbon_rows<Coefficients>& rows) noexcept {
    const Coefficients there = rows.c[slot];
    if (there == 0) {
      rows.c[slot] = c;
      rows.fingerprint[slot] = fingerprint;
      return row_outcome::taken;
    }
    const Coefficients rest = c ^ there;
    fingerprint ^= rows.fingerprint[slot];
    if (rest == 0) [[unlikely]]
      return fingerprint == 0 ? row_outcome::redundant : row_outcome::contradicts;
    const unsigned zeros = lowest_one(rest);
    c = rest >> zeros;
    slot += zeros;
    return row_outcome::further;
  }
};

// Fills the rows of a segment, which are empty before; thresholds[b] for each of its
// buckets; in `passed_on`, ascending, the keys that it does not take.  mask: the columns
// that there are.  REQUIRES: ks are those of one segment; passed_on has room for them
template <unsigned width>
class ribbon_filler {
 public:
  using coefficients = typename ribbon_coefficients<width>::type;

  ribbon_filler() noexcept = default;
  ribbon_filler(const ribbon_layer& l, std::span<const key> ks, std::uint32_t mask,
                const ribbon_rows<coefficients>& rows, std::uint8_t* thresholds,
                key* passed_on) noexcept
      : l_(&l),
        ks_(ks),
        mask_(mask),
        rows_(rows),
        thresholds_(thresholds),
        passed_on_(passed_on),
        buckets_(l.segment_slots >> log2_slots) {
    open_bucket();
    next_row();
  }

  bool is_done() const noexcept { return bucket_ == buckets_; }
  // REQUIRES: is_done().  The number of keys passed on; more than there are if the keys
  // do not ascend.
  std::size_t passed() const noexcept {
    return first_ == ks_.size() ? passed_ : ks_.size() + 1;
  }

  // One step of the row that is on its way.  True: that was the last.
  // REQUIRES: !is_done()
  BLOOMERY_INLINE bool step() noexcept {
    const row_outcome outcome = walk_.step(rows_);
    if (outcome == row_outcome::further) [[likely]]
      return false;
    if (outcome == row_outcome::taken)
      in_bucket_[count_++] = {position_, static_cast<std::uint32_t>(walk_.slot)};
    if (outcome == row_outcome::contradicts) {
      while (limit_of<width>(threshold_) <= position_) ++threshold_;
      left_ = first_;
    }
    next_row();
    return is_done();
  }

 private:
  static constexpr unsigned log2_slots = ribbon_buckets<width>::log2_slots;
  static constexpr unsigned slots = 1u << log2_slots;

  std::uint64_t start_of(std::size_t i) const noexcept {
    return start_in(*l_, ks_[i].bits()).in_segment;
  }
  void open_bucket() noexcept {
    end_ = first_;
    while (end_ < ks_.size() && start_of(end_) >> log2_slots == bucket_) ++end_;
    left_ = end_;
    threshold_ = 0;
    count_ = 0;
  }
  // Rows of keys that are passed on are taken out again, the last ones first: none of
  // those that stay was reduced by one of them.
  void close_bucket() noexcept {
    const unsigned limit = limit_of<width>(threshold_);
    while (count_ > 0 && in_bucket_[count_ - 1].position < limit) {
      const std::uint32_t slot = in_bucket_[--count_].slot;
      rows_.c[slot] = 0;
      rows_.fingerprint[slot] = 0;
    }
    thresholds_[bucket_] = static_cast<std::uint8_t>(threshold_);
    for (std::size_t i = first_; i < end_; ++i) {
      if ((start_of(i) & (slots - 1)) >= limit) break;
      passed_on_[passed_++] = ks_[i];
    }
    first_ = end_;
  }
  // The key to the left, or the last of the next bucket that has one.
  BLOOMERY_INLINE void next_row() noexcept {
    while (left_ == first_) {
      close_bucket();
      if (++bucket_ == buckets_) return;
      open_bucket();
    }
    const std::uint64_t h = ks_[--left_].bits();
    const auto row = row_of<width>(h);
    walk_ = {start_in(*l_, h).in_segment, row.c, row.fingerprint & mask_};
    position_ = static_cast<std::uint32_t>(walk_.slot & (slots - 1));
  }

  struct taken_row {
    std::uint32_t position, slot;
  };

  ribbon_walk<coefficients> walk_{};
  const ribbon_layer* l_ = nullptr;
  std::span<const key> ks_;
  std::uint32_t mask_ = 0;
  ribbon_rows<coefficients> rows_{};
  std::uint8_t* thresholds_ = nullptr;
  key* passed_on_ = nullptr;
  std::uint64_t bucket_ = 0, buckets_ = 0;
  std::size_t first_ = 0, end_ = 0;  // keys of the bucket
  std::size_t left_ = 0;             // those of them that are not rows yet end here
  std::size_t passed_ = 0;
  unsigned threshold_ = 0;
  std::uint32_t position_ = 0;  // of the row on its way, in the bucket
  std::size_t count_ = 0;
  std::array<taken_row, slots + width> in_bucket_;
};

// Several segments at once, a step of each in turn: a row waits some ten cycles for each
// step, and the others use them.
template <unsigned width, std::size_t lanes>
void fill_together(ribbon_filler<width>** fillers) noexcept {
  for (;;)
    for (std::size_t i = 0; i < lanes; ++i) {
      if (!fillers[i]->step()) [[likely]]
        continue;
      if constexpr (lanes > 1) {
        fillers[i] = fillers[lanes - 1];
        fill_together<width, lanes - 1>(fillers);
      }
      return;
    }
}

// The solution in up to eight columns, slot after slot from the right.  Bit i of a state
// is the solution in the i-th slot from here; word k of it holds bits 64 k and up.
template <unsigned width>
struct ribbon_states {
  std::array<std::array<std::uint64_t, 8>, width / 64> s{};
};

// One block: w slots; its columns go to `to`.
template <unsigned columns>
BLOOMERY_INLINE void solve_columns(const std::uint64_t* c,
                                   const std::uint32_t* fingerprint, unsigned first,
                                   ribbon_states<64>& states, std::byte* to) noexcept {
  auto s = states.s[0];
  for (unsigned i = 64; i-- > 0;) {
    const std::uint64_t row = c[i];
    const std::uint32_t f = fingerprint[i] >> first;
    for (unsigned j = 0; j < columns; ++j) {
      s[j] <<= 1;
      s[j] |= (static_cast<unsigned>(std::popcount(s[j] & row)) ^ f >> j) & 1;
    }
  }
  states.s[0] = s;
  for (unsigned j = 0; j < columns; ++j)
    words::store(to + 8 * j, words::as_little_endian(s[j]));
}
template <unsigned columns>
BLOOMERY_INLINE void solve_columns(const u128* c, const std::uint32_t* fingerprint,
                                   unsigned first, ribbon_states<128>& states,
                                   std::byte* to) noexcept {
  auto [low, high] = states.s;
  for (unsigned i = 128; i-- > 0;) {
    const auto row_low = static_cast<std::uint64_t>(c[i]),
               row_high = static_cast<std::uint64_t>(c[i] >> 64);
    const std::uint32_t f = fingerprint[i] >> first;
    for (unsigned j = 0; j < columns; ++j) {
      high[j] = high[j] << 1 | low[j] >> 63;
      low[j] <<= 1;
      low[j] |= (static_cast<unsigned>(
                     std::popcount((low[j] & row_low) ^ (high[j] & row_high))) ^
                 f >> j) &
                1;
    }
  }
  states.s = {low, high};
  for (unsigned j = 0; j < columns; ++j) {
    words::store(to + 16 * j, words::as_little_endian(low[j]));
    words::store(to + 16 * j + 8, words::as_little_endian(high[j]));
  }
}

template <unsigned width, class Coefficients>
void solve_block(unsigned columns, const Coefficients* c, const std::uint32_t* f,
                 unsigned first, ribbon_states<width>& states, std::byte* to) noexcept {
  switch (columns) {
    case 0:
      return;
    case 1:
      return solve_columns<1>(c, f, first, states, to);
    case 2:
      return solve_columns<2>(c, f, first, states, to);
    case 3:
      return solve_columns<3>(c, f, first, states, to);
    case 4:
      return solve_columns<4>(c, f, first, states, to);
    case 5:
      return solve_columns<5>(c, f, first, states, to);
    case 6:
      return solve_columns<6>(c, f, first, states, to);
    case 7:
      return solve_columns<7>(c, f, first, states, to);
    default:
      return solve_columns<8>(c, f, first, states, to);
  }
}

// The blocks of a segment, in the layer's place `data`; `first_block` counts over the
// layer.  Isa: solve_block, as above
template <class Isa, unsigned width, class Coefficients>
void solve_segment(const ribbon_layer& l, std::uint64_t first_block,
                   std::uint32_t columns, const ribbon_rows<Coefficients>& rows,
                   std::byte* data) noexcept {
  const std::uint64_t blocks = l.segment_slots / width;
  for (unsigned first = 0; first < columns; first += 8) {
    ribbon_states<width> states;
    for (std::uint64_t i = blocks; i-- > 0;) {
      const std::uint64_t block = first_block + i;
      const bool narrow = block < l.narrow_blocks;
      const std::uint64_t word =
          block * columns - (narrow ? block : l.narrow_blocks) + first;
      Isa::solve_block(columns - narrow - first, rows.c + i * width,
                       rows.fingerprint + i * width, first, states,
                       data + l.at + width / 8 * word);
    }
  }
}

}  // namespace
}  // namespace bloomery::kernel
