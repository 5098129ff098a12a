// The buckets of a cuckoo filter as several threads read and write them.
//
// Access is by aligned words, each of them atomic.  Sixteen buckets of four f-bit tags
// are f whole words, so a writer that has the lock of a group of sixteen writes no word
// of another group.  (cuckoo_table.hpp, for one thread, reads a bucket by one load at any
// address.)
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/cuckoo/tag_fields.hpp>
#include <bloomery/detail/probe/words.hpp>

namespace bloomery::inline v1 {

// Words: atomic_words, or those of a checker.
template <class Width, class Words>
class shared_buckets {
 public:
  using fields = tag_fields<Width>;
  using word = typename fields::word;
  static constexpr std::uint64_t group = 16;  // buckets

  BLOOMERY_INLINE shared_buckets(const Words& all, Width width) noexcept
      : words_(all), tags_{width} {}

  const fields& tags() const noexcept { return tags_; }

  // The slots of a bucket; whatever bits above them.  No branch: where the bucket ends in
  // the word it begins in, that word is loaded again, and counts for nothing.
  BLOOMERY_INLINE word load(std::uint64_t bucket, std::memory_order o) const noexcept {
    const std::uint64_t bit = std::uint64_t{4} * tags_.bits() * bucket;
    const std::uint64_t at = bit / 64, last = (bit + 4 * tags_.bits() - 1) / 64;
    const auto shift = static_cast<unsigned>(bit % 64);
    const std::uint64_t low = words_.load(at, o), high = words_.load(last, o);
    if constexpr (sizeof(word) == 8) {
      return low >> shift | high << 1 << (63 - shift);
    } else {
      const std::uint64_t middle = words_.load(at + 1, o);
      const word above = middle >> shift | high << 1 << (63 - shift);
      return (low >> shift | middle << 1 << (63 - shift)) | above << 64;
    }
  }

  // REQUIRES: the lock of its group
  void store(std::uint64_t bucket, unsigned slot, std::uint32_t tag,
             std::memory_order o) const noexcept {
    const std::uint64_t bit = std::uint64_t{4} * tags_.bits() * bucket + slot;
    const std::uint64_t mask = (std::uint64_t{1} << tags_.bits()) - 1;
    const std::uint64_t at = bit / 64;
    const auto shift = static_cast<unsigned>(bit % 64);
    replace(at, mask << shift, std::uint64_t{tag} << shift, o);
    if (shift + tags_.bits() > 64)
      replace(at + 1, mask >> (64 - shift), std::uint64_t{tag} >> (64 - shift), o);
  }

  BLOOMERY_INLINE void fetch(std::uint64_t bucket) const noexcept {
    words_.fetch(std::uint64_t{4} * tags_.bits() * bucket / 64);
  }

 private:
  void replace(std::uint64_t at, std::uint64_t mask, std::uint64_t bits,
               std::memory_order o) const noexcept {
    words_.store(at, (words_.load(at, std::memory_order_relaxed) & ~mask) | bits, o);
  }

  const Words& words_;
  [[no_unique_address]] fields tags_;
};

}  // namespace bloomery::inline v1
