// Which kernel runs: the best the CPU has, asked once.
#include <array>

#include "base/cpu.hpp"
#include "kind/stable/kernel/loops.hpp"

namespace bloomery::kernel {
namespace {

struct found_kernels {
  std::array<const stable_kernel*, 2> all{};
  std::size_t count = 0;

  void add(const stable_kernel& k) noexcept { all[count++] = &k; }
};

found_kernels find() noexcept {
  found_kernels found;
  found.add(stable_portable);
#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
  if (base::cpu().avx2) found.add(stable_avx2);
#endif
  return found;
}

}  // namespace

std::span<const stable_kernel* const> stable_kernels() noexcept {
  static const found_kernels found = find();
  return std::span(found.all).first(found.count);
}

const stable_kernel& best_stable_kernel() noexcept {
  static const stable_kernel& best = *stable_kernels().back();
  return best;
}

}  // namespace bloomery::kernel
