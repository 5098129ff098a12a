// Which tag a key has in the cuckoo filter, and in which two buckets the tag may lie.
//
//   tag    = 1 + mulhi(h * 0x9e3779b97f4a7c15, 2^f - 1)
//   first  = mulhi(h, B)
//   second = (d(tag) - first) mod B,  d(tag) odd
//
// B is even and d odd, so the two buckets always differ, and each is the other's other:
// a tag can be moved without its key.  With any B some keys would have one bucket only,
// and five of them would be an obstruction (docs/decisions/0027-cuckoo.md).
// (spec/filters.md, section 7)
#pragma once

#include <cstdint>

#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

class cuckoo_probe {
 public:
  static constexpr std::uint32_t min_tag_bits = 6, max_tag_bits = 32;
  static constexpr std::uint32_t slots = 4;  // of a bucket
  static constexpr std::uint64_t max_bits = std::uint64_t{1} << 48;
  static constexpr std::uint32_t max_copies = 2 * slots;  // of one key
  // 2^64 divided by the golden ratio; the multiplier of bloom_probe.
  static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15, spread = 0xf1357aea2e62a9c5;
  // Even, as all numbers of buckets.
  static constexpr std::uint64_t max_buckets(std::uint32_t tag_bits) noexcept {
    return max_bits / (slots * tag_bits) & ~std::uint64_t{1};
  }

  // Where the tag of a key may lie.
  struct place {
    std::uint64_t first, second;
    std::uint32_t tag;
  };

  // REQUIRES: min_tag_bits <= tag_bits <= max_tag_bits; buckets is even, from 2 up to
  // max_buckets(tag_bits)
  constexpr cuckoo_probe(std::uint64_t buckets, std::uint32_t tag_bits) noexcept
      : buckets_(buckets), tag_bits_(tag_bits) {}

  constexpr std::uint64_t buckets() const noexcept { return buckets_; }    // B
  constexpr std::uint32_t tag_bits() const noexcept { return tag_bits_; }  // f
  constexpr std::uint64_t size_in_bytes() const noexcept {
    return buckets_ / 2 * tag_bits_;
  }

  constexpr place start(key k) const noexcept { return start(k, tag_bits_); }
  // The same where the width is known when this is compiled.  REQUIRES: f == tag_bits()
  BLOOMERY_INLINE constexpr place start(key k, std::uint32_t f) const noexcept {
    const std::uint64_t first = first_of(k);
    const std::uint32_t tag = tag_of(k, f);
    return {first, other(first, tag), tag};
  }
  BLOOMERY_INLINE constexpr std::uint64_t first_of(key k) const noexcept {
    return mulhi(k.bits(), buckets_);
  }
  BLOOMERY_INLINE static constexpr std::uint32_t tag_of(key k, std::uint32_t f) noexcept {
    const std::uint64_t most = (std::uint64_t{1} << f) - 1;
    return static_cast<std::uint32_t>(1 + mulhi(k.bits() * golden, most));
  }

  // The other bucket of a tag that lies in `bucket`.
  BLOOMERY_INLINE constexpr std::uint64_t other(std::uint64_t bucket,
                                                std::uint32_t tag) const noexcept {
    return across(bucket, offset(tag));
  }
  // d(tag), which depends on nothing else (cuckoo_offsets.hpp).
  constexpr std::uint64_t offset(std::uint32_t tag) const noexcept {
    std::uint64_t x = tag * spread;
    x = (x ^ x >> 32) * golden;
    return 2 * mulhi(x, buckets_ / 2) + 1;
  }
  // (d - bucket) mod B; both are far below 2^63, so a difference has a sign.  A mask of
  // it: compilers make a branch of a condition, and it is predicted wrong half of the
  // time.
  BLOOMERY_INLINE constexpr std::uint64_t across(std::uint64_t bucket,
                                                 std::uint64_t d) const noexcept {
    const std::uint64_t to = d - bucket;
    return to +
           (buckets_ & static_cast<std::uint64_t>(static_cast<std::int64_t>(to) >> 63));
  }

 private:
  BLOOMERY_INLINE static constexpr std::uint64_t mulhi(std::uint64_t a,
                                                       std::uint64_t b) noexcept {
    __extension__ using u128 = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<u128>(a) * b) >> 64);
  }

  std::uint64_t buckets_;
  std::uint32_t tag_bits_;
};

}  // namespace bloomery::inline v1
