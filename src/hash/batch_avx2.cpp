// Batches by AVX2: four integers at a time, and four texts.
#include "hash/batch.hpp"

#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>

#include "base/target.hpp"
#include "hash/siphash.hpp"

BLOOMERY_TARGET("avx2")
#include "hash/mix_avx2.hpp"
#include "hash/siphash_lanes.hpp"

namespace bloomery::hash {
namespace {

void mix(const std::uint64_t* xs, std::size_t n, std::uint64_t mask, key* out) noexcept {
  std::size_t i = 0;
  for (; i + cache_line <= n; i += cache_line) {
    fetch_next_group(xs + i);
    mix_avx2::all(xs + i, cache_line, mask, out + i);
  }
  mix_avx2::all(xs + i, n - i, mask, out + i);
}

}  // namespace

constinit const batch_kernel batch_avx2{"avx2", mix, siphash_each<4>};

}  // namespace bloomery::hash

BLOOMERY_TARGET_END
#endif
