#include "hash/batch.hpp"

#include <array>

#include <bloomery/detail/hash/mix.hpp>

#include "base/cpu.hpp"
#include "hash/siphash_lanes.hpp"

namespace bloomery::hash {
namespace {

void mix(const std::uint64_t* xs, std::size_t n, std::uint64_t mask, key* out) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    if (i % cache_line == 0) fetch_next_group(xs + i);
    out[i] = key::from_bits(fmix64(xs[i] ^ mask));
  }
}

// Two lanes are what every x86-64 and every AArch64 has.
constexpr batch_kernel portable{"portable", mix, siphash_each<2>};

struct found_kernels {
  std::array<const batch_kernel*, 3> all{&portable};
  std::size_t count = 1;
};

found_kernels find() noexcept {
  found_kernels found;
#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
  if (base::cpu().avx2) found.all[found.count++] = &batch_avx2;
  if (base::cpu().avx512) found.all[found.count++] = &batch_avx512;
#endif
  return found;
}

}  // namespace

std::span<const batch_kernel* const> batch_kernels() noexcept {
  static const found_kernels found = find();
  return std::span(found.all).first(found.count);
}

const batch_kernel& best_batch_kernel() noexcept {
  static const batch_kernel& best = *batch_kernels().back();
  return best;
}

}  // namespace bloomery::hash
