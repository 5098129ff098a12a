// Which kernel runs: the best the CPU has, asked once.
#include <bloomery/detail/kind/quotient/dispatch.hpp>

#include <array>

#include "base/cpu.hpp"
#include "kind/quotient/kernel/table.hpp"

namespace bloomery::kernel {

extern const quotient_kernel quotient_portable, quotient_avx2, quotient_bmi2,
    quotient_avx512;

namespace {

struct found_kernels {
  std::array<const quotient_kernel*, 4> all{};
  std::size_t count = 0;

  void add(const quotient_kernel& k) noexcept { all[count++] = &k; }
};

found_kernels find() noexcept {
  found_kernels found;
  found.add(quotient_portable);
#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
  if (base::cpu().avx2) found.add(quotient_avx2);
  if (base::cpu().fast_pdep) found.add(quotient_bmi2);
  if (base::cpu().fast_pdep && base::cpu().avx512_popcount) found.add(quotient_avx512);
#endif
  return found;
}

}  // namespace

std::span<const quotient_kernel* const> quotient_kernels() noexcept {
  static const found_kernels found = find();
  return std::span(found.all).first(found.count);
}

const quotient_kernel& best_quotient_kernel() noexcept {
  static const quotient_kernel& best = *quotient_kernels().back();
  return best;
}

}  // namespace bloomery::kernel

namespace bloomery::inline v1 {
namespace quotient_probe {
namespace {

// What the pointer holds until the first call: threads that come together all store the
// same choice.
bool first_may_contain(const quotient_layout& l, const std::byte* data,
                       std::uint64_t h) noexcept {
  const auto chosen = kernel::best_quotient_kernel().may_contain;
  may_contain.store(chosen);
  return chosen(l, data, h);
}

}  // namespace

constinit chosen_call<may_contain_call> may_contain{first_may_contain};

}  // namespace quotient_probe
}  // namespace bloomery::inline v1
