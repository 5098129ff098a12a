#include <bloomery/portable_bloom.hpp>

#include <optional>

#include <bloomery/filter.hpp>
#include <bloomery/model.hpp>

#include <bloomery/detail/hash/mix.hpp>
#include "base/bits.hpp"
#include "filter/bit_storage.hpp"

namespace bloomery::inline v1 {

static_assert(filter<portable_bloom>);
static_assert(insertable<portable_bloom>);
static_assert(padded<portable_bloom>);
static_assert(mergeable<portable_bloom>);

template class bit_storage<portable_probe>;

namespace {

// More hashes than this come from no writer, and the model of their rate is rough: it
// treats k as small beside m.  Asking the filter itself is better.
constexpr std::uint32_t modelled_hashes = 256;

// The share of random keys that may be present; nothing if too few are.  The same
// every time, and bounded: a full filter makes every probe of every key.
std::optional<double> sampled_fpr(const portable_probe& probe, std::uint32_t probes,
                                  const std::byte* data) noexcept {
  constexpr std::uint64_t max_keys = 1u << 17, enough = 200;
  std::uint64_t hits = 0, keys = 0, budget = std::uint64_t{1} << 28;
  for (; keys < max_keys && budget >= probes; ++keys) {
    portable_probe::sequence w = probe.start(key::from_bits(hash::splitmix64(keys)));
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
  return make(*layout, p.keys, p.source);
}

result<portable_bloom> portable_bloom::make(bloom_layout layout, std::uint64_t keys,
                                            key_source source) noexcept {
  if (layout.bits == 0 || layout.hashes == 0)
    return error{errc::invalid_argument, "a filter needs at least one bit and one hash"};
  if (layout.bits > portable_probe::max_bits)
    return error{errc::too_large, "more bits than the format can address", 0,
                 static_cast<double>(layout.bits),
                 static_cast<double>(portable_probe::max_bits)};
  auto store = pages::make(base::bytes_for_bits(layout.bits));
  if (!store) return store.error();
  return portable_bloom(layout, keys, source, *std::move(store));
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

portable_bloom portable_bloom::with_store(pages store) const noexcept {
  return {{bits(), hashes()}, keys_, hasher_.source(), std::move(store)};
}

}  // namespace bloomery::inline v1
