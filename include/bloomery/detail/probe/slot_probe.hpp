// From a key to its fingerprint and slots in a fuse or xor filter (spec/filters.md, 10.2
// and 11).
//
// Two multiplications mix the key, and one each finds its shard and its first slot; the
// fingerprint is taken from the middle of the mixing, so that it costs none.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kind/slot/shape.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

// A key in one round of its shard.
struct slot_hash {
  std::uint64_t y, x;

  static constexpr std::uint64_t round_step = 0xd1342543de82ef95,
                                 first_factor = 0x9e3779b97f4a7c15,
                                 second_factor = 0xf1357aea2e62a9c5;

  BLOOMERY_INLINE static constexpr slot_hash of(key k, std::uint64_t round) noexcept {
    return stepped(k, round * round_step);
  }
  BLOOMERY_INLINE static constexpr slot_hash stepped(key k, std::uint64_t step) noexcept {
    return of_product((k.bits() + step) * first_factor);
  }
  BLOOMERY_INLINE static constexpr slot_hash of_product(std::uint64_t y) noexcept {
    return {y, (y ^ y >> 32) * second_factor};
  }
  // REQUIRES: 1 <= width <= 32
  BLOOMERY_INLINE constexpr std::uint32_t fingerprint(unsigned width) const noexcept {
    return static_cast<std::uint32_t>(y >> (64 - width));
  }

  // The same from x alone, which is all that a builder keeps: the upper half of y is that
  // of y xor (y >> 32).
  static constexpr std::uint64_t inverse_of_second = 0x781494a55daaed0d;
  BLOOMERY_INLINE static constexpr std::uint32_t fingerprint_of(std::uint64_t x,
                                                                unsigned width) noexcept {
    return static_cast<std::uint32_t>(x * inverse_of_second >> (64 - width));
  }
};

static_assert(slot_hash::second_factor * slot_hash::inverse_of_second == 1);

namespace detail {
BLOOMERY_INLINE constexpr std::uint64_t upper_half(std::uint64_t a,
                                                   std::uint64_t b) noexcept {
  __extension__ using u128 = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<u128>(a) * b >> 64);
}
}  // namespace detail

// The slots of a key within its shard, by x.  Each has
//   arity, operator()(x), and a constructor from a possible slot_shape.
// Those of three slots, each in a separate part, also have
//   within(x), part()   slot j is within(x)[j] + j * part()

// One in each of `a` adjacent segments.
template <unsigned a>
class segment_slots {
 public:
  static constexpr unsigned arity = a;
  using slots = std::array<std::uint64_t, a>;

  explicit constexpr segment_slots(const slot_shape& s) noexcept
      : range_(s.shard_slots - (a - 1) * s.segment()), mask_(s.segment() - 1) {}

  BLOOMERY_INLINE constexpr slots operator()(std::uint64_t x) const noexcept {
    slots at;
    at[0] = detail::upper_half(x, range_);
    for (unsigned j = 1; j < a; ++j)
      at[j] = (at[0] + j * part()) ^ (x >> 16 * (j - 1) & mask_);
    return at;
  }

  // What is added to a segment's number of a slot leaves the bits that are exchanged.
  BLOOMERY_INLINE constexpr slots within(std::uint64_t x) const noexcept {
    slots at;
    at[0] = detail::upper_half(x, range_);
    for (unsigned j = 1; j < a; ++j) at[j] = at[0] ^ (x >> 16 * (j - 1) & mask_);
    return at;
  }
  constexpr std::uint64_t part() const noexcept { return mask_ + 1; }

  static constexpr bool is_possible(const slot_shape& s) noexcept {
    return s.segment_log <= slot_shape::max_segment_log &&
           s.shard_slots % s.segment() == 0 && s.shard_slots >= a * s.segment();
  }

 private:
  std::uint64_t range_, mask_;
};

// One in each of three blocks.
class block_slots {
 public:
  static constexpr unsigned arity = 3;
  using slots = std::array<std::uint64_t, 3>;

  explicit constexpr block_slots(const slot_shape& s) noexcept
      : block_(s.shard_slots / 3) {}

  BLOOMERY_INLINE constexpr slots operator()(std::uint64_t x) const noexcept {
    slots at = within(x);
    for (unsigned j = 0; j < 3; ++j) at[j] += j * block_;
    return at;
  }
  BLOOMERY_INLINE constexpr slots within(std::uint64_t x) const noexcept {
    slots at;
    for (unsigned j = 0; j < 3; ++j)
      at[j] = (std::rotl(x, static_cast<int>(21 * j)) & 0xffffffff) * block_ >> 32;
    return at;
  }
  constexpr std::uint64_t part() const noexcept { return block_; }

  static constexpr bool is_possible(const slot_shape& s) noexcept {
    return s.segment_log == 0 && s.shard_slots % 3 == 0 && s.shard_slots >= 3 &&
           s.shard_slots / 3 <= 0xffffffff;
  }

 private:
  std::uint64_t block_;
};

// Four anywhere, which may coincide.
class dense_slots {
 public:
  static constexpr unsigned arity = 4;
  using slots = std::array<std::uint64_t, 4>;

  explicit constexpr dense_slots(const slot_shape& s) noexcept : slots_(s.shard_slots) {}

  BLOOMERY_INLINE constexpr slots operator()(std::uint64_t x) const noexcept {
    slots at;
    for (unsigned j = 0; j < 4; ++j) at[j] = (x >> 16 * j & 0xffff) * slots_ >> 16;
    return at;
  }

  static constexpr bool is_possible(const slot_shape& s) noexcept {
    return s.segment_log == 0 && s.shard_slots <= slot_shape::max_dense_slots;
  }

 private:
  std::uint64_t slots_;
};

// The layouts of a kind.  use(slots) with those of the shape.  Exported: what is
// instantiated with a hidden type is hidden, too.
struct BLOOMERY_EXPORT fuse_rule {
  using three_slots = segment_slots<3>;
  static constexpr bool has(slot_layout l) noexcept {
    return l == slot_layout::dense || l == slot_layout::three || l == slot_layout::four;
  }
  static constexpr unsigned max_segment_log(slot_layout l) noexcept {
    return l == slot_layout::dense ? 0 : slot_shape::max_segment_log;
  }
  template <class Use>
  BLOOMERY_INLINE static constexpr auto with_slots(const slot_shape& s,
                                                   Use&& use) noexcept {
    if (s.layout == slot_layout::three) return use(segment_slots<3>(s));
    if (s.layout == slot_layout::four) return use(segment_slots<4>(s));
    return use(dense_slots(s));
  }
};

struct BLOOMERY_EXPORT xor_rule {
  using three_slots = block_slots;
  static constexpr bool has(slot_layout l) noexcept {
    return l == slot_layout::dense || l == slot_layout::three;
  }
  static constexpr unsigned max_segment_log(slot_layout) noexcept { return 0; }
  template <class Use>
  BLOOMERY_INLINE static constexpr auto with_slots(const slot_shape& s,
                                                   Use&& use) noexcept {
    if (s.layout == slot_layout::three) return use(block_slots(s));
    return use(dense_slots(s));
  }
};

// REQUIRES: Rule::has(s.layout), s.segment_log is not above its maximum
template <class Rule>
constexpr bool is_possible(const slot_shape& s) noexcept {
  return Rule::with_slots(
      s, [&]<class Slots>(const Slots&) noexcept { return Slots::is_possible(s); });
}

}  // namespace bloomery::inline v1
