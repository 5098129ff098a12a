// Which kernel runs: the best the CPU has, asked once.
#include <bloomery/detail/kind/ribbon/dispatch.hpp>

#include <array>

#include "base/cpu.hpp"
#include "kind/ribbon/kernel/table.hpp"

namespace bloomery::kernel {

extern const ribbon_kernel ribbon_portable, ribbon_avx2, ribbon_avx512;

namespace {

struct found_kernels {
  std::array<const ribbon_kernel*, 3> all{};
  std::size_t count = 0;

  void add(const ribbon_kernel& k) noexcept { all[count++] = &k; }
};

found_kernels find() noexcept {
  found_kernels found;
  found.add(ribbon_portable);
#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
  if (base::cpu().avx2) found.add(ribbon_avx2);
  if (base::cpu().avx512_popcount) found.add(ribbon_avx512);
#endif
  return found;
}

}  // namespace

std::span<const ribbon_kernel* const> ribbon_kernels() noexcept {
  static const found_kernels found = find();
  return std::span(found.all).first(found.count);
}

const ribbon_kernel& best_ribbon_kernel() noexcept {
  static const ribbon_kernel& best = *ribbon_kernels().back();
  return best;
}

}  // namespace bloomery::kernel

namespace bloomery::inline v1 {
namespace ribbon_probe {
namespace {

// What the pointers hold until the first call: threads that come together all store the
// same choice.
bool first_may_contain(const ribbon_layout& all, const std::byte* data,
                       std::uint64_t h) noexcept {
  const auto chosen = kernel::best_ribbon_kernel().may_contain[all.form()];
  may_contain[all.form()].store(chosen);
  return chosen(all, data, h);
}

}  // namespace

constinit chosen_call<may_contain_call> may_contain[ribbon_layout::forms]{
    first_may_contain, first_may_contain, first_may_contain,
    first_may_contain, first_may_contain, first_may_contain};

}  // namespace ribbon_probe
}  // namespace bloomery::inline v1
