// One-key calls of the block filters: inline where the caller compiles for vector
// instructions, otherwise one call of a kernel that was chosen once.
//
// The features of the CPU are never asked per key: each pointer below starts at a
// function that asks once, stores its choice there, and goes on.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/probe/block_probe.hpp>
#include <bloomery/detail/probe/chosen_call.hpp>

namespace bloomery::inline v1 {
namespace block_probe {

struct resolved_calls {
  using may_contain_call = bool (*)(const std::byte*, std::uint64_t,
                                    std::uint64_t) noexcept;
  using insert_call = void (*)(std::byte*, std::uint64_t, std::uint64_t) noexcept;
  using insert_shared_call = bool (*)(std::byte*, std::uint64_t, std::uint64_t) noexcept;
  using insert_locked_call = bool (*)(std::byte*, std::uint64_t, std::uint64_t,
                                      const stripe_locks<this_platform>&) noexcept;
  chosen_call<may_contain_call> may_contain;
  chosen_call<insert_call> insert;
  chosen_call<insert_shared_call> insert_shared;
  chosen_call<insert_locked_call> insert_locked;
};

// Indexed by block_profile; the first is unused.
BLOOMERY_EXPORT extern resolved_calls resolved[6];

// Through the pointers, whatever the caller is compiled for.
struct dispatched {
  using finding = bool;
  BLOOMERY_INLINE static bool present(finding f) noexcept { return f; }
};

#if defined(BLOOMERY_STRICT_ATOMICS)
using native = dispatched;
#elif defined(__AVX512VL__) && defined(__AVX512DQ__)
using native = avx512;
#elif defined(__AVX2__)
using native = avx2;
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
using native = neon;
#else
using native = dispatched;
#endif

// Templates of ours that callers instantiate, and that one-key calls are inlined into,
// live in an inline namespace of this name: two translation units with different flags
// then share no function, and the linker cannot mix them up.
#if defined(BLOOMERY_STRICT_ATOMICS)
#define BLOOMERY_BY_ISA by_call
#elif defined(__AVX512VL__) && defined(__AVX512DQ__)
#define BLOOMERY_BY_ISA by_avx512
#elif defined(__AVX2__)
#define BLOOMERY_BY_ISA by_avx2
#else
#define BLOOMERY_BY_ISA by_call
#endif

template <class Layout>
constexpr block_profile profile_of() noexcept {
  if (Layout::block::lanes == 4) return block_profile::half_line;
  if (Layout::block::lane_bits == 32) return block_profile::split;
  if (Layout::block::lane_bits == 16) return block_profile::lanes16;
  return Layout::choices == 2 ? block_profile::two_lines : block_profile::line;
}

template <class Layout>
struct one_key<dispatched, Layout> {
  static constexpr auto profile = static_cast<std::size_t>(profile_of<Layout>());

  BLOOMERY_INLINE static bool may_contain(const std::byte* data, std::uint64_t blocks,
                                          std::uint64_t h) noexcept {
    return resolved[profile].may_contain.load()(data, blocks, h);
  }
  BLOOMERY_INLINE static bool look(const std::byte* data, std::uint64_t blocks,
                                   std::uint64_t h) noexcept {
    return may_contain(data, blocks, h);
  }
  BLOOMERY_INLINE static void insert(std::byte* data, std::uint64_t blocks,
                                     std::uint64_t h) noexcept {
    resolved[profile].insert.load()(data, blocks, h);
  }
  BLOOMERY_INLINE static bool insert(std::byte* data, std::uint64_t blocks,
                                     std::uint64_t h, wait_free) noexcept {
    return resolved[profile].insert_shared.load()(data, blocks, h);
  }
  BLOOMERY_INLINE static bool insert(std::byte* data, std::uint64_t blocks,
                                     std::uint64_t h, locked by) noexcept {
    return resolved[profile].insert_locked.load()(data, blocks, h, by.lines);
  }
};

}  // namespace block_probe
}  // namespace bloomery::inline v1
