#include <bloomery/block_bloom.hpp>

#include <bloomery/detail/kind/block/sizing.hpp>
#include <bloomery/filter.hpp>

namespace bloomery::inline v1 {

static_assert(filter<block_bloom>);
static_assert(insertable<block_bloom>);
static_assert(insertable_by_threads<block_bloom> && foldable<block_bloom>);
static_assert(buildable<block_bloom>);
static_assert(mergeable<block_bloom>);

result<block_bloom> block_bloom::make(params p) noexcept {
  if (p.profile == block_profile::split)
    return error{errc::invalid_argument, "the split profile is split_block_bloom's"};
  auto shape = size_blocks_by_rate(p.keys, p.fpr, p.profile);
  if (!shape) return shape.error();
  if (p.foldable) shape->blocks = foldable_blocks(shape->blocks);
  return make(*shape, p.keys, p.hasher);
}

result<block_bloom> block_bloom::make(block_shape shape, std::uint64_t keys,
                                      bloomery::hasher h) noexcept {
  if (!is_block_profile(shape.profile))
    return error{errc::invalid_argument, "no profile of a block filter"};
  auto made = block_storage::make(shape, keys, h);
  if (!made) return made.error();
  return block_bloom(*std::move(made));
}

result<block_bloom> block_bloom::build(std::span<const key> ks, params p,
                                       unsigned threads) noexcept {
  if (p.keys == 0) p.keys = std::max<std::uint64_t>(1, ks.size());
  auto made = make(p);
  if (made) made->insert(ks, threads);
  return made;
}

block_bloom block_bloom::with_store(pages store) const noexcept {
  return block_bloom(with_bytes(std::move(store)));
}

}  // namespace bloomery::inline v1
