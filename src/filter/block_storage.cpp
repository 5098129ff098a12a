// Block filters: making them, and batches of keys.
#include <bloomery/detail/filter/block_storage.hpp>

#include <algorithm>
#include <cstring>

#include <bloomery/detail/hash/mix.hpp>

#include "filter/absent_groups.hpp"
#include "filter/block_view.hpp"

namespace bloomery::inline v1 {
result<block_storage> block_storage::make(block_shape shape, std::uint64_t keys,
                                          bloomery::hasher h) noexcept {
  if (shape.blocks == 0)
    return error{errc::invalid_argument, "a filter needs at least one block", 0, 0, 1};
  if (shape.blocks > shape.max_blocks())
    return error{errc::too_large, "more blocks than a filter can have", 0,
                 static_cast<double>(shape.blocks),
                 static_cast<double>(shape.max_blocks())};
  auto store = pages::make(shape.size_in_bytes());
  if (!store) return store.error();
  return block_storage(shape, keys, h, *std::move(store));
}

void block_storage::add_each(std::span<const key> ks) noexcept {
  loops_of(shape_).insert(array_of(shape_, store_.data()), ks.data(), ks.size());
}

bool block_storage::finds_integers() const noexcept {
  return hasher_.id() == hash_id::xxh3 && hasher_.source() == key_source::integers &&
         shape_.size_in_bytes() > 4 * base::caches().l2;
}

void block_storage::find_integers(std::span<const std::uint64_t> xs,
                                  std::span<bool> out) const noexcept {
  loops_of(shape_).query_integers(array_of(shape_, store_.data()), xs.data(), xs.size(),
                                  hash::splitmix64(hasher_.seed()), out.data());
}

block_probe::line_fetch block_storage::lines() const noexcept {
  if (array_of(shape_, store_.data()).in_cache) return {};
  return {shape_, store_.data()};
}

void block_storage::find_fetched(std::span<const key> ks,
                                 std::span<bool> out) const noexcept {
  kernel::block_array a = array_of(shape_, store_.data());
  a.in_cache = true;
  loops_of(shape_).query(a, ks.data(), ks.size(), out.data());
}

void block_storage::add_fetched(std::span<const key> ks) noexcept {
  kernel::block_array a = array_of(shape_, store_.data());
  a.in_cache = true;
  loops_of(shape_).insert(a, ks.data(), ks.size());
}

void block_storage::add_each_absent(std::span<const key> ks,
                                    std::span<bool> absent) noexcept {
  const kernel::block_loops& loops = loops_of(shape_);
  const kernel::block_array a = array_of(shape_, store_.data());
  insert_by_groups(
      ks, absent,
      [&](std::span<const key> some, std::span<bool> found) noexcept {
        loops.query(a, some.data(), some.size(), found.data());
      },
      [&](key k) noexcept {
        if (loops.may_contain(a.data, a.blocks, k.bits())) return false;
        loops.insert_one(a.data, a.blocks, k.bits());
        return true;
      });
}

void block_storage::find_each(std::span<const key> ks,
                              std::span<bool> out) const noexcept {
  loops_of(shape_).query(array_of(shape_, store_.data()), ks.data(), ks.size(),
                         out.data());
}

void block_storage::find_bits(std::span<const key> ks,
                              std::span<std::uint64_t> out) const noexcept {
  loops_of(shape_).query_bits(array_of(shape_, store_.data()), ks.data(), ks.size(),
                              out.data());
  std::ranges::fill(out.subspan((ks.size() + 63) / 64), 0);
}

void block_storage::clear() noexcept { std::memset(store_.data(), 0, store_.size()); }

}  // namespace bloomery::inline v1
