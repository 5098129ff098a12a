// One key against an array of blocks, by whichever instruction set is named: the inner
// step of the block filters, inlined.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/block_avx2.hpp>
#include <bloomery/block_avx512.hpp>
#include <bloomery/block_bits.hpp>
#include <bloomery/block_neon.hpp>

namespace bloomery::inline v1 {
namespace block_probe {

// One key against the array, by the instruction set `Isa`.
template <class Isa, class Layout>
struct one_key {
  using block = typename Layout::block;

  BLOOMERY_INLINE static bool may_contain(const std::byte* data, std::uint64_t blocks,
                                          std::uint64_t h) noexcept {
    bool hit = Isa::template test<block>(data + Layout::offset(h, blocks),
                                         Isa::template mask_of<block>(h));
    if constexpr (Layout::choices == 2) {  // both, always: no branch on the answer
      const std::uint64_t g = second(h);
      hit = hit & Isa::template test<block>(data + Layout::offset(g, blocks),
                                            Isa::template mask_of<block>(g));
    }
    return hit;
  }

  BLOOMERY_INLINE static void insert(std::byte* data, std::uint64_t blocks,
                                     std::uint64_t h) noexcept {
    Isa::template set<block>(data + Layout::offset(h, blocks),
                             Isa::template mask_of<block>(h));
    if constexpr (Layout::choices == 2) {
      const std::uint64_t g = second(h);
      Isa::template set<block>(data + Layout::offset(g, blocks),
                               Isa::template mask_of<block>(g));
    }
  }
};

}  // namespace block_probe
}  // namespace bloomery::inline v1
