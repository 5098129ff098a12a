// One key against an array of lines of 4-bit cells, by whichever instruction set is
// named, inlined.  `Isa` has
//   cells_of(h), cells_at(key*)   where the key's cells lie in a line
//   test(line, c), up(line, c), down(line, c)
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/probe/block_bits.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {
namespace cell_probe {

template <class Isa>
struct one_line {
  BLOOMERY_INLINE static std::uint64_t offset(std::uint64_t h,
                                              std::uint64_t blocks) noexcept {
    return 64 * block_probe::high_product(h, blocks);
  }

  BLOOMERY_INLINE static bool may_contain(const std::byte* data, std::uint64_t blocks,
                                          std::uint64_t h) noexcept {
    return Isa::test(data + offset(h, blocks), Isa::cells_of(h));
  }
  BLOOMERY_INLINE static bool may_contain(const std::byte* data, std::uint64_t blocks,
                                          const key* k) noexcept {
    return Isa::test(data + offset(k->bits(), blocks), Isa::cells_at(k));
  }
  BLOOMERY_INLINE static void insert(std::byte* data, std::uint64_t blocks,
                                     std::uint64_t h) noexcept {
    Isa::up(data + offset(h, blocks), Isa::cells_of(h));
  }
  BLOOMERY_INLINE static void insert(std::byte* data, std::uint64_t blocks,
                                     const key* k) noexcept {
    Isa::up(data + offset(k->bits(), blocks), Isa::cells_at(k));
  }
  // False: a cell is 0, and nothing has changed.
  BLOOMERY_INLINE static bool erase(std::byte* data, std::uint64_t blocks,
                                    std::uint64_t h) noexcept {
    return Isa::down(data + offset(h, blocks), Isa::cells_of(h));
  }
  BLOOMERY_INLINE static bool erase(std::byte* data, std::uint64_t blocks,
                                    const key* k) noexcept {
    return Isa::down(data + offset(k->bits(), blocks), Isa::cells_at(k));
  }
};

}  // namespace cell_probe
}  // namespace bloomery::inline v1
