// Block filters from many keys at once: by several threads, with the bits of one.
#include <bloomery/detail/filter/block_storage.hpp>

#include <algorithm>
#include <cassert>

#include "filter/block_parallel.hpp"

namespace bloomery::inline v1 {
namespace {

// Threads take longer to start than so few keys to insert.
constexpr std::size_t min_keys = std::size_t{1} << 15;

// From here on a filter is so far from any cache that dealing pays for its memory, if
// there are keys enough for every line.
constexpr std::uint64_t far_bytes = std::uint64_t{64} << 20;

// Each picks from all keys, so more of them add more work than they take away.
constexpr unsigned max_pickers = 16;

}  // namespace

void block_storage::add_each(std::span<const key> ks, unsigned threads) noexcept {
  assert(threads >= 1);
  threads = std::min(threads, 256u);
  if (threads <= 1 || ks.size() < min_keys) return add_each(ks);
  const bool far = shape_.size_in_bytes() >= far_bytes && ks.size() >= shape_.blocks;
  // What dealing has begun may be done again: a key inserted twice is inserted.
  if (far && insert_by_dealing(shape_, store_.data(), ks, threads)) return;
  insert_by_picking(shape_, store_.data(), ks, std::min(threads, max_pickers));
}

}  // namespace bloomery::inline v1
