#include <bloomery/bloom.hpp>

#include <cassert>
#include <cmath>
#include <cstring>

#include <bloomery/bloom_sizing.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/model.hpp>

#include "base/bits.hpp"
#include "base/cpu.hpp"
#include "filter/hashed_groups.hpp"
#include "kernel/bit_loops.hpp"

namespace bloomery::inline v1 {

static_assert(filter<bloom>);
static_assert(insertable<bloom>);
static_assert(buildable<bloom>);
static_assert(mergeable<bloom>);

namespace {

kernel::bit_layout<bloom_probe> layout_of(const bloom_probe& probe, std::uint32_t hashes,
                                          std::size_t size) noexcept {
  return {probe, hashes, size <= base::caches().l2};
}

}  // namespace

result<bloom> bloom::make(params p) noexcept {
  const auto layout = size_bloom_by_rate(p.keys, p.fpr);
  if (!layout) return layout.error();
  return make(*layout, p.keys, p.hasher);
}

result<bloom> bloom::make(bloom_layout layout, std::uint64_t keys,
                          bloomery::hasher h) noexcept {
  if (layout.bits == 0 || layout.hashes == 0)
    return error{errc::invalid_argument, "a filter needs at least one bit and one hash"};
  if (layout.hashes > max_bloom_hashes)
    return error{errc::too_large, "more hashes than a filter can have", 0,
                 static_cast<double>(layout.hashes),
                 static_cast<double>(max_bloom_hashes)};
  if (layout.bits > bloom_probe::max_bits)
    return error{errc::too_large, "more bits than a filter can have", 0,
                 static_cast<double>(layout.bits),
                 static_cast<double>(bloom_probe::max_bits)};
  auto store = pages::make(base::bytes_for_bits(layout.bits));
  if (!store) return store.error();
  return bloom(layout, keys, h, *std::move(store));
}

result<bloom> bloom::build(std::span<const key> ks, params p) noexcept {
  if (p.keys == 0) p.keys = std::max<std::uint64_t>(1, ks.size());
  auto made = make(p);
  if (made) made->insert(ks);
  return made;
}

void bloom::insert(std::span<const key> ks) noexcept {
  kernel::insert(layout_of(probe_, hashes_, store_.size()), store_.data(), ks);
}

void bloom::may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
  assert(out.size() == ks.size());
  kernel::query(layout_of(probe_, hashes_, store_.size()), store_.data(), ks, out.data());
}

void bloom::insert(std::span<const std::string_view> ks) noexcept {
  for_each_hashed_group(
      hasher_, ks,
      [this](std::span<const key> some, std::size_t) noexcept { insert(some); });
}

void bloom::may_contain(std::span<const std::string_view> ks,
                        std::span<bool> out) const noexcept {
  assert(out.size() == ks.size());
  for_each_hashed_group(hasher_, ks,
                        [&](std::span<const key> some, std::size_t first) noexcept {
                          may_contain(some, out.subspan(first, some.size()));
                        });
}

result<void> bloom::check_same_layout(const bloom& other) const noexcept {
  if (bits() != other.bits())
    return error{errc::incompatible, "the filters differ in bits", 0,
                 static_cast<double>(other.bits()), static_cast<double>(bits())};
  if (hashes_ != other.hashes_)
    return error{errc::incompatible, "the filters differ in hashes", 0,
                 static_cast<double>(other.hashes_), static_cast<double>(hashes_)};
  if (!(hasher_ == other.hasher_))
    return error{errc::incompatible, "the filters differ in hash, seed or secret"};
  return {};
}

result<void> bloom::merge(const bloom& other) noexcept {
  if (auto same = check_same_layout(other); !same) return same;
  base::or_into(store_.bytes(), other.store_.bytes());
  return {};
}

result<void> bloom::intersect(const bloom& other) noexcept {
  if (auto same = check_same_layout(other); !same) return same;
  base::and_into(store_.bytes(), other.store_.bytes());
  return {};
}

void bloom::clear() noexcept { std::memset(store_.data(), 0, store_.size()); }

std::uint64_t bloom::ones() const noexcept {
  return base::count_ones(store_.bytes(), bits());
}

double bloom::fill() const noexcept {
  return static_cast<double>(ones()) / static_cast<double>(bits());
}

double bloom::estimated_keys() const noexcept {
  return model::classic_keys(static_cast<double>(bits()), hashes_,
                             static_cast<double>(ones()));
}

double bloom::expected_fpr(std::uint64_t keys) const noexcept {
  return model::bloom_fpr(static_cast<double>(bits()), hashes_,
                          static_cast<double>(keys));
}

bool bloom::padding_is_clear() const noexcept {
  return base::padding_is_clear(store_.bytes(), bits());
}

double bloom::realised_fpr() const noexcept { return std::pow(fill(), hashes_); }

}  // namespace bloomery::inline v1
