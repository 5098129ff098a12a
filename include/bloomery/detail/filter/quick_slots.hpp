// One-key lookups in the fuse and xor filters that most are: three slots per key, of 8 or
// 16 bits, no damage and no residue.  What does not depend on the key is computed once,
// when the filter is made: a lookup begins with one test, which is predicted.
//
// The bound is the queue of operations that wait: what comes before the loads, and how
// long it takes, counts as much as the loads.  So slots are numbered from where their
// parts begin, and what a shard needs is looked up instead of multiplied.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include <bloomery/detail/probe/slot_probe.hpp>
#include <bloomery/detail/probe/slot_table.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>

namespace bloomery::inline v1 {

template <class Slots>
class quick_slots {
 public:
  // None: every lookup goes the long way.
  quick_slots() noexcept : slots_(slot_shape{}) {}
  // None as well, if there is no memory for the list of shards.
  // REQUIRES: Slots::is_possible(shape), data as slot_table
  quick_slots(const std::byte* data, const slot_shape& s) noexcept
      : slots_(s), first_(shard_at(data, s, 0)), shards_(s.shards) {
    if (s.width != 8 && s.width != 16) return;
    if (s.shards == 1) {
      path_ = s.width == 8 ? path::bytes : path::words;
      return;
    }
    auto list = pages::make(s.shards * sizeof(shard));
    if (!list) return;
    list_ = *std::move(list);
    for (std::uint32_t i = 0; i < s.shards; ++i)
      new (list_.data() + i * sizeof(shard)) shard(shard_at(data, s, i));
    path_ = s.width == 8 ? path::shards_of_bytes : path::shards_of_words;
  }

  template <class Otherwise>
  BLOOMERY_INLINE bool has(key k, Otherwise otherwise) const noexcept {
    if (path_ == path::bytes) [[likely]]
      return look<std::uint8_t>(k, first_);
    if (path_ == path::shards_of_bytes) return look<std::uint8_t>(k, shard_of(k));
    if (path_ == path::words) return look<std::uint16_t>(k, first_);
    if (path_ == path::shards_of_words) return look<std::uint16_t>(k, shard_of(k));
    return otherwise();
  }

 private:
  enum class path : std::uint8_t {
    otherwise,
    bytes,
    shards_of_bytes,
    words,
    shards_of_words
  };
  struct shard {
    std::array<const std::byte*, 3> parts;
    std::uint64_t step;  // of its round
  };
  shard shard_at(const std::byte* data, const slot_shape& s,
                 std::uint64_t i) const noexcept {
    shard made{{}, one_shard::step_of(data + s.rounds_at() + i)};
    for (unsigned j = 0; j < 3; ++j)
      made.parts[j] = data + (i * s.shard_slots + j * slots_.part()) * s.width / 8;
    return made;
  }
  // Not a copy: compilers would make one on the stack.
  BLOOMERY_INLINE const shard& shard_of(key k) const noexcept {
    return reinterpret_cast<const shard*>(
        list_.data())[detail::upper_half(k.bits(), shards_)];
  }

  template <class Word>
  BLOOMERY_INLINE bool look(key k, const shard& of) const noexcept {
    using width = whole_slot_width<Word>;
    const std::uint64_t y = (k.bits() + of.step) * factors_[0];
    const slot_hash h{y, (y ^ y >> 32) * factors_[1]};
    const auto slots = slots_.within(h.x);
    auto x = static_cast<Word>(h.fingerprint(width::bits()));
    for (unsigned j = 0; j < 3; ++j)
      x = static_cast<Word>(x ^ width::load(of.parts[j], slots[j]));
    return x == 0;
  }

  path path_ = path::otherwise;
  Slots slots_;
  // The factors of slot_hash, in memory, where a multiplication reads them: a constant of
  // 64 bits takes one more instruction.
  std::array<std::uint64_t, 2> factors_{slot_hash::first_factor,
                                        slot_hash::second_factor};
  shard first_{};
  std::uint64_t shards_ = 0;
  pages list_;  // of the shards, if there are several
};

}  // namespace bloomery::inline v1
