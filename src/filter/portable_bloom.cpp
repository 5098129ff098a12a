#include <bloomery/portable_bloom.hpp>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <optional>

#include <bloomery/filter.hpp>
#include <bloomery/model.hpp>

#include "base/bits.hpp"
#include "base/cpu.hpp"
#include "filter/hashed_groups.hpp"
#include "hash/mix.hpp"
#include "kernel/bit_loops.hpp"

namespace bloomery::inline v1 {

static_assert(filter<portable_bloom>);
static_assert(insertable<portable_bloom>);
static_assert(mergeable<portable_bloom>);

namespace {

kernel::portable_layout layout_of(const portable_probe& probe, std::uint32_t probes,
                                  std::size_t size) noexcept {
  return {probe, probes, size <= base::caches().l2};
}

// More hashes than this come from no writer, and the model of their rate is rough: it
// treats k as small beside m.  Asking the filter itself is better.
constexpr std::uint32_t modelled_hashes = 256;

// The share of random keys that may be present; nothing if too few are to tell.  The same
// every time, and bounded: a full filter makes every probe of every key.
std::optional<double> sampled_fpr(const portable_probe& probe, std::uint32_t probes,
                                  const std::byte* data) noexcept {
  constexpr std::uint64_t max_keys = 1u << 17, enough = 200;
  std::uint64_t hits = 0, keys = 0, budget = std::uint64_t{1} << 28;
  for (; keys < max_keys && budget >= probes; ++keys) {
    portable_probe::sequence w = probe.start(key::from_hash(hash::splitmix64(keys)));
    std::uint32_t left = probes;
    for (; left != 0 && w.bit_in(data) != 0; --left) w.advance(probe.bits());
    hits += left == 0;
    budget -= probes - left;
  }
  if (hits < enough) return std::nullopt;
  return static_cast<double>(hits) / static_cast<double>(keys);
}

}  // namespace

result<portable_bloom> portable_bloom::make(params p) noexcept {
  const auto layout = size_by_rate(p.keys, p.fpr);
  if (!layout) return layout.error();
  if (!p.force) {
    const portable_promise promise = promise_of(*layout, p.keys, p.fpr);
    if (promise.is_refused(p.keys))
      return error{errc::unattainable, "the portable format cannot keep to this rate", 0,
                   p.fpr, promise.true_fpr};
  }
  return make(*layout, p.keys);
}

result<portable_bloom> portable_bloom::make(bloom_layout layout,
                                            std::uint64_t keys) noexcept {
  if (layout.bits == 0 || layout.hashes == 0)
    return error{errc::invalid_argument, "a filter needs at least one bit and one hash"};
  if (layout.bits > portable_probe::max_bits)
    return error{errc::too_large, "more bits than the format can address", 0,
                 static_cast<double>(layout.bits),
                 static_cast<double>(portable_probe::max_bits)};
  auto store = pages::make(base::bytes_for_bits(layout.bits));
  if (!store) return store.error();
  return portable_bloom(layout, keys, *std::move(store));
}

void portable_bloom::insert(std::span<const key> ks) noexcept {
  kernel::insert(layout_of(probe_, probes_, store_.size()), store_.data(), ks);
}

void portable_bloom::may_contain(std::span<const key> ks,
                                 std::span<bool> out) const noexcept {
  assert(out.size() == ks.size());
  kernel::query(layout_of(probe_, probes_, store_.size()), store_.data(), ks, out.data());
}

void portable_bloom::insert(std::span<const std::string_view> ks) noexcept {
  for_each_hashed_group(
      hasher(), ks,
      [this](std::span<const key> some, std::size_t) noexcept { insert(some); });
}

void portable_bloom::may_contain(std::span<const std::string_view> ks,
                                 std::span<bool> out) const noexcept {
  assert(out.size() == ks.size());
  for_each_hashed_group(hasher(), ks,
                        [&](std::span<const key> some, std::size_t first) noexcept {
                          may_contain(some, out.subspan(first, some.size()));
                        });
}

result<void> portable_bloom::check_same_layout(
    const portable_bloom& other) const noexcept {
  if (bits() != other.bits())
    return error{errc::incompatible, "the filters differ in bits", 0,
                 static_cast<double>(other.bits()), static_cast<double>(bits())};
  if (hashes_ != other.hashes_)
    return error{errc::incompatible, "the filters differ in hashes", 0,
                 static_cast<double>(other.hashes_), static_cast<double>(hashes_)};
  return {};
}

result<void> portable_bloom::merge(const portable_bloom& other) noexcept {
  if (auto same = check_same_layout(other); !same) return same;
  base::or_into(store_.bytes(), other.store_.bytes());
  return {};
}

void portable_bloom::clear() noexcept { std::memset(store_.data(), 0, store_.size()); }

std::uint64_t portable_bloom::ones() const noexcept {
  return base::count_ones(store_.bytes(), bits());
}

double portable_bloom::fill() const noexcept {
  return static_cast<double>(ones()) / static_cast<double>(bits());
}

double portable_bloom::estimated_keys() const noexcept {
  return model::portable_keys(bits(), probes_, ones());
}

double portable_bloom::expected_fpr(std::uint64_t keys) const noexcept {
  return model::portable_fpr(bits(), probes_, static_cast<double>(keys));
}

double portable_bloom::realised_fpr() const noexcept {
  if (bits() <= model::exact_limit)
    return model::double_hashing_fpr_exact(store_.bytes(), bits(), probes_);
  if (probes_ > modelled_hashes)
    if (const auto sample = sampled_fpr(probe_, probes_, store_.data())) return *sample;
  return model::portable_fpr_from_ones(bits(), probes_, ones());
}

bool portable_bloom::padding_is_clear() const noexcept {
  return base::padding_is_clear(store_.bytes(), bits());
}

}  // namespace bloomery::inline v1
