// Fuse and xor filters from their keys, shard after shard, by several threads.
//
// The builder cannot fail for want of a solution: a shard that cannot be solved in one
// round is tried in others, and in the last of them the keys that stand in the way go to
// the residue.  Time and memory are bounded whatever the hashes are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <utility>

#include <bloomery/detail/filter/sorted_keys.hpp>
#include <bloomery/detail/probe/slot_probe.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

#include "base/parallel_for.hpp"
#include "filter/shard_partition.hpp"
#include "filter/slot_shard.hpp"
#include "filter/sort_distinct.hpp"

namespace bloomery::inline v1 {

// The payload of a filter.
struct slot_parts {
  slot_shape shape;
  std::uint64_t residue = 0;  // hashes in it
  std::uint64_t keys = 0;     // distinct
  pages store;
};

// The first hash of a shard; 0 for the first shard, and for the one after the last.
// REQUIRES: shard <= shards
inline std::uint64_t first_of_shard(std::uint64_t shard, std::uint64_t shards) noexcept {
  __extension__ using u128 = unsigned __int128;
  return static_cast<std::uint64_t>(((u128{shard} << 64) + shards - 1) / shards);
}

// Shards that are built beside each other, and what they leave to the residue.
template <class Rule>
class slot_assembly {
 public:
  static constexpr unsigned max_threads = 64;

  // Errors: out_of_memory, too_large.
  static result<slot_assembly> make(const slot_shape& shape,
                                    std::uint64_t keys) noexcept {
    auto store = pages::make(static_cast<std::size_t>(shape.bytes(0)));
    if (!store) return store.error();
    slot_assembly a;
    a.parts_ = {shape, 0, keys, *std::move(store)};
    return a;
  }

  // keys_of(i): those of the shard first + i.  Errors: out_of_memory, too_large.
  // REQUIRES: count <= max_threads, groups ascend
  template <class KeysOf>
  result<void> build(std::uint64_t first, unsigned count, KeysOf keys_of) noexcept {
    result<void> done[max_threads];
    base::parallel_for(count, [&](unsigned i) noexcept {
      done[i] = builders_[i].build(keys_of(i), parts_.shape, place_of(first + i));
    });
    for (unsigned i = 0; i < count; ++i) {
      if (!done[i]) return done[i];
      duplicates_ |= builders_[i].has_duplicates();
      if (auto kept = keep(builders_[i].residue()); !kept) return kept;
    }
    return {};
  }
  bool has_duplicates() const noexcept { return duplicates_; }

  // Errors: out_of_memory.
  result<slot_parts> finish() && noexcept {
    if (parts_.residue == 0) return std::move(parts_);
    auto whole =
        pages::make(static_cast<std::size_t>(parts_.shape.bytes(parts_.residue)));
    if (!whole) return whole.error();
    std::memcpy(whole->data(), parts_.store.data(), parts_.store.size());
    std::byte* to = whole->data() + parts_.shape.residue_at();
    for (std::uint64_t i = 0; i < parts_.residue; ++i, to += 8) {
      std::uint64_t bits;
      std::memcpy(&bits, residue_.data() + 8 * i, 8);
      bits = words::as_little_endian(bits);
      std::memcpy(to, &bits, 8);
    }
    parts_.store = *std::move(whole);
    return std::move(parts_);
  }

 private:
  slot_assembly() noexcept = default;

  typename shard_builder<Rule>::place place_of(std::uint64_t shard) noexcept {
    const slot_shape& s = parts_.shape;
    return {parts_.store.data() + shard * s.shard_slots * s.width / 8,
            parts_.store.data() + s.rounds_at() + shard};
  }
  result<void> keep(std::span<const key> more) noexcept {
    const std::size_t used = static_cast<std::size_t>(parts_.residue) * 8;
    if (used + more.size_bytes() > residue_.size()) {
      auto larger = pages::make(std::max(2 * residue_.size(), used + more.size_bytes()));
      if (!larger) return larger.error();
      if (used != 0) std::memcpy(larger->data(), residue_.data(), used);
      residue_ = *std::move(larger);
    }
    if (!more.empty())
      std::memcpy(residue_.data() + used, more.data(), more.size_bytes());
    parts_.residue += more.size();
    return {};
  }

