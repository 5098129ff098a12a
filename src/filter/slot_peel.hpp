// One shard of a fuse or xor filter, built by peeling.
//
// A slot that one key alone has is given to that key, which is then removed; this
// may leave other slots with one key.  In the reverse order every slot gets the value
// that makes the equation of its key true, for no later key depends on it.  Keys of
// segment_slots are removed from the first segment to the last: as the segments overlap,
// what is left of each is solved by those before it.  A builder works on a
// few segments at a time, within the L2 cache.
//
// The state of a slot is the number of its keys and the exclusive or of their mixes: it
// does not depend on the order of the keys, and neither does the result.
//
// Memory: 8 bytes for each key, 17 for each slot.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include <bloomery/detail/probe/slot_probe.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// Memory for one shard after the other.
class peel_space {
 public:
  // REQUIRES: slots < 2^32.  Errors: out_of_memory, too_large.
  result<void> reserve(std::size_t keys, std::size_t slots) noexcept {
    if (keys > keys_ || slots > slots_) {
      const std::size_t k = std::max(keys, keys_), s = std::max(slots, slots_);
      memory_ = pages();  // before the new one is made
      auto made = pages::make(8 * k + 17 * s + 64);
      if (!made) return keys_ = slots_ = 0, made.error();
      memory_ = *std::move(made);
      keys_ = k;
      slots_ = s;
    }
    return {};
  }

  std::uint64_t* mixes() noexcept {
    return reinterpret_cast<std::uint64_t*>(memory_.data());
  }
  std::uint64_t* sums() noexcept { return mixes() + keys_; }
  std::uint32_t* order() noexcept {
    return reinterpret_cast<std::uint32_t*>(sums() + slots_);
  }
  std::uint32_t* values() noexcept { return order() + slots_ + 2; }
  std::uint8_t* counts() noexcept {
    return reinterpret_cast<std::uint8_t*>(values() + slots_);
  }

 private:
  pages memory_;
  std::size_t keys_ = 0, slots_ = 0;
};

template <class Slots>
class peeler {
 public:
  // REQUIRES: space was reserved for the keys and the slots of a shard
  peeler(const slot_shape& shape, peel_space& space) noexcept
      : slots_of_(shape),
        slots_(static_cast<std::uint32_t>(shape.shard_slots)),
        step_(std::max<std::uint32_t>(static_cast<std::uint32_t>(shape.segment()), 4096)),
        bucket_bits_(
            bits_for(shape.shard_slots / std::max<std::uint64_t>(shape.segment(), 4096))),
        mixes_(space.mixes()),
        sums_(space.sums()),
        order_(space.order()),
        counts_(space.counts()) {}

  // Removes as many keys as can be; whether that is all of them.
  bool peel(std::span<const key> ks, std::uint64_t round) noexcept {
    round_ = round;
    keys_ = ks.size();
    mix(ks);
    std::memset(sums_, 0, 8 * std::size_t{slots_});
    std::memset(counts_, 0, slots_);
    for (std::size_t i = 0; i < keys_; ++i) add(mixes_[i]);
    ordered_ = found_ = 0;
    overflowed_ = has_overflow();
    if (overflowed_) return false;
    for (std::uint32_t first = 0; first < slots_; first += step_) {
      const std::uint32_t end = std::min(slots_ - first, step_) + first;
      for (std::uint32_t s = first; s < end; ++s) {
        order_[found_] = s;
        found_ += counts_[s] == 1;
      }
      remove_found();
    }
    return ordered_ == keys_;
  }

  std::uint64_t round() const noexcept { return round_; }
  // More than 255 keys in a slot: no count is right, and nothing was removed.
  bool is_overflowed() const noexcept { return overflowed_; }

  // Whether the key was not removed: all its slots still have keys.
  bool is_left(key k) const noexcept {
    for (const std::uint64_t s : slots_of_(slot_hash::of(k, round_).x))
      if (counts_[s] == 0) return false;
    return true;
  }
  // Leaves the key out, and removes what can be removed then.  REQUIRES: is_left(k)
  void leave_out(key k) noexcept {
    take_away(slot_hash::of(k, round_).x);
    --keys_;
    remove_found();
  }

  // The values of all slots, for the keys that were removed.
  template <class Value>
  void assign(Value* values, unsigned width) const noexcept {
    std::memset(values, 0, sizeof(Value) * slots_);
    for (std::size_t i = ordered_; i-- > 0;) {
      const std::uint32_t s = order_[i];
      const std::uint64_t x = sums_[s];
      std::uint32_t v = slot_hash::fingerprint_of(x, width);
      for (const std::uint64_t other : slots_of_(x)) v ^= values[other];
      values[s] = static_cast<Value>(v);  // it was 0
    }
  }

 private:
  // Counts that went round are missing in the sum.
  bool has_overflow() const noexcept {
    std::uint64_t sum = 0;
    for (std::uint32_t s = 0; s < slots_; ++s) sum += counts_[s];
    return sum != Slots::arity * keys_;
  }
  static unsigned bits_for(std::uint64_t buckets) noexcept {
    unsigned bits = 1;
    while (bits < 11 && std::uint64_t{1} << bits < buckets) ++bits;
    return bits;
  }

  // In the order of their first slots, roughly, so that `add` stays in the cache.
  void mix(std::span<const key> ks) noexcept {
    std::size_t starts[1 << 11] = {};
    const unsigned shift = 64 - bucket_bits_;
    for (const key k : ks) ++starts[slot_hash::of(k, round_).x >> shift];
    std::size_t start = 0;
    for (std::size_t& s : starts) start += std::exchange(s, start);
    for (const key k : ks) {
      const std::uint64_t x = slot_hash::of(k, round_).x;
      mixes_[starts[x >> shift]++] = x;
    }
  }

  void add(std::uint64_t x) noexcept {
    for (const std::uint64_t s : slots_of_(x)) {
      sums_[s] ^= x;
      ++counts_[s];
    }
  }
  void take_away(std::uint64_t x) noexcept {
    for (const std::uint64_t s : slots_of_(x)) {
      sums_[s] ^= x;
      const unsigned count = counts_[s];
      order_[found_] = static_cast<std::uint32_t>(s);
      found_ += count == 2;
      counts_[s] = static_cast<std::uint8_t>(count - 1);
    }
  }
  // order_ begins with the slots that were given to keys, in the order of removal; their
  // sums stay the mixes of these keys.  After them come slots that had one key when they
  // were found.
  void remove_found() noexcept {
    for (std::size_t next = ordered_; next < found_; ++next) {
      const std::uint32_t s = order_[next];
      if (counts_[s] != 1) continue;
      const std::uint64_t x = sums_[s];
      order_[ordered_++] = s;
      take_away(x);
      sums_[s] = x;
    }
    found_ = ordered_;
  }

  Slots slots_of_;
  std::uint32_t slots_, step_;
  unsigned bucket_bits_;
  std::uint64_t round_ = 0;
  bool overflowed_ = false;
  std::size_t keys_ = 0, ordered_ = 0, found_ = 0;
  std::uint64_t* mixes_;
  std::uint64_t* sums_;
  std::uint32_t* order_;
  std::uint8_t* counts_;
};

}  // namespace bloomery::inline v1
