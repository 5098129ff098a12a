#include <bloomery/bloom.hpp>

#include <algorithm>
#include <cmath>

#include <bloomery/detail/kind/bloom/sizing.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/model.hpp>

#include "base/bits.hpp"
#include "filter/bit_storage.hpp"

namespace bloomery::inline v1 {

static_assert(filter<bloom>);
static_assert(insertable<bloom>);
static_assert(padded<bloom>);
static_assert(buildable<bloom>);
static_assert(mergeable<bloom>);

template class bit_storage<bloom_probe>;

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

double bloom::estimated_keys() const noexcept {
  return model::classic_keys(static_cast<double>(bits()), hashes_,
                             static_cast<double>(ones()));
}

double bloom::expected_fpr(std::uint64_t keys) const noexcept {
  return model::bloom_fpr(static_cast<double>(bits()), hashes_,
                          static_cast<double>(keys));
}

double bloom::realised_fpr() const noexcept {
  const auto m = static_cast<double>(bits()), x = static_cast<double>(ones());
  return model::fpr_with_collisions(std::pow(x / m, hashes_),
                                    model::classic_keys(m, hashes_, x));
}

bloom bloom::with_store(pages store) const noexcept {
  return {{bits(), hashes()}, keys_, hasher_, std::move(store)};
}

}  // namespace bloomery::inline v1
