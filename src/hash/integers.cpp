#include "hash/integers.hpp"

#include <array>
#include <cassert>

#include <bloomery/detail/hash/mix.hpp>

#include "base/cpu.hpp"

namespace bloomery::hash {
namespace {

void mix_portable(const std::uint64_t* xs, std::size_t n, std::uint64_t mask,
                  key* out) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    if (i % 8 == 0) fetch_next_group(xs + i);
    out[i] = key::from_bits(fmix64(xs[i] ^ mask));
  }
}

constexpr integer_kernel portable{"portable", mix_portable};

struct found_kernels {
  std::array<const integer_kernel*, 3> all{&portable};
  std::size_t count = 1;
};

found_kernels find() noexcept {
  found_kernels found;
#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
  if (base::cpu().avx2) found.all[found.count++] = &integers_avx2;
  if (base::cpu().avx512) found.all[found.count++] = &integers_avx512;
#endif
  return found;
}

}  // namespace

std::span<const integer_kernel* const> integer_kernels() noexcept {
  static const found_kernels found = find();
  return std::span(found.all).first(found.count);
}

void mix_integers(std::span<const std::uint64_t> xs, std::uint64_t mask,
                  std::span<key> out) noexcept {
  assert(out.size() == xs.size());
  static const auto mix = integer_kernels().back()->mix;
  mix(xs.data(), xs.size(), mask, out.data());
}

}  // namespace bloomery::hash
