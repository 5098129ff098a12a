// Which kernel runs: the best the CPU has, asked once.
#include <bloomery/detail/probe/block_dispatch.hpp>

#include <array>

#include <bloomery/detail/sync/stripe_locks.hpp>

#include "base/cpu.hpp"
#include "kernel/block_loops.hpp"

namespace bloomery::kernel {
namespace {

struct found_kernels {
  std::array<const block_kernel*, 3> all{};
  std::size_t count = 0;

  void add(const block_kernel& k) noexcept { all[count++] = &k; }
};

found_kernels find() noexcept {
  found_kernels found;
  found.add(block_portable);
#if !defined(BLOOMERY_PORTABLE)
#if defined(__x86_64__)
  if (base::cpu().avx2) found.add(block_avx2);
  if (base::cpu().avx512) found.add(block_avx512);
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
  if (base::cpu().neon) found.add(block_neon);
#endif
#endif
  return found;
}

}  // namespace

std::span<const block_kernel* const> block_kernels() noexcept {
  static const found_kernels found = find();
  return std::span(found.all).first(found.count);
}

const block_kernel& best_block_kernel() noexcept {
  static const block_kernel& best = *block_kernels().back();
  return best;
}

}  // namespace bloomery::kernel

namespace bloomery::inline v1 {
namespace block_probe {
namespace {

// What the pointers hold until the first call: threads that come together all store the
// same choice.
template <std::size_t profile>
bool first_may_contain(const std::byte* data, std::uint64_t blocks,
                       std::uint64_t h) noexcept {
  const auto chosen = kernel::best_block_kernel().loops[profile].may_contain;
  resolved[profile].may_contain.store(chosen);
  return chosen(data, blocks, h);
}

template <std::size_t profile>
void first_insert(std::byte* data, std::uint64_t blocks, std::uint64_t h) noexcept {
  const auto chosen = kernel::best_block_kernel().loops[profile].insert_one;
  resolved[profile].insert.store(chosen);
  chosen(data, blocks, h);
}

template <std::size_t profile>
bool first_insert_shared(std::byte* data, std::uint64_t blocks,
                         std::uint64_t h) noexcept {
  const auto chosen = kernel::best_block_kernel().loops[profile].insert_shared_one;
  resolved[profile].insert_shared.store(chosen);
  return chosen(data, blocks, h);
}

template <std::size_t profile>
bool first_insert_locked(std::byte* data, std::uint64_t blocks, std::uint64_t h,
                         const stripe_locks<>& lines) noexcept {
  const auto chosen = kernel::best_block_kernel().loops[profile].insert_locked_one;
  resolved[profile].insert_locked.store(chosen);
  return chosen(data, blocks, h, lines);
}

}  // namespace

#define BLOOMERY_FIRST_CALLS(profile)                                                \
  {                                                                                  \
    first_may_contain<profile>, first_insert<profile>, first_insert_shared<profile>, \
        first_insert_locked<profile>                                                 \
  }
constinit resolved_calls resolved[6] = {{nullptr, nullptr, nullptr, nullptr},
                                        BLOOMERY_FIRST_CALLS(1),
                                        BLOOMERY_FIRST_CALLS(2),
                                        BLOOMERY_FIRST_CALLS(3),
                                        BLOOMERY_FIRST_CALLS(4),
                                        BLOOMERY_FIRST_CALLS(5)};

}  // namespace block_probe
}  // namespace bloomery::inline v1
