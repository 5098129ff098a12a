// Bits of several keys that are still to be ORed into words other threads write too.
//
// First the missing bits of a group of keys are found, without a branch, and noted; then
// they are ORed one after the other.  A loop over the words of each key, of which some
// lack bits and some do not, would be mispredicted for almost every one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/probe/block_bits.hpp>
#include <bloomery/detail/probe/words.hpp>

namespace bloomery::kernel {

struct deferred_ors {
  static constexpr std::size_t keys = 32;         // a group
  static constexpr std::size_t words_a_key = 16;  // two lines
  static constexpr std::size_t room = keys * words_a_key;

  std::size_t count = 0;
  std::byte* at[room + 8];  // 8 more: whole vectors are written
  std::uint64_t bits[room + 8];

  // Goes on only if `some`: otherwise the next note takes its place.
  BLOOMERY_INLINE void note(std::byte* word, std::uint64_t lacks, bool some) noexcept {
    at[count] = word;
    bits[count] = lacks;
    count += some;
  }
  BLOOMERY_INLINE void apply() noexcept {
    for (std::size_t i = 0; i < count; ++i) words::fetch_or_le(at[i], bits[i]);
    count = 0;
  }
};

// A memory (write_policy.hpp) that notes what to do.  Instruction sets may have something
// better.
template <class Isa_>
struct collect {
  deferred_ors& todo;

  template <class Isa, class Block>
  BLOOMERY_INLINE bool set(std::byte* data, std::uint64_t offset,
                           const typename Isa::template mask<Block>& m) const noexcept {
    alignas(64) std::uint64_t lacks[Block::bytes / 8];
    const unsigned some = Isa::template missing<Block>(data + offset, m, lacks);
    for (unsigned w = 0; w < Block::bytes / 8; ++w)
      todo.note(data + offset + 8 * w, lacks[w], (some >> w & 1) != 0);
    return some != 0;
  }
};

}  // namespace bloomery::kernel
