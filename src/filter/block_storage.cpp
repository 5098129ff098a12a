// Block filters: making them, and batches of keys.
#include <bloomery/block_storage.hpp>

#include <array>
#include <cassert>
#include <cstring>

#include "filter/block_view.hpp"

namespace bloomery::inline v1 {
namespace {

// String keys are hashed this many at a time.  While one group is hashed, the lines of
// the group before it are on their way.
constexpr std::size_t strings_at_once = 64;

// Calls use(group, first) for each group of keys, once their lines have been asked for.
template <class Use>
void hash_and_fetch(const hasher& h, std::span<const std::string_view> ks,
                    const kernel::block_array& a, const kernel::block_loops& loops,
                    Use use) noexcept {
  std::array<std::array<key, strings_at_once>, 2> groups;
  std::span<const key> waiting;
  std::size_t first = 0;
  for (std::size_t i = 0; i < ks.size(); i += strings_at_once) {
    const auto part = ks.subspan(i, std::min(strings_at_once, ks.size() - i));
    const auto hashed = std::span(groups[i / strings_at_once % 2]).first(part.size());
    h.hash(part, hashed);
    if (!a.in_cache) loops.prefetch(a, hashed.data(), hashed.size());
    if (!waiting.empty()) use(waiting, first);
    waiting = hashed;
    first = i;
  }
  if (!waiting.empty()) use(waiting, first);
}

}  // namespace

result<block_storage> block_storage::make(block_shape shape, std::uint64_t keys,
                                          bloomery::hasher h) noexcept {
  if (shape.blocks == 0)
    return error{errc::invalid_argument, "a filter needs at least one block", 0, 0, 1};
  if (shape.blocks > shape.most_blocks())
    return error{errc::too_large, "more blocks than a filter can have", 0,
                 static_cast<double>(shape.blocks),
                 static_cast<double>(shape.most_blocks())};
  auto store = pages::make(shape.size_in_bytes());
  if (!store) return store.error();
  return block_storage(shape, keys, h, *std::move(store));
}

void block_storage::insert(std::span<const key> ks) noexcept {
  loops_of(shape_).insert(array_of(shape_, store_.data()), ks.data(), ks.size());
}

void block_storage::may_contain(std::span<const key> ks,
                                std::span<bool> out) const noexcept {
  assert(out.size() == ks.size());
  loops_of(shape_).query(array_of(shape_, store_.data()), ks.data(), ks.size(),
                         out.data());
}

void block_storage::may_contain(std::span<const key> ks,
                                std::span<std::uint64_t> out) const noexcept {
  assert(out.size() >= (ks.size() + 63) / 64);
  loops_of(shape_).query_bits(array_of(shape_, store_.data()), ks.data(), ks.size(),
                              out.data());
}

void block_storage::insert(std::span<const std::string_view> ks) noexcept {
  kernel::block_array a = array_of(shape_, store_.data());
  const kernel::block_loops& loops = loops_of(shape_);
  hash_and_fetch(hasher_, ks, a, loops,
                 [&, near = fetched(a)](std::span<const key> some, std::size_t) noexcept {
                   loops.insert(near, some.data(), some.size());
                 });
}

void block_storage::may_contain(std::span<const std::string_view> ks,
                                std::span<bool> out) const noexcept {
  assert(out.size() == ks.size());
  const kernel::block_array a = array_of(shape_, store_.data());
  const kernel::block_loops& loops = loops_of(shape_);
  hash_and_fetch(
      hasher_, ks, a, loops,
      [&, near = fetched(a)](std::span<const key> some, std::size_t i) noexcept {
        loops.query(near, some.data(), some.size(), out.data() + i);
      });
}

void block_storage::may_contain(std::span<const std::string_view> ks,
                                std::span<std::uint64_t> out) const noexcept {
  assert(out.size() >= (ks.size() + 63) / 64);
  static_assert(strings_at_once == 64, "a group of keys is a word of answers");
  const kernel::block_array a = array_of(shape_, store_.data());
  const kernel::block_loops& loops = loops_of(shape_);
  hash_and_fetch(
      hasher_, ks, a, loops,
      [&, near = fetched(a)](std::span<const key> some, std::size_t i) noexcept {
        loops.query_bits(near, some.data(), some.size(), out.data() + i / 64);
      });
}

void block_storage::clear() noexcept { std::memset(store_.data(), 0, store_.size()); }

}  // namespace bloomery::inline v1
