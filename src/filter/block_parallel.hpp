// Two ways for several threads to fill one block filter.  Both give the same bits as one
// thread: each range of blocks is written by one thread only, so nothing is atomic.
#pragma once

#include <cstddef>
#include <span>

#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/key.hpp>

namespace bloomery {

// Each thread reads all the keys and inserts those that fall into its blocks.  Takes no
// memory.  REQUIRES: threads >= 1
void insert_by_picking(const block_shape& shape, std::byte* data, std::span<const key> ks,
                       unsigned threads) noexcept;

// The keys are first dealt out to piles, one for each range of blocks that fits a cache;
// then each range is filled while it stays there.  For filters far larger than the
// caches: memory then moves in whole ranges instead of single lines.  Takes as much
// memory as the filter.  False: there is none, or the keys are not uniform; some may be
// in. REQUIRES: threads >= 1
bool insert_by_dealing(const block_shape& shape, std::byte* data, std::span<const key> ks,
                       unsigned threads) noexcept;

}  // namespace bloomery
