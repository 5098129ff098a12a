// The slots of a fuse or xor filter in memory, and lookups in them.
//
// A slot that does not begin at a byte is read by a load of 8 bytes, of which up to 7 lie
// beyond the last slot: the rounds follow there, and pages extend beyond what they hold.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/probe/slot_probe.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

// Widths of slots: any, or one that is known when this is compiled.
class any_slot_width {
 public:
  explicit constexpr any_slot_width(unsigned bits) noexcept
      : bits_(bits), mask_((std::uint64_t{1} << bits) - 1) {}

  constexpr unsigned bits() const noexcept { return bits_; }
  BLOOMERY_INLINE std::uint64_t byte_of(std::uint64_t slot) const noexcept {
    return slot * bits_ >> 3;
  }
  // Whatever bits above the slot's.
  BLOOMERY_INLINE std::uint64_t load(const std::byte* data,
                                     std::uint64_t slot) const noexcept {
    const std::uint64_t bit = slot * bits_;
    return words::as_little_endian(
               words::load_anywhere<std::uint64_t>(data + (bit >> 3))) >>
           (bit & 7);
  }
  BLOOMERY_INLINE bool is_zero(std::uint64_t x) const noexcept {
    return (x & mask_) == 0;
  }

 private:
  unsigned bits_;
  std::uint64_t mask_;
};

template <class Word>
class whole_slot_width {
 public:
  explicit constexpr whole_slot_width(unsigned) noexcept {}

  static constexpr unsigned bits() noexcept { return 8 * sizeof(Word); }
  BLOOMERY_INLINE static std::uint64_t byte_of(std::uint64_t slot) noexcept {
    return slot * sizeof(Word);
  }
  BLOOMERY_INLINE static Word load(const std::byte* data, std::uint64_t slot) noexcept {
    const Word v = words::load_anywhere<Word>(data + slot * sizeof(Word));
    if constexpr (sizeof(Word) == 4) return words::as_little_endian(v);
    if constexpr (sizeof(Word) == 2 && std::endian::native == std::endian::big)
      return __builtin_bswap16(v);
    return v;
  }
  BLOOMERY_INLINE static bool is_zero(std::uint64_t x) noexcept { return x == 0; }
};

// Where the shard of a key begins, and the step of its round: of one shard, they are the
// same for all keys, which saves a lookup half of its multiplications.
struct shard_place {
  std::uint64_t first_slot, step;
};
class one_shard {
 public:
  constexpr one_shard() noexcept = default;
  BLOOMERY_INLINE one_shard(const std::byte* data, const slot_shape& shape) noexcept
      : step_(step_of(data + shape.rounds_at())) {}
  BLOOMERY_INLINE shard_place operator()(key) const noexcept { return {0, step_}; }

  BLOOMERY_INLINE static std::uint64_t step_of(const std::byte* round) noexcept {
    return slot_hash::round_step *
           static_cast<std::uint64_t>(words::load_anywhere<std::byte>(round));
  }

 private:
  std::uint64_t step_ = 0;
};
class many_shards {
 public:
  constexpr many_shards() noexcept = default;
  BLOOMERY_INLINE many_shards(const std::byte* data, const slot_shape& shape) noexcept
      : rounds_(data + shape.rounds_at()),
        shards_(shape.shards),
        shard_slots_(shape.shard_slots) {}
  BLOOMERY_INLINE shard_place operator()(key k) const noexcept {
    const std::uint64_t shard = detail::upper_half(k.bits(), shards_);
    return {shard * shard_slots_, one_shard::step_of(rounds_ + shard)};
  }

 private:
  const std::byte* rounds_ = nullptr;
  std::uint64_t shards_ = 0, shard_slots_ = 0;
};

template <class Slots, class Width, class Shards>
class slot_table {
 public:
  struct place {
    typename Slots::slots slots;  // in the whole array
    std::uint32_t fingerprint;
  };

  // REQUIRES: data has shape.bytes(0) bytes, and 8 more that may be read
  BLOOMERY_INLINE slot_table(const std::byte* data, const slot_shape& shape,
                             const Slots& slots_of) noexcept
      : slot_table(data, Shards(data, shape), slots_of, Width(shape.width)) {}
  BLOOMERY_INLINE slot_table(const std::byte* data, const Shards& shard_of,
                             const Slots& slots_of, Width width) noexcept
      : data_(data), shard_of_(shard_of), slots_of_(slots_of), width_(width) {}

  BLOOMERY_INLINE place start(key k) const noexcept {
    const shard_place shard = shard_of_(k);
    const slot_hash h = slot_hash::stepped(k, shard.step);
    place p{slots_of_(h.x), h.fingerprint(width_.bits())};
    for (std::uint64_t& s : p.slots) s += shard.first_slot;
    return p;
  }
  BLOOMERY_INLINE bool matches(const place& p) const noexcept {
    std::uint64_t x = p.fingerprint;
    for (const std::uint64_t s : p.slots) x ^= width_.load(data_, s);
    return width_.is_zero(x);
  }
  BLOOMERY_INLINE bool has(key k) const noexcept { return matches(start(k)); }

  // Inlined always, as all that only fetches (src/kernel/fetch_ahead.hpp).
  BLOOMERY_INLINE void fetch(const place& p) const noexcept {
    for (const std::uint64_t s : p.slots) __builtin_prefetch(data_ + width_.byte_of(s));
  }

 private:
  const std::byte* data_;
  Shards shard_of_;
  Slots slots_of_;
  [[no_unique_address]] Width width_;
};

}  // namespace bloomery::inline v1
