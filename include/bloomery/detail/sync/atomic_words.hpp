// The memory of a filter as words of 64 bits that several threads read and write.
//
// Little-endian on every machine, as in files.  Protocols between threads are templates
// over a type with these calls, so that tests/interleave runs them on its own words.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <bloomery/detail/probe/words.hpp>

namespace bloomery::inline v1 {

class atomic_words {
 public:
  using copied = std::byte*;  // where copies go

  // REQUIRES: aligned to 8; readable and writable to the next multiple of 8
  explicit atomic_words(std::byte* first) noexcept : first_(first) {}

  BLOOMERY_INLINE std::uint64_t load(std::size_t i, std::memory_order o) const noexcept {
    return words::as_little_endian(o == std::memory_order_acquire
                                       ? __atomic_load_n(at(i), __ATOMIC_ACQUIRE)
                                       : __atomic_load_n(at(i), __ATOMIC_RELAXED));
  }
  BLOOMERY_INLINE void store(std::size_t i, std::uint64_t v,
                             std::memory_order o) const noexcept {
    if (o == std::memory_order_release)
      __atomic_store_n(at(i), words::as_little_endian(v), __ATOMIC_RELEASE);
    else
      __atomic_store_n(at(i), words::as_little_endian(v), __ATOMIC_RELAXED);
  }
  // Relaxed.  Wait-free where the machine is little-endian; elsewhere it retries.
  BLOOMERY_INLINE void fetch_add(std::size_t i, std::uint64_t v) const noexcept {
    if constexpr (std::endian::native == std::endian::little) {
      __atomic_fetch_add(at(i), v, __ATOMIC_RELAXED);
    } else {
      std::uint64_t seen = load(i, std::memory_order_relaxed);
      while (!compare_exchange(i, seen, seen + v)) {
      }
    }
  }
  // Relaxed.  `seen`: the value expected, then the value read.
  BLOOMERY_INLINE bool compare_exchange(std::size_t i, std::uint64_t& seen,
                                        std::uint64_t v) const noexcept {
    std::uint64_t expected = words::as_little_endian(seen);
    const bool won =
        __atomic_compare_exchange_n(at(i), &expected, words::as_little_endian(v), true,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    seen = words::as_little_endian(expected);
    return won;
  }
  // Their bytes, word by word.  REQUIRES: `to` has room for whole words
  void copy(std::byte* to, std::size_t first, std::size_t count) const noexcept {
    for (std::size_t i = first; i < first + count; ++i) {
      const std::uint64_t word = __atomic_load_n(at(i), __ATOMIC_RELAXED);
      std::memcpy(to + 8 * i, &word, 8);
    }
  }
  const std::byte* data() const noexcept { return first_; }
  BLOOMERY_INLINE void fetch(std::size_t i) const noexcept { __builtin_prefetch(at(i)); }

 private:
  BLOOMERY_INLINE words::any<std::uint64_t>* at(std::size_t i) const noexcept {
    return reinterpret_cast<words::any<std::uint64_t>*>(first_) + i;
  }

  std::byte* first_;
};

}  // namespace bloomery::inline v1
