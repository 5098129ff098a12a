#include <bloomery/partitioned_bloom.hpp>

#include <algorithm>
#include <bit>

#include <bloomery/filter.hpp>
#include <bloomery/model.hpp>

#include "base/bits.hpp"
#include "filter/bit_storage.hpp"

namespace bloomery::inline v1 {

static_assert(filter<partitioned_bloom>);
static_assert(insertable<partitioned_bloom>);
static_assert(padded<partitioned_bloom>);
static_assert(buildable<partitioned_bloom>);
static_assert(mergeable<partitioned_bloom>);
static_assert(intersectable<partitioned_bloom>);

template class bit_storage<partitioned_probe>;

namespace {

// Ones among the bits from `first` up to, not including, `last`.
std::uint64_t ones_between(std::span<const std::byte> bytes, std::uint64_t first,
                           std::uint64_t last) noexcept {
  const auto byte = [&](std::uint64_t bit) noexcept {
    return static_cast<unsigned>(bytes[static_cast<std::size_t>(bit / 8)]);
  };
  std::uint64_t ones = 0;
  for (; first < last && first % 8 != 0; ++first) ones += byte(first) >> (first % 8) & 1;
  const auto whole = bytes.subspan(static_cast<std::size_t>(first / 8));
  return ones + base::count_ones(whole, last - first);
}

}  // namespace

result<partitioned_bloom> partitioned_bloom::make(params p) noexcept {
  const auto layout = size_partitioned_by_rate(p.keys, p.fpr);
  if (!layout) return layout.error();
  return make(*layout, p.keys, p.hasher);
}

result<partitioned_bloom> partitioned_bloom::make(partitioned_layout layout,
                                                  std::uint64_t keys,
                                                  bloomery::hasher h) noexcept {
  const auto [slice_bits, slices] = layout;
  if (slice_bits == 0 || slices == 0)
    return error{errc::invalid_argument, "a filter needs at least one bit and one hash"};
  if (slices > partitioned_probe::max_slices)
    return error{errc::too_large, "more hashes than a filter can have", 0,
                 static_cast<double>(slices),
                 static_cast<double>(partitioned_probe::max_slices)};
  if (slice_bits > partitioned_probe::max_bits / slices)
    return error{errc::too_large, "more bits than a filter can have", 0,
                 static_cast<double>(slice_bits) * slices,
                 static_cast<double>(partitioned_probe::max_bits)};
  auto store = pages::make(base::bytes_for_bits(layout.bits()));
  if (!store) return store.error();
  return partitioned_bloom(layout, keys, h, *std::move(store));
}

result<partitioned_bloom> partitioned_bloom::build(std::span<const key> ks,
                                                   params p) noexcept {
  if (p.keys == 0) p.keys = std::max<std::uint64_t>(1, ks.size());
  auto made = make(p);
  if (made) made->insert(ks);
  return made;
}

std::uint64_t partitioned_bloom::slice_ones(std::uint32_t slice) const noexcept {
  const std::uint64_t first = slice * slice_bits();
  return ones_between(bytes(), first, first + slice_bits());
}

double partitioned_bloom::estimated_keys() const noexcept {
  return model::partitioned_keys(static_cast<double>(slice_bits()), hashes(),
                                 static_cast<double>(ones()));
}

double partitioned_bloom::expected_fpr(std::uint64_t keys) const noexcept {
  return model::partitioned_fpr(static_cast<double>(slice_bits()), hashes(),
                                static_cast<double>(keys));
}

double partitioned_bloom::realised_fpr() const noexcept {
  double rate = 1;
  for (std::uint32_t j = 0; j < slices(); ++j) rate *= slice_fill(j);
  return model::fpr_with_collisions(rate, estimated_keys());
}

partitioned_bloom partitioned_bloom::with_store(pages store) const noexcept {
  return {layout(), keys_, hasher_, std::move(store)};
}

}  // namespace bloomery::inline v1
