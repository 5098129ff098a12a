// Batches by AVX-512: eight integers at a time, and eight texts.
#include "hash/batch.hpp"

#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

#include "base/target.hpp"
#include "hash/siphash.hpp"

BLOOMERY_TARGET("avx512f,avx512dq")
#include "hash/mix_avx512.hpp"
#include "hash/siphash_lanes.hpp"

namespace bloomery::hash {
namespace {

void mix(const std::uint64_t* xs, std::size_t n, std::uint64_t mask, key* out) noexcept {
  std::size_t i = 0;
  for (; i + cache_line <= n; i += cache_line) {
    fetch_next_group(xs + i);
    mix_avx512::all(xs + i, cache_line, mask, out + i);
  }
  mix_avx512::all(xs + i, n - i, mask, out + i);
}

}  // namespace

constinit const batch_kernel batch_avx512{"avx512", mix, siphash_each<8>};

}  // namespace bloomery::hash

BLOOMERY_TARGET_END
#endif
