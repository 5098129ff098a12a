// One-key calls of counting filters in lines of 4-bit cells: inline where the caller
// compiles for AVX2, otherwise one call of a kernel that was chosen once.
//
// Each pointer starts at a function that looks up the CPU's features, stores its choice
// there, and goes on.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kind/counting/avx2.hpp>
#include <bloomery/detail/kind/counting/line.hpp>
#include <bloomery/detail/probe/chosen_call.hpp>

namespace bloomery::inline v1 {
namespace cell_probe {

struct resolved_calls {
  using may_contain_call = bool (*)(const std::byte* data, std::uint64_t blocks,
                                    std::uint64_t h) noexcept;
  using insert_call = void (*)(std::byte* data, std::uint64_t blocks,
                               std::uint64_t h) noexcept;
  // False: a cell is 0, and nothing has changed.
  using erase_call = bool (*)(std::byte* data, std::uint64_t blocks,
                              std::uint64_t h) noexcept;
  chosen_call<may_contain_call> may_contain;
  chosen_call<insert_call> insert;
  chosen_call<erase_call> erase;
};

BLOOMERY_EXPORT extern resolved_calls resolved;

// Through the pointers, whatever the caller is compiled for.
struct dispatched {};

template <>
struct one_line<dispatched> {
  BLOOMERY_INLINE static bool may_contain(const std::byte* data, std::uint64_t blocks,
                                          std::uint64_t h) noexcept {
    return resolved.may_contain.load()(data, blocks, h);
  }
  BLOOMERY_INLINE static void insert(std::byte* data, std::uint64_t blocks,
                                     std::uint64_t h) noexcept {
    resolved.insert.load()(data, blocks, h);
  }
  BLOOMERY_INLINE static bool erase(std::byte* data, std::uint64_t blocks,
                                    std::uint64_t h) noexcept {
    return resolved.erase.load()(data, blocks, h);
  }
};

#if defined(__AVX2__) && !defined(BLOOMERY_STRICT_ATOMICS)
using native = avx2;
#else
using native = dispatched;
#endif

}  // namespace cell_probe
}  // namespace bloomery::inline v1
