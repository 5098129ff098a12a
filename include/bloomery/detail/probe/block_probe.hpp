// One key against an array of blocks, by whichever instruction set is named: the inner
// step of the block filters, inlined.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/probe/block_avx2.hpp>
#include <bloomery/detail/probe/block_avx512.hpp>
#include <bloomery/detail/probe/block_bits.hpp>
#include <bloomery/detail/probe/block_neon.hpp>
#include <bloomery/detail/probe/write_policy.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {
namespace block_probe {

// The mask of a key that lies in memory: some instruction sets spread it from there.
template <class Isa, class Block>
BLOOMERY_INLINE auto mask_at(const key* k) noexcept {
  if constexpr (requires { Isa::template mask_at<Block>(k); })
    return Isa::template mask_at<Block>(k);
  else
    return Isa::template mask_of<Block>(k->bits());
}

// One key against the array, by the instruction set `Isa`.
template <class Isa, class Layout>
struct one_key {
  using block = typename Layout::block;

  BLOOMERY_INLINE static bool may_contain(const std::byte* data, std::uint64_t blocks,
                                          std::uint64_t h) noexcept {
    return test(data, blocks, h, Isa::template mask_of<block>(h));
  }
  BLOOMERY_INLINE static bool may_contain(const std::byte* data, std::uint64_t blocks,
                                          const key* k) noexcept {
    return test(data, blocks, k->bits(), mask_at<Isa, block>(k));
  }
  // may_contain(), up to Isa::present().
  BLOOMERY_INLINE static typename Isa::finding look(const std::byte* data,
                                                    std::uint64_t blocks,
                                                    std::uint64_t h) noexcept {
    const auto found = Isa::template look<block>(data + Layout::offset(h, blocks),
                                                 Isa::template mask_of<block>(h));
    if constexpr (Layout::choices == 2) {
      const std::uint64_t g = second(h);
      return Isa::both(found, Isa::template look<block>(data + Layout::offset(g, blocks),
                                                        Isa::template mask_of<block>(g)));
    } else {
      return found;
    }
  }
  // `memory` says how bits get there beside other threads (write_policy.hpp).  The result
  // is its word on whether some were missing.
  template <class Memory = alone>
  BLOOMERY_INLINE static auto insert(std::byte* data, std::uint64_t blocks,
                                     std::uint64_t h, Memory memory = {}) noexcept {
    return set(data, blocks, h, Isa::template mask_of<block>(h), memory);
  }
  template <class Memory = alone>
  BLOOMERY_INLINE static auto insert(std::byte* data, std::uint64_t blocks, const key* k,
                                     Memory memory = {}) noexcept {
    return set(data, blocks, k->bits(), mask_at<Isa, block>(k), memory);
  }

 private:
  using mask = typename Isa::template mask<block>;

  BLOOMERY_INLINE static bool test(const std::byte* data, std::uint64_t blocks,
                                   std::uint64_t h, const mask& m) noexcept {
    bool hit = Isa::template test<block>(data + Layout::offset(h, blocks), m);
    if constexpr (Layout::choices == 2) {  // both, always: no branch on the answer
      const std::uint64_t g = second(h);
      hit = hit & Isa::template test<block>(data + Layout::offset(g, blocks),
                                            Isa::template mask_of<block>(g));
    }
    return hit;
  }
  template <class Memory>
  BLOOMERY_INLINE static auto set(std::byte* data, std::uint64_t blocks, std::uint64_t h,
                                  const mask& m, Memory memory) noexcept {
    const auto some = memory.template set<Isa, block>(data, Layout::offset(h, blocks), m);
    if constexpr (Layout::choices == 2) {
      const std::uint64_t g = second(h);
      return some | memory.template set<Isa, block>(data, Layout::offset(g, blocks),
                                                    Isa::template mask_of<block>(g));
    } else {
      return some;
    }
  }
};

}  // namespace block_probe
}  // namespace bloomery::inline v1
