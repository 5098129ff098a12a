// The buckets of a cuckoo filter in memory: read and written a whole word at a time.
//
// Bucket i begins at bit 4 f i of the bytes, which is the first or the fifth bit of one.
// The word of the last bucket ends up to 7 bytes beyond it: pages extend 8 bytes and more
// beyond what they hold, and so does a container after its payload.  A store writes these
// bytes again, unchanged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <bloomery/detail/kind/cuckoo/probe.hpp>
#include <bloomery/detail/kind/cuckoo/tag_fields.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

// Byte: std::byte, or const std::byte to read only.  Probe: cuckoo_probe, or
// cuckoo_offset_probe, which looks the other buckets up.
template <class Byte, class Width, class Probe = cuckoo_probe>
class cuckoo_table {
 public:
  using width = Width;
  using fields = tag_fields<Width>;
  using word = typename fields::word;

  // REQUIRES: data has probe.size_in_bytes() bytes, and 8 more that may be read (and
  // written, for a store); w is the width of the probe's tags
  BLOOMERY_INLINE cuckoo_table(Byte* data, const Probe& probe, Width w) noexcept
      : data_(data), probe_(probe), tags_{w} {}

  const Probe& probe() const noexcept { return probe_; }
  const fields& tags() const noexcept { return tags_; }
  BLOOMERY_INLINE cuckoo_probe::place start(key k) const noexcept {
    return probe_.start(k, tags_.bits());
  }

  // The slots of a bucket; whatever bits above them.
  BLOOMERY_INLINE word load(std::uint64_t bucket) const noexcept {
    const position p = position_of(bucket);
    return load_le(data_ + p.at) >> p.shift;
  }
  BLOOMERY_INLINE void store(std::uint64_t bucket, unsigned slot,
                             std::uint32_t tag) const noexcept {
    const position p = position_of(bucket);
    const unsigned shift = p.shift + slot;
    word x = load_le(data_ + p.at);
    x = (x & ~(tags_.mask() << shift)) | word{tag} << shift;
    store_le(data_ + p.at, x);
  }
  // Writes a tag into an empty slot, or empties a slot that holds it.
  BLOOMERY_INLINE void flip(std::uint64_t bucket, unsigned slot,
                            std::uint32_t tag) const noexcept {
    const position p = position_of(bucket);
    store_le(data_ + p.at, load_le(data_ + p.at) ^ word{tag} << (p.shift + slot));
  }
  // Inlined always, as all that only fetches (src/kernel/fetch_ahead.hpp).
  BLOOMERY_INLINE void fetch(std::uint64_t bucket) const noexcept {
    __builtin_prefetch(data_ + byte_of(bucket));
  }
  // The same by a load whose value nothing waits for.
  BLOOMERY_INLINE void touch(std::uint64_t bucket) const noexcept {
    const auto x = words::load_anywhere<std::uint64_t>(data_ + byte_of(bucket));
    asm volatile("" : : "r"(x));
  }

  BLOOMERY_INLINE bool has(const cuckoo_probe::place& p) const noexcept {
    return tags_.has(load(p.first), load(p.second), p.tag);
  }
  BLOOMERY_INLINE bool has(key k) const noexcept { return has(start(k)); }

  // The first byte of a bucket.
  BLOOMERY_INLINE std::uint64_t byte_of(std::uint64_t bucket) const noexcept {
    return position_of(bucket).at;
  }

 private:
  struct position {
    std::uint64_t at;  // in bytes
    unsigned shift;
  };
  BLOOMERY_INLINE position position_of(std::uint64_t bucket) const noexcept {
    if constexpr (fields::is_fixed && fields{}.bits() % 2 == 0)
      return {fields{}.bits() / 2 * bucket, 0};
    const std::uint64_t halves = tags_.bits() * bucket;
    return {halves >> 1, static_cast<unsigned>(4 * (halves & 1))};
  }
  BLOOMERY_INLINE static word load_le(const std::byte* p) noexcept {
    const auto low = words::load_anywhere<std::uint64_t>(p);
    if constexpr (sizeof(word) == 8) return words::as_little_endian(low);
    const auto high = words::load_anywhere<std::uint64_t>(p + sizeof(word) - 8);
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
  Probe probe_;
  [[no_unique_address]] fields tags_;
};

}  // namespace bloomery::inline v1
