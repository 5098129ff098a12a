// Builds the shards of a fuse or xor filter, one after the other, in one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include <bloomery/detail/probe/slot_probe.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

#include "filter/slot_peel.hpp"
#include "filter/slot_solve.hpp"

namespace bloomery::inline v1 {

template <class Rule>
class shard_builder {
 public:
  // Where the shard is written.
  struct place {
    std::byte* slots;
    std::byte* round;
  };

  // What the residue gets, ascending; valid until the next shard.
  std::span<const key> residue() const noexcept { return residue_; }
  // Some key came twice, and nothing was built.
  bool has_duplicates() const noexcept { return duplicates_; }

  // Errors: out_of_memory, too_large.
  // REQUIRES: ks are the keys of one shard; of a dense shape, distinct and ascending
  result<void> build(std::span<const key> ks, const slot_shape& shape,
                     place to) noexcept {
    residue_ = {};
    duplicates_ = false;
    if (auto ok = space_.reserve(ks.size(), static_cast<std::size_t>(shape.shard_slots));
        !ok)
      return ok;
    if (shape.layout == slot_layout::dense) return build_dense(ks, shape, to);
    Rule::with_slots(shape, [&]<class Slots>(const Slots&) noexcept {
      if constexpr (!std::same_as<Slots, dense_slots>) peel<Slots>(ks, shape, to);
      return 0;
    });
    return {};
  }

 private:
  // One round in ten fails at most, for keys whose hashes are uniform.
  static constexpr unsigned peeled_rounds = 12, solved_rounds = 64;

  template <class Slots>
  void peel(std::span<const key> ks, const slot_shape& shape, place to) noexcept {
    peeler<Slots> p(shape, space_);
    // With more keys than slots there is no hope.
    const unsigned rounds = ks.size() > shape.shard_slots ? 1 : peeled_rounds;
    for (unsigned round = 0; !p.peel(ks, round); ++round) {
      const auto left = sorted_rest(p, ks);
      duplicates_ = std::ranges::adjacent_find(left) != left.end();
      if (duplicates_) return;
      if (round + 1 < rounds) continue;
      std::size_t kept = 0;
      for (const key k : left)
        if (p.is_overflowed() || p.is_left(k)) {
          if (!p.is_overflowed()) p.leave_out(k);
          left[kept++] = k;
        }
      residue_ = left.first(kept);
      break;
    }
    *to.round = static_cast<std::byte>(p.round());
    if (shape.width <= 8) {
      auto* const values = reinterpret_cast<std::uint8_t*>(space_.values());
      p.assign(shape.width == 8 ? reinterpret_cast<std::uint8_t*>(to.slots) : values,
               shape.width);
      if (shape.width != 8) pack(values, shape, to.slots);
    } else if (shape.width <= 16) {
      auto* const values = reinterpret_cast<std::uint16_t*>(space_.values());
      p.assign(values, shape.width);
      pack(values, shape, to.slots);
    } else {
      p.assign(space_.values(), shape.width);
      pack(space_.values(), shape, to.slots);
    }
  }

  // The keys that were not removed, in the memory of the mixes, which are not needed any
  // more.
  template <class Slots>
  std::span<key> sorted_rest(const peeler<Slots>& p, std::span<const key> ks) noexcept {
    key* const rest = reinterpret_cast<key*>(space_.mixes());
    std::size_t n = 0;
    for (const key k : ks)
      if (p.is_overflowed() || p.is_left(k)) rest[n++] = k;
    std::ranges::sort(rest, rest + n, {}, &key::bits);
    return {rest, n};
  }

  result<void> build_dense(std::span<const key> ks, const slot_shape& shape,
                           place to) noexcept {
    if (shape.shard_slots == 0) {
      std::ranges::copy(ks, reinterpret_cast<key*>(space_.mixes()));
      residue_ = {reinterpret_cast<const key*>(space_.mixes()), ks.size()};
      return {};
    }
    auto solver = slot_solver::make(shape);
    if (!solver) return solver.error();
    key* const left_out = reinterpret_cast<key*>(space_.mixes());
    for (unsigned round = 0;; ++round) {
      std::size_t kept = 0;
      solver->start(round);
      for (const key k : ks)
        if (!solver->add(k)) {
          left_out[kept++] = k;
          if (round + 1 < solved_rounds) break;
        }
      if (kept != 0 && round + 1 < solved_rounds) continue;
      residue_ = {left_out, kept};
      *to.round = static_cast<std::byte>(round);
      break;
    }
    solver->solve(space_.values());
    pack(space_.values(), shape, to.slots);
    return {};
  }

  // REQUIRES: the slots begin at a whole byte
  template <class Value>
  static void pack(const Value* values, const slot_shape& shape,
                   std::byte* out) noexcept {
    std::uint64_t bits = 0;
    unsigned filled = 0;
    for (std::uint64_t s = 0; s < shape.shard_slots; ++s) {
      bits |= std::uint64_t{values[s]} << filled;
      for (filled += shape.width; filled >= 8; filled -= 8, bits >>= 8)
        *out++ = static_cast<std::byte>(bits);
    }
    if (filled != 0) *out = static_cast<std::byte>(bits);
  }

  peel_space space_;
  std::span<const key> residue_;
  bool duplicates_ = false;
};

}  // namespace bloomery::inline v1
