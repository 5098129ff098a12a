// The table of a cuckoo filter: its buckets, with tags of the width it has.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/cuckoo/offsets.hpp>
#include <bloomery/detail/kind/cuckoo/probe.hpp>
#include <bloomery/detail/kind/cuckoo/table.hpp>
#include <bloomery/detail/kind/cuckoo/tag_fields.hpp>

namespace bloomery::inline v1 {

// use(table), over memory to write or to read only; with its offsets, unless they are
// null.
template <class Byte, class Use>
BLOOMERY_INLINE auto with_table(const cuckoo_probe& probe, const std::uint32_t* offsets,
                                Byte* data, Use use) noexcept {
  if (offsets == nullptr)
    return with_tag_width(probe.tag_bits(), [&]<class Width>(Width width) noexcept {
      return use(cuckoo_table<Byte, Width>(data, probe, width));
    });
  return with_short_tag_width(probe.tag_bits(), [&]<class Width>(Width width) noexcept {
    return use(cuckoo_table<Byte, Width, cuckoo_offset_probe>(
        data, cuckoo_offset_probe(probe, offsets), width));
  });
}

// The bytes that have a bit of a bucket.
struct cuckoo_span {
  std::uint64_t first, bytes;
};
constexpr cuckoo_span span_of(std::uint64_t bucket, std::uint32_t tag_bits) noexcept {
  const std::uint64_t first = 4 * tag_bits * bucket, last = first + 4 * tag_bits - 1;
  return {first / 8, last / 8 - first / 8 + 1};
}

}  // namespace bloomery::inline v1
