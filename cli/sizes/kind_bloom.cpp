// The classic filter: least memory at very small rates.
#include <algorithm>
#include <cmath>

#include <bloomery/bloom_sizing.hpp>

#include "sizes/kinds.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// REQUIRES: bits >= 0
result<bloom_layout> by_bits(std::uint64_t keys, double bits) {
  if (bits > 0x1p62)
    return error{errc::too_large, "more bits than a filter can have", 0, bits};
  return size_bloom_by_bits(
      keys, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(bits))));
}

result<bloom_layout> layout_of(std::uint64_t keys, const size_request& size) {
  if (size.memory) return by_bits(keys, 8 * static_cast<double>(*size.memory));
  if (size.bits_per_key)
    return by_bits(keys, static_cast<double>(keys) * *size.bits_per_key);
  return size_bloom_by_rate(keys, size.fpr.value_or(default_fpr));
}

result<double> need(std::uint64_t keys, const size_request& size) {
  const auto layout = layout_of(keys, size);
  if (layout) return static_cast<double>(layout->bits) / 8;
  if (layout.error().code == errc::too_large) return layout.error().asked / 8;
  return layout.error();
}

any_filter make(std::uint64_t keys, const size_request& size, const hasher& hash) {
  const auto layout = layout_of(keys, size);
  if (!layout) throw failure(describe("bloom", layout.error()));
  auto made = bloom::make(*layout, keys, hash);
  if (!made) throw failure(describe("bloom", made.error()));
  return any_filter(*std::move(made));
}

hasher default_hash() { return hasher::xxh3(); }

}  // namespace

constinit const kind bloom_kind{
    .name = "bloom",
    .summary = "the classic filter: the smallest, not the fastest",
    .hasher = default_hash,
    .takes_hash = true,
    .takes_profile = false,
    .min_bytes = 1,
    .max_bytes = static_cast<double>(bloom_probe::max_bits) / 8,
    .need = need,
    .make = make,
};

}  // namespace bloomery::cli
