// A lookup in a ribbon filter that asks of every byte, before it reads it, whether it may
// be believed: spec/filters.md, 9.4.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/ribbon/shape.hpp>

#include "kind/ribbon/kernel/last.hpp"
#include "kind/ribbon/kernel/probe.hpp"

namespace bloomery::inline v1 {

// trusted(offset, length): false ends the lookup, with "possibly present".
template <unsigned width, class Trusted>
bool may_read_ribbon(const ribbon_layout& all, const std::byte* data, std::uint64_t h,
                     Trusted trusted) noexcept {
  using buckets = kernel::ribbon_buckets<width>;
  for (std::size_t i = 0; i < all.layers; ++i) {
    const ribbon_layer& l = all.layer[i];
    const auto start = kernel::start_in(l, h);
    const std::uint64_t slot = start.segment * l.segment_slots + start.in_segment;
    const std::uint64_t bucket = l.first_bucket + (slot >> buckets::log2_slots);
    if (!trusted(all.thresholds_at + bucket / 4, 1)) return false;
    const unsigned limit =
        kernel::limit_of<width>(kernel::threshold_at(data + all.thresholds_at, bucket));
    if ((slot & ((1u << buckets::log2_slots) - 1)) < limit) {
      h = kernel::next_hash(h);
      continue;
    }
    const auto p = kernel::find_place<width>(all, data, h, i);
    const std::uint64_t bytes = std::uint64_t{width / 8} * p.columns;
    return trusted(p.at, bytes) && (p.shift == 0 || trusted(p.at + bytes, bytes));
  }
  if (all.hashes != 0) return trusted(all.last_at, 8 * all.hashes);
  if (all.last_slots == 0) return true;
  const auto w = kernel::last_window(all, h);
  for (std::uint32_t j = 0; j < w.columns; ++j) {
    const std::uint64_t first = kernel::last_bit(all, w.start, j);
    const std::uint64_t last = first + w.slots - 1;
    if (!trusted(all.last_at + first / 8, last / 8 - first / 8 + 1)) return false;
  }
  return true;
}

template <class Trusted>
bool may_read_ribbon(const ribbon_layout& all, const std::byte* data, std::uint64_t h,
                     Trusted trusted) noexcept {
  return all.width == 64 ? may_read_ribbon<64>(all, data, h, trusted)
                         : may_read_ribbon<128>(all, data, h, trusted);
}

}  // namespace bloomery::inline v1
