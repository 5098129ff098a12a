// Batched lookups in a cuckoo filter by AVX-512: the same answers, eight keys at a time.
#pragma once

#include <cstddef>
#include <span>

#include <bloomery/detail/probe/cuckoo_probe.hpp>
#include <bloomery/key.hpp>

namespace bloomery::kernel {

// As can_query_avx2, on a CPU with AVX-512.
bool can_query_avx512(const cuckoo_probe& probe) noexcept;

// Answers the first keys, a multiple of 8; how many.  `far`: the buckets are not in the
// cache.  REQUIRES: can_query_avx512
std::size_t query_avx512(const cuckoo_probe& probe, const std::byte* data,
                         std::span<const key> ks, bool* out, bool far) noexcept;

}  // namespace bloomery::kernel
