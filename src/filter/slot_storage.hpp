// The definitions of slot_storage: for the source file of each kind that has one.
#pragma once

#include <bloomery/detail/filter/slot_storage.hpp>

#include <cmath>
#include <cstring>
#include <limits>

#include <bloomery/model.hpp>

#include "base/bits.hpp"
#include "base/cpu.hpp"
#include "kernel/slot.hpp"
#include "kernel/slot_loops.hpp"

namespace bloomery::inline v1 {

template <class Rule>
void slot_storage<Rule>::find_each(std::span<const key> ks,
                                   std::span<bool> out) const noexcept {
  if (shape_.shard_slots == 0 || !damage_.empty()) [[unlikely]] {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = find_damaged(ks[i]);
    return;
  }
  const bool far = store_.size() > base::caches().l2;
  std::size_t done = 0;
  if constexpr (std::same_as<Rule, fuse_rule>) {
    static const kernel::slot_query fast = kernel::fuse_query();
    // Its keys are so short that out-of-order execution overlaps as many as are fetched
    // ahead, up to several times the L2 cache.
    if (fast != nullptr)
      done = fast(store_.data(), shape_, ks.data(), ks.size(), out.data(),
                  store_.size() > 8 * base::caches().l2);
  }
  Rule::with_slots(shape_, [&]<class Slots>(const Slots& slots) noexcept {
    const auto query = [&]<class Width>(std::type_identity<Width>) noexcept {
      if (shape_.shards == 1)
        kernel::query(slot_table<Slots, Width, one_shard>(store_.data(), shape_, slots),
                      ks.subspan(done), out.data() + done, far);
      else
        kernel::query(slot_table<Slots, Width, many_shards>(store_.data(), shape_, slots),
                      ks.subspan(done), out.data() + done, far);
    };
    if (shape_.width == 8)
      query(std::type_identity<whole_slot_width<std::uint8_t>>{});
    else if (shape_.width == 16)
      query(std::type_identity<whole_slot_width<std::uint16_t>>{});
    else
      query(std::type_identity<any_slot_width>{});
    return 0;
  });
  if (residue_ != 0) [[unlikely]]
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = out[i] || is_in_residue(ks[i]);
}

template <class Rule>
bool slot_storage<Rule>::matches(key k) const noexcept {
  return with_table<any_slot_width, many_shards>(
      [k](const auto& table) noexcept { return table.has(k); });
}

template <class Rule>
bool slot_storage<Rule>::find_otherwise(key k) const noexcept {
  if (shape_.shard_slots == 0 || !damage_.empty()) [[unlikely]]
    return find_damaged(k);
  // Not after the answer, which would be a branch predicted wrong.
  if (residue_ != 0) [[unlikely]]
    return matches(k) || is_in_residue(k);
  return matches(k);
}

template <class Rule>
bool slot_storage<Rule>::find_damaged(key k) const noexcept {
  return may_contain_if(k, [this](std::uint64_t at, std::uint64_t length) noexcept {
    return !damage_.touches(at, length);
  });
}

// The search of spec/filters.md, 10.3, which gives the same answer for any bytes.
template <class Rule>
bool slot_storage<Rule>::is_in_residue(key k) const noexcept {
  const std::byte* const first = store_.data() + shape_.residue_at();
  const auto hash_at = [first](std::uint64_t i) noexcept {
    return words::as_little_endian(words::load_anywhere<std::uint64_t>(first + 8 * i));
  };
  std::uint64_t low = 0, high = residue_;
  while (low < high) {
    const std::uint64_t mid = (low + high) / 2;
    if (hash_at(mid) < k.bits())
      low = mid + 1;
    else
      high = mid;
  }
  return low < residue_ && hash_at(low) == k.bits();
}

template <class Rule>
std::uint64_t slot_storage<Rule>::ones() const noexcept {
  return base::count_ones(store_.bytes(), 8 * std::uint64_t{store_.size()});
}

template <class Rule>
typename slot_storage<Rule>::census slot_storage<Rule>::count_slots() const noexcept {
  census c;
  const any_slot_width width(shape_.width);
  const bool trusted = damage_.empty();
  for (std::uint64_t s = 0; s < slots(); ++s) {
    if (!trusted && is_damaged(s))
      ++c.damaged;
    else
      c.not_zero += !width.is_zero(width.load(store_.data(), s));
  }
  return c;
}

// Each key determines a slot, whose value is uniform; the others are 0.
template <class Rule>
double slot_storage<Rule>::keys_by(const census& c) const noexcept {
  const auto in_residue = static_cast<double>(residue_);
  if (slots() == 0) return in_residue;
  if (c.damaged == slots()) return std::numeric_limits<double>::infinity();
  const double chance = 1 - std::ldexp(1.0, -static_cast<int>(shape_.width));
  const double trusted =
      static_cast<double>(slots() - c.damaged) / static_cast<double>(slots());
  return static_cast<double>(c.not_zero) / (chance * trusted) + in_residue;
}

template <class Rule>
double slot_storage<Rule>::estimated_keys() const noexcept {
  return keys_by(count_slots());
}

template <class Rule>
double slot_storage<Rule>::fill() const noexcept {
  const double keys = estimated_keys();
  if (slots() == 0) return keys == 0 ? 0 : 1;
  return std::min(1.0, keys / static_cast<double>(slots()));
}

template <class Rule>
double slot_storage<Rule>::expected_fpr(std::uint64_t keys) const noexcept {
  return keys == 0 ? 0 : model::slot_fpr(shape_.width, static_cast<double>(keys));
}

template <class Rule>
double slot_storage<Rule>::realised_fpr() const noexcept {
  const census c = count_slots();
  if (residue_ != 0 && damage_.touches(shape_.residue_at(), 8 * residue_)) return 1;
  const double by_chance = model::slot_fpr(slots() == 0 ? 0 : shape_.width, keys_by(c));
  if (slots() == 0 || damage_.empty()) return by_chance;
  return 1 - readable_share() * (1 - by_chance);
}

// The share of keys without a damaged slot.  share(i) is the share of undamaged slots in
// part i of a shard; a key has its slots in consecutive parts, independently.
template <unsigned a, class Share>
double readable_keys(const segment_slots<a>&, const slot_shape& s, Share share) noexcept {
  const std::uint64_t segments = s.shard_slots >> s.segment_log;
  double last[a] = {}, sum = 0;
  for (std::uint64_t i = 0; i < segments; ++i) {
    last[i % a] = share(i, s.segment());
    if (i + 1 < a) continue;
    double all = 1;
    for (const double u : last) all *= u;
    sum += all;
  }
  return sum / static_cast<double>(segments - a + 1);
}
template <class Share>
double readable_keys(const block_slots&, const slot_shape& s, Share share) noexcept {
  const std::uint64_t block = s.shard_slots / 3;
  return share(0, block) * share(1, block) * share(2, block);
}
template <class Share>
double readable_keys(const dense_slots&, const slot_shape& s, Share share) noexcept {
  return std::pow(share(0, s.shard_slots), 4);
}

template <class Rule>
double slot_storage<Rule>::readable_share() const noexcept {
  double sum = 0;
  for (std::uint64_t shard = 0; shard < shape_.shards; ++shard) {
    if (damage_.touches(shape_.rounds_at() + shard, 1)) continue;
    const auto share = [&](std::uint64_t part, std::uint64_t length) noexcept {
      const std::uint64_t first = shard * shape_.shard_slots + part * length;
      std::uint64_t good = 0;
      for (std::uint64_t s = first; s < first + length; ++s) good += !is_damaged(s);
      return static_cast<double>(good) / static_cast<double>(length);
    };
    sum += Rule::with_slots(shape_, [&](const auto& slots_of) noexcept {
      return readable_keys(slots_of, shape_, share);
    });
  }
  return sum / shape_.shards;
}

}  // namespace bloomery::inline v1
