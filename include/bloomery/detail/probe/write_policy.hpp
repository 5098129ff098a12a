// How a key's bits get into a block, beside nobody or beside other threads.
//
// The kernels are written once, over one of these.  `set` puts the bits of one key into
// the block at `offset` and says whether some were missing, as far as it knows.
//
//   alone      plain stores; no other thread may use the filter
//   wait_free  one locked OR for each word that lacks a bit; no lock, no retry
//   locked     a lock of the block's line, then plain stores
//
// Bits are only ever added, so a thread that finds all of them set has nothing to do: the
// read that found them happens-before whatever follows, and by read-read coherence no
// later read of that word can find fewer.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/probe/words.hpp>

namespace bloomery::inline v1 {

// stripe_locks.hpp, which only those include who lock.
struct this_platform;
template <class Platform>
class stripe_locks;
template <class Platform>
class stripe_guard;

namespace block_probe {

struct nothing_known {
  friend constexpr nothing_known operator|(nothing_known, nothing_known) noexcept {
    return {};
  }
};

struct alone {
  template <class Isa, class Block>
  BLOOMERY_INLINE nothing_known
  set(std::byte* data, std::uint64_t offset,
      const typename Isa::template mask<Block>& m) const noexcept {
    Isa::template set<Block>(data + offset, m);
    return {};
  }
};

// Vector pre-test, then only the words that lack bits: half the price of ORing all
// (docs/performance.md).
struct wait_free {
  template <class Isa, class Block>
  BLOOMERY_INLINE bool set(std::byte* data, std::uint64_t offset,
                           const typename Isa::template mask<Block>& m) const noexcept {
    alignas(64) std::uint64_t lacks[Block::bytes / 8];
    unsigned some = Isa::template missing<Block>(data + offset, m, lacks);
    const bool was_missing = some != 0;
    for (; some != 0; some &= some - 1) {
      const auto w = static_cast<unsigned>(std::countr_zero(some));
      words::fetch_or_le(data + offset + 8 * w, lacks[w]);
    }
    return was_missing;
  }
};

// A plain store writes the whole block, so every writer of a line must hold its lock.
// Readers need none: they see each word before or after.
struct locked {
  const stripe_locks<this_platform>& lines;

  // Locks: a template parameter, so that it need be complete only where it is used.
  template <class Isa, class Block, class Locks = stripe_locks<this_platform>>
  BLOOMERY_INLINE bool set(std::byte* data, std::uint64_t offset,
                           const typename Isa::template mask<Block>& m) const noexcept {
    if (Isa::template test<Block>(data + offset, m)) return false;
    const Locks& locks = lines;
    const stripe_guard hold(locks.of(offset / 64));
    if (Isa::template test<Block>(data + offset, m)) return false;
    Isa::template set<Block>(data + offset, m);
    return true;
  }
};

}  // namespace block_probe
}  // namespace bloomery::inline v1
