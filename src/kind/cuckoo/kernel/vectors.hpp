// Batched lookups in a cuckoo filter by vector instructions: the same answers, four keys
// at a time by AVX2, eight by AVX-512.
//
// The portable loop spends most of its time on nine multiplications per key, which these
// do for all of them at once; the buckets are then compared as words, as there.  With
// offsets in a table (cuckoo_offsets.hpp) AVX2 does five, and loads four words of it;
// AVX-512 three, and gathers eight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/kind/cuckoo/probe.hpp>
#include <bloomery/key.hpp>

namespace bloomery::kernel {

// Tags of up to 16 bits, and fewer than 2^32 buckets, on a CPU with the instructions.
bool can_query_avx2(const cuckoo_probe& probe) noexcept;
bool can_query_avx512(const cuckoo_probe& probe) noexcept;

// Answers the first keys, a multiple of 4 or 8; how many.  `far`: the buckets are not in
// the cache.  REQUIRES: can_query_avx2, can_query_avx512
// `offsets` may be null.
std::size_t query_avx2(const cuckoo_probe& probe, const std::uint32_t* offsets,
                       const std::byte* data, std::span<const key> ks, bool* out,
                       bool far) noexcept;
std::size_t query_avx512(const cuckoo_probe& probe, const std::uint32_t* offsets,
                         const std::byte* data, std::span<const key> ks, bool* out,
                         bool far) noexcept;

}  // namespace bloomery::kernel
