// Hashes of many keys at a time by vector instructions: integers under XXH3's hasher
// (spec/hash.md, section 6), and texts under SipHash-1-3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

namespace bloomery::hash {

struct batch_kernel {
  const char* name;
  // out[i] = fmix64(xs[i] ^ mask), for n integers.
  void (*mix)(const std::uint64_t* xs, std::size_t n, std::uint64_t mask,
              key* out) noexcept;
  // out[i] = siphash13(texts[i], k0, k1), for n texts.
  void (*siphash)(const std::string_view* texts, std::size_t n, std::uint64_t k0,
                  std::uint64_t k1, key* out) noexcept;
};

// Those that this CPU has; the first is the definition, the last is the one to use.
// There is none for NEON, which does not multiply 64-bit lanes.
std::span<const batch_kernel* const> batch_kernels() noexcept;
const batch_kernel& best_batch_kernel() noexcept;

extern const batch_kernel batch_avx2;
extern const batch_kernel batch_avx512;

// A caller hashes a group of integers, then looks its keys up, then hashes the next
// group. A line of that one is fetched for each line of this one, so that it arrives
// during the lookups; the CPU's own prefetchers stop at the end of a group.  An address
// past the end of the array does no harm.
inline constexpr std::size_t cache_line = 8;  // integers
BLOOMERY_INLINE void fetch_next_group(const std::uint64_t* x) noexcept {
  constexpr std::size_t group = 512;
  __builtin_prefetch(x + group);
}

}  // namespace bloomery::hash
