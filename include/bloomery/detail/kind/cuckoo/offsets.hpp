// A cuckoo filter's d(tag) for every tag, in a table beside the filter.
//
// The second bucket of a key is (d(tag) - first) mod B.  d takes three multiplications
// that wait for each other, and the search for room takes them for each bucket it reads;
// but there are only 2^f - 1 tags.  With tags of 12 bits the table is 16 KiB.
//
// It is made with the filter, never stored, and follows from the layout: answers and
// bytes are the same without it.  Filters have it where it is at most 1/32 of their
// bytes: next to a smaller one it would take more of the caches than it saves.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/cuckoo/probe.hpp>
#include <bloomery/detail/owned.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

using cuckoo_offsets = owned<std::uint32_t[]>;  // one for each tag; that of 0,
                                                // which is none, is not used

// Whether a filter of this layout has a table.
constexpr bool cuckoo_offsets_pay(const cuckoo_probe& probe) noexcept {
  constexpr std::uint32_t max_tag_bits = 12;  // 64 KiB and more fall out of the L1 cache
  return probe.tag_bits() <= max_tag_bits && probe.buckets() < std::uint64_t{1} << 32 &&
         32 * (sizeof(std::uint32_t) << probe.tag_bits()) <= probe.size_in_bytes();
}

// cuckoo_probe with such a table.
class cuckoo_offset_probe {
 public:
  using place = cuckoo_probe::place;

  // REQUIRES: offsets are those of the probe, and outlive this object
  BLOOMERY_INLINE cuckoo_offset_probe(const cuckoo_probe& probe,
                                      const std::uint32_t* offsets) noexcept
      : probe_(probe), offsets_(offsets) {}

  std::uint64_t buckets() const noexcept { return probe_.buckets(); }
  BLOOMERY_INLINE place start(key k, std::uint32_t f) const noexcept {
    const std::uint64_t first = probe_.first_of(k);
    const std::uint32_t tag = cuckoo_probe::tag_of(k, f);
    return {first, other(first, tag), tag};
  }
  BLOOMERY_INLINE std::uint64_t other(std::uint64_t bucket,
                                      std::uint32_t tag) const noexcept {
    return probe_.across(bucket, offsets_[tag]);
  }

 private:
  cuckoo_probe probe_;
  const std::uint32_t* offsets_;
};

}  // namespace bloomery::inline v1