  slot_parts parts_;
  pages residue_;
  bool duplicates_ = false;
  shard_builder<Rule> builders_[max_threads];
};

template <class Rule, class KeysOf>  // keys_of(shard)
result<slot_assembly<Rule>> build_in_memory(const slot_shape& shape, std::uint64_t keys,
                                            unsigned threads, KeysOf keys_of) noexcept {
  auto all = slot_assembly<Rule>::make(shape, keys);
  if (!all) return all.error();
  threads = std::min({threads, slot_assembly<Rule>::max_threads, shape.shards});
  for (std::uint64_t first = 0; first < shape.shards; first += threads) {
    const auto count =
        static_cast<unsigned>(std::min<std::uint64_t>(threads, shape.shards - first));
    auto built =
        all->build(first, count, [&](unsigned i) noexcept { return keys_of(first + i); });
    if (!built) return built.error();
    if (all->has_duplicates()) break;
  }
  return all;
}

// Sized: size(keys), the layout for so many distinct keys.
// REQUIRES: ks is ascending, without duplicates
template <class Rule, class Sized>
result<slot_parts> build_from_ascending(std::span<const key> ks, const Sized& size,
                                        unsigned threads) noexcept {
  const auto shape = size(ks.size());
  if (!shape) return shape.error();
  auto all = build_in_memory<Rule>(
      *shape, ks.size(), threads, [&](std::uint64_t shard) noexcept {
        const auto from = [&](std::uint64_t s) noexcept {
          if (s == 0) return ks.begin();
          if (s == shape->shards) return ks.end();
          return std::ranges::lower_bound(ks, first_of_shard(s, shape->shards), {},
                                          &key::bits);
        };
        return std::span<const key>(from(shard), from(shard + 1));
      });
  if (!all) return all.error();
  return std::move(*all).finish();
}

// `ks` in any order, with duplicates or without: the payload depends on the set only, and
// not on the number of threads.  Memory meanwhile, beside ks and the payload: for each
// thread 8 bytes for each key of a shard and 17 for each slot (85 MB for three million
// keys); 8 bytes for each key if they are not ascending.
// Errors: those of `size`, too_large, out_of_memory.  REQUIRES: threads >= 1
template <class Rule, class Sized>
result<slot_parts> build_slots(std::span<const key> ks, const Sized& size,
                               unsigned threads) noexcept {
  const auto ascends = [](key a, key b) noexcept { return a.bits() < b.bits(); };
  if (std::ranges::adjacent_find(ks, std::not_fn(ascends)) == ks.end())
    return build_from_ascending<Rule>(ks, size, threads);
  // Duplicates of large sets show when a shard cannot be peeled: until then, none are
  // assumed.
  if (ks.size() > (1u << 16)) {
    const auto shape = size(ks.size());
    if (!shape) return shape.error();
    auto shards = shard_partition::make(ks, shape->shards, threads);
    if (!shards) return shards.error();
    auto all = build_in_memory<Rule>(
        *shape, ks.size(), threads,
        [&](std::uint64_t shard) noexcept { return shards->keys_of(shard); });
    if (!all) return all.error();
    if (!all->has_duplicates()) return std::move(*all).finish();
  }
  const auto sorted = sort_distinct(ks, threads);
  if (!sorted) return sorted.error();
  return build_from_ascending<Rule>(sorted->keys, size, threads);
}

// The same from keys that are taken shard by shard.  Memory: as above, and 8 bytes for
// each key of a shard for each thread; no more threads than the source has room for, but
// one.  Errors: also those of the source.
template <class Rule, class Sized>
result<slot_parts> build_slots(sorted_keys ks, const Sized& size,
                               unsigned threads) noexcept {
  const auto shape = size(ks.size());
  if (!shape) return shape.error();
  auto all = slot_assembly<Rule>::make(*shape, ks.size());
  if (!all) return all.error();
  const std::uint64_t each =
      1 + 16 * (ks.size() / shape->shards) + 17 * shape->shard_slots;
  const auto fit = static_cast<unsigned>(
      std::clamp<std::uint64_t>(ks.spare() / each, 1, slot_assembly<Rule>::max_threads));
  threads = std::min({threads, fit, shape->shards});
  pages copies[slot_assembly<Rule>::max_threads];
  std::span<const key> taken[slot_assembly<Rule>::max_threads];
  std::uint64_t in_all = 0;
  for (std::uint64_t first = 0; first < shape->shards; first += threads) {
    const auto count =
        static_cast<unsigned>(std::min<std::uint64_t>(threads, shape->shards - first));
    for (unsigned i = 0; i < count; ++i) {
      const auto some = ks.take_below(first_of_shard(first + i + 1, shape->shards));
      if (!some) return some.error();
      taken[i] = *some;
      in_all += some->size();
      if (count == 1) break;  // valid until the next is taken
      if (copies[i].size() < some->size_bytes()) {
        auto room = pages::make(some->size_bytes());
        if (!room) return room.error();
        copies[i] = *std::move(room);
      }
      auto* const copy = reinterpret_cast<key*>(copies[i].data());
      std::ranges::copy(*some, copy);
      taken[i] = {copy, some->size()};
    }
    auto built = all->build(first, count, [&](unsigned i) noexcept { return taken[i]; });
    if (!built) return built.error();
  }
  if (in_all != ks.size() || all->has_duplicates())
    return error{errc::invalid_argument,
                 "the keys are not as many distinct ones as was said", 0,
                 static_cast<double>(in_all), static_cast<double>(ks.size())};
  return std::move(*all).finish();
}

}  // namespace bloomery::inline v1
