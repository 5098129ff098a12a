// Each thread owns a range of blocks and picks its keys out of the stream.
//
// Picking a key costs about a tenth of inserting it where the filter is not in cache, so
// a handful of threads share the work almost evenly.
#include <algorithm>
#include <array>

#include <bloomery/detail/probe/block_probe.hpp>

#include "base/parallel_for.hpp"
#include "filter/block_parallel.hpp"
#include "filter/block_view.hpp"

namespace bloomery {
namespace {

// A thread inserts at most so many of its keys at a time: they stay in its L1 cache.
constexpr std::size_t picked_at_once = 2048;

// The first hash that falls into this block, or into one after it: mulhi(h, blocks) >= b
// if and only if h >= ceil(b * 2^64 / blocks).  Split filters use the upper 32 bits
// alone.
std::uint64_t first_hash(const block_shape& shape, std::uint64_t block) noexcept {
  __extension__ using u128 = unsigned __int128;
  const unsigned width = shape.profile == block_profile::split ? 32 : 64;
  const u128 first =
      ((static_cast<u128>(block) << width) + shape.blocks - 1) / shape.blocks;
  return static_cast<std::uint64_t>(first) << (64 - width);
}

// The hashes of one share of the blocks: whole blocks, so no line has two owners.
struct hash_range {
  std::uint64_t first, last;
};
hash_range range_of(const block_shape& shape, unsigned shares, unsigned share) noexcept {
  const std::uint64_t each = shape.blocks / shares, rest = shape.blocks % shares;
  const auto start = [&](std::uint64_t s) { return each * s + std::min(s, rest); };
  if (start(share) == start(share + 1)) return {1, 0};  // more threads than blocks
  const bool ends = start(share + 1) == shape.blocks;
  return {first_hash(shape, start(share)),
          ends ? ~std::uint64_t{0} : first_hash(shape, start(share + 1)) - 1};
}

// insert(span) for the keys in the range, some at a time.  Each line of a two-line filter
// counts as a separate key.
template <unsigned lines_a_key, class Insert>
void pick(std::span<const key> ks, hash_range mine, Insert insert) noexcept {
  std::array<key, picked_at_once + 1> picked;
  std::size_t n = 0;
  // Written in any case, kept only if it is ours: no branch to mispredict.
  const auto consider = [&](std::uint64_t h) noexcept {
    picked[n] = key::from_bits(h);
    n += h - mine.first <= mine.last - mine.first;
  };
  while (!ks.empty()) {
    // As many as fit even if all are ours.
    const auto some = ks.first(std::min(ks.size(), (picked_at_once - n) / lines_a_key));
    ks = ks.subspan(some.size());
    for (const key k : some) {
      consider(k.bits());
      if constexpr (lines_a_key == 2) consider(block_probe::second(k.bits()));
    }
    if (n < picked_at_once * 3 / 4 && !ks.empty()) continue;
    insert(std::span<const key>(picked).first(n));
    n = 0;
  }
}

}  // namespace

void insert_by_picking(const block_shape& shape, std::byte* data, std::span<const key> ks,
                       unsigned threads) noexcept {
  base::parallel_for(threads, [&](unsigned share) noexcept {
    const hash_range mine = range_of(shape, threads, share);
    if (mine.first > mine.last) return;
    const auto insert = [&](std::span<const key> some) noexcept {
      line_loops_of(shape).insert(array_of(shape, data), some.data(), some.size());
    };
    if (shape.choices() == 2)
      pick<2>(ks, mine, insert);
    else
      pick<1>(ks, mine, insert);
  });
}

}  // namespace bloomery
