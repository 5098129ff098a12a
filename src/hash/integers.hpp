// Integers under XXH3's hasher, many at a time (spec/hash.md, section 6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

namespace bloomery::hash {

struct integer_kernel {
  const char* name;
  // out[i] = fmix64(xs[i] ^ mask), for n integers.
  void (*mix)(const std::uint64_t* xs, std::size_t n, std::uint64_t mask,
              key* out) noexcept;
};

// Those that this CPU has; the first is the definition, the last is the one to use.
// There is none for NEON, which does not multiply 64-bit lanes.
std::span<const integer_kernel* const> integer_kernels() noexcept;

// A caller hashes a group of integers, then looks its keys up, then hashes the next group.
// A line of that one is fetched for each line of this one, so that it arrives during the
// lookups; the CPU's own prefetchers stop at the end of a group.  An address past the end
// of the array does no harm.
inline constexpr std::size_t fetched_ahead = 512;
BLOOMERY_INLINE void fetch_next_group(const std::uint64_t* x) noexcept {
  __builtin_prefetch(x + fetched_ahead);
}

// By the last of them.  REQUIRES: out.size() == xs.size()
void mix_integers(std::span<const std::uint64_t> xs, std::uint64_t mask,
                  std::span<key> out) noexcept;

extern const integer_kernel integers_avx2;
extern const integer_kernel integers_avx512;

}  // namespace bloomery::hash
