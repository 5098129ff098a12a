// Which kernel runs: the best the CPU has, asked once.
#include <bloomery/detail/kind/counting/dispatch.hpp>

#include <array>

#include "base/cpu.hpp"
#include "kind/counting/kernel/loops.hpp"

namespace bloomery::kernel {
namespace {

struct found_kernels {
  std::array<const counting_kernel*, 2> all{};
  std::size_t count = 0;

  void add(const counting_kernel& k) noexcept { all[count++] = &k; }
};

found_kernels find() noexcept {
  found_kernels found;
  found.add(counting_portable);
#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
  if (base::cpu().avx2) found.add(counting_avx2);
#endif
  return found;
}

}  // namespace

std::span<const counting_kernel* const> counting_kernels() noexcept {
  static const found_kernels found = find();
  return std::span(found.all).first(found.count);
}

const counting_kernel& best_counting_kernel() noexcept {
  static const counting_kernel& best = *counting_kernels().back();
  return best;
}

}  // namespace bloomery::kernel

namespace bloomery::inline v1 {
namespace cell_probe {
namespace {

// What the pointers hold until the first call: threads that come together all store the
// same choice.
bool first_may_contain(const std::byte* data, std::uint64_t blocks,
                       std::uint64_t h) noexcept {
  const auto chosen = kernel::best_counting_kernel().may_contain;
  resolved.may_contain.store(chosen);
  return chosen(data, blocks, h);
}

void first_insert(std::byte* data, std::uint64_t blocks, std::uint64_t h) noexcept {
  const auto chosen = kernel::best_counting_kernel().insert_one;
  resolved.insert.store(chosen);
  chosen(data, blocks, h);
}

bool first_erase(std::byte* data, std::uint64_t blocks, std::uint64_t h) noexcept {
  const auto chosen = kernel::best_counting_kernel().erase_one;
  resolved.erase.store(chosen);
  return chosen(data, blocks, h);
}

}  // namespace

constinit resolved_calls resolved{first_may_contain, first_insert, first_erase};

}  // namespace cell_probe
}  // namespace bloomery::inline v1
