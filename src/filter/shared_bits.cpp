// Bits set beside other threads: batches, and whole filters.
#include <bloomery/detail/filter/concurrent_access.hpp>

#include "filter/block_view.hpp"
#include "filter/or_shared.hpp"

namespace bloomery::inline v1 {
namespace {

// Every bit of `from` into `to`, under the lock of the line.
void add_words_alone(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  for (std::size_t i = 0; i < bytes; i += 8)
    words::store(to + i, words::load<std::uint64_t>(to + i) |
                             words::load<std::uint64_t>(from + i));
}

// Calls add(to, from, offset) for each block of `other`, with its place in `f`.
template <class Add>
void for_each_block(std::byte* to, const std::byte* from, const block_shape& theirs,
                    std::uint64_t group, Add add) noexcept {
  const std::size_t step = theirs.block_bytes();
  for (std::uint64_t b = 0; b < theirs.blocks; ++b) {
    const std::size_t at = b / group * step;
    add(to + at, from + b * step, at);
  }
}

}  // namespace

using blocks = concurrent_access<block_storage>;

void blocks::insert(block_storage& f, std::span<const key> ks, wait_free) noexcept {
  loops_of(f.shape_).insert_shared(array_of(f.shape_, f.data()), ks.data(), ks.size());
}

void blocks::insert(block_storage& f, std::span<const key> ks, locked by) noexcept {
  loops_of(f.shape_).insert_locked(array_of(f.shape_, f.data()), ks.data(), ks.size(),
                                   by.lines);
}

void blocks::fetch(const block_storage& f, std::span<const key> ks) noexcept {
  loops_of(f.shape_).fetch_to_write(array_of(f.shape_, f.data()), ks.data(), ks.size());
}

result<void> blocks::add(block_storage& f, const block_storage& other,
                         wait_free) noexcept {
  const auto group = f.folds_of(other);
  if (!group) return group.error();
  const std::size_t bytes = f.shape_.block_bytes();
  for_each_block(f.data(), other.data(), other.shape_, *group,
                 [=](std::byte* to, const std::byte* from, std::size_t) noexcept {
                   or_shared(to, from, bytes);
                 });
  return {};
}

result<void> blocks::add(block_storage& f, const block_storage& other,
                         locked by) noexcept {
  const auto group = f.folds_of(other);
  if (!group) return group.error();
  const std::size_t bytes = f.shape_.block_bytes();
  for_each_block(f.data(), other.data(), other.shape_, *group,
                 [=](std::byte* to, const std::byte* from, std::size_t at) noexcept {
                   const stripe_guard hold(by.lines.of(at / 64));
                   add_words_alone(to, from, bytes);
                 });
  return {};
}

}  // namespace bloomery::inline v1
