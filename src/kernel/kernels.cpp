#include <bloomery/detail/kernels.hpp>

#include <array>
#include <string_view>

#include "kernel/block.hpp"

namespace bloomery::inline v1 {
namespace {

constexpr bool portable_only =
#if defined(BLOOMERY_PORTABLE)
    true;
#else
    false;
#endif
constexpr bool x86 =
#if defined(__x86_64__)
    !portable_only;
#else
    false;
#endif
constexpr bool arm =
#if defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
    !portable_only;
#else
    false;
#endif

using table = std::array<kernel_info, 4>;

table look() noexcept {
  table all{{{"portable", true, false, false},
             {"avx2", x86, false, false},
             {"avx512", x86, false, false},
             {"neon", arm, false, false}}};
  const std::string_view best = kernel::best_block_kernel().name;
  for (kernel_info& k : all) {
    for (const kernel::block_kernel* found : kernel::block_kernels())
      k.runs = k.runs || std::string_view(found->name) == k.name;
    k.chosen = best == k.name;
  }
  return all;
}

}  // namespace

std::span<const kernel_info> kernels() noexcept {
  static const table all = look();
  return all;
}

const char* kernel_name() noexcept { return kernel::best_block_kernel().name; }

}  // namespace bloomery::inline v1
