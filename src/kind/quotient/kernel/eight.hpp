// Batched lookups in a quotient filter by AVX-512 (quotient_avx512.cpp).
#pragma once

#include <cstddef>

#include <bloomery/detail/kind/quotient/probe.hpp>
#include <bloomery/key.hpp>

namespace bloomery::kernel {

// As quotient_kernel::query.
void query_quotients_avx512(const quotient_layout& l, const std::byte* data,
                            const key* ks, std::size_t n, bool* out) noexcept;

}  // namespace bloomery::kernel
