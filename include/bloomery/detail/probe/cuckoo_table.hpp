// The buckets of a cuckoo filter in memory: read and written a whole word at a time.
//
// Bucket i begins at bit 4 f i of the bytes, which is at the first or the fifth bit of one.  A
// word that holds it is read from there, or from the last place where a word fits: nothing
// beyond the last bucket is touched.  (Only two buckets of 6- or 7-bit tags are shorter
// than a word; pages and containers extend beyond them.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <bloomery/detail/probe/cuckoo_probe.hpp>
#include <bloomery/detail/probe/tag_fields.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

// Byte: std::byte, or const std::byte to read only.
template <class Byte, class Width>
class cuckoo_table {
 public:
  using fields = tag_fields<Width>;
  using word = typename fields::word;

  // REQUIRES: data has probe.size_in_bytes() bytes; width is that of the probe
  BLOOMERY_INLINE cuckoo_table(Byte* data, const cuckoo_probe& probe,
                               Width width) noexcept
      : data_(data),
        last_(std::max<std::uint64_t>(probe.size_in_bytes(), sizeof(word)) -
              sizeof(word)),
        probe_(probe),
        tags_{width} {}

  const cuckoo_probe& probe() const noexcept { return probe_; }
  const fields& tags() const noexcept { return tags_; }
  BLOOMERY_INLINE cuckoo_probe::place start(key k) const noexcept {
    return probe_.start(k, tags_.bits());
  }

  // The slots of a bucket; whatever bits above them.
  BLOOMERY_INLINE word load(std::uint64_t bucket) const noexcept {
    const window w = window_of(bucket);
    return load_le(data_ + w.at) >> w.shift;
  }
  BLOOMERY_INLINE void store(std::uint64_t bucket, unsigned slot,
                             std::uint32_t tag) const noexcept {
    const window w = window_of(bucket);
    const unsigned shift = w.shift + slot;
    word x = load_le(data_ + w.at);
    x = (x & ~(tags_.mask() << shift)) | word{tag} << shift;
    store_le(data_ + w.at, x);
  }
  // Inlined always, as all that only fetches (src/kernel/fetch_ahead.hpp).
  BLOOMERY_INLINE void fetch(std::uint64_t bucket) const noexcept {
    __builtin_prefetch(data_ + byte_of(bucket));
  }

  BLOOMERY_INLINE bool has(const cuckoo_probe::place& p) const noexcept {
    return tags_.has(load(p.first), load(p.second), p.tag);
  }
  BLOOMERY_INLINE bool has(key k) const noexcept { return has(start(k)); }

  // The first byte of a bucket, and the bytes that it has a bit in.
  std::uint64_t byte_of(std::uint64_t bucket) const noexcept {
    return tags_.bits() * bucket >> 1;
  }
  std::uint64_t bytes_of_bucket() const noexcept { return (tags_.bits() + 1) / 2; }

 private:
  struct window {
    std::uint64_t at;  // in bytes
    unsigned shift;
  };
  BLOOMERY_INLINE window window_of(std::uint64_t bucket) const noexcept {
    const std::uint64_t halves = tags_.bits() * bucket, at = halves >> 1;
    const std::uint64_t from = std::min(at, last_);
    return {from, static_cast<unsigned>(4 * (halves & 1) + 8 * (at - from))};
  }
  BLOOMERY_INLINE static word load_le(const std::byte* p) noexcept {
    std::uint64_t low;
    std::memcpy(&low, p, 8);
    if constexpr (sizeof(word) == 8) return words::as_little_endian(low);
    std::uint64_t high;
    std::memcpy(&high, p + sizeof(word) - 8, 8);
    return words::as_little_endian(low) |
           (static_cast<word>(words::as_little_endian(high)) << (8 * sizeof(word) - 64));
  }
  BLOOMERY_INLINE static void store_le(std::byte* p, word x) noexcept {
    for (std::size_t at = 0; at < sizeof(word); at += 8) {
      const auto part =
          words::as_little_endian(static_cast<std::uint64_t>(x >> (8 * at)));
      std::memcpy(p + at, &part, 8);
    }
  }

  Byte* data_;
  std::uint64_t last_;  // where a word can be read
  cuckoo_probe probe_;
  [[no_unique_address]] fields tags_;
};

}  // namespace bloomery::inline v1
