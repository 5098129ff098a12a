#include <bloomery/toy_bloom.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <bloomery/detail/kind/bloom/sizing.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/model.hpp>

#include "base/bits.hpp"

namespace bloomery::inline v1 {

static_assert(filter<toy_bloom>);
static_assert(insertable<toy_bloom>);
static_assert(buildable<toy_bloom>);
static_assert(mergeable<toy_bloom>);

result<toy_bloom> toy_bloom::make(params p) noexcept {
  const auto l = size_bloom_by_rate(p.keys, p.fpr);
  if (!l) return l.error();
  return make({l->bits, l->hashes, p.stride}, p.keys, p.hasher);
}

result<toy_bloom> toy_bloom::make(toy_layout l, std::uint64_t keys,
                                  bloomery::hasher h) noexcept {
  if (l.bits == 0 || l.hashes == 0 || l.stride == 0)
    return error{errc::invalid_argument, "a filter needs a bit, a hash and a stride"};
  if (l.bits > bloom_probe::max_bits || l.hashes > max_bloom_hashes ||
      l.stride > max_stride)
    return error{errc::too_large, "more bits, hashes or stride than a filter can have"};
  auto store = pages::make(base::bytes_for_bits(l.bits));
  if (!store) return store.error();
  return toy_bloom(l, keys, h, *std::move(store));
}

result<toy_bloom> toy_bloom::build(std::span<const key> ks, params p) noexcept {
  if (p.keys == 0) p.keys = std::max<std::uint64_t>(1, ks.size());
  auto made = make(p);
  if (made) made->insert(ks);
  return made;
}

void toy_bloom::clear() noexcept { std::memset(store_.data(), 0, store_.size()); }

result<void> toy_bloom::merge(const toy_bloom& other) noexcept {
  if (!is_like(other))
    return error{errc::incompatible, "the filters differ in bits, hashes or stride"};
  if (!(hasher_ == other.hasher_))
    return error{errc::incompatible, "the filters differ in hash, seed or secret"};
  base::or_into(store_.bytes(), other.store_.bytes());
  return {};
}

std::uint64_t toy_bloom::ones() const noexcept {
  return base::count_ones(store_.bytes(), bits());
}
double toy_bloom::fill() const noexcept {
  return static_cast<double>(ones()) / static_cast<double>(bits());
}
double toy_bloom::estimated_keys() const noexcept {
  return model::classic_keys(static_cast<double>(bits()), hashes(),
                             static_cast<double>(ones()));
}
double toy_bloom::expected_fpr(std::uint64_t keys) const noexcept {
  return model::bloom_fpr(static_cast<double>(bits()), hashes(),
                          static_cast<double>(keys));
}
double toy_bloom::realised_fpr() const noexcept {
  return model::fpr_with_collisions(std::pow(fill(), hashes()), estimated_keys());
}

}  // namespace bloomery::inline v1
