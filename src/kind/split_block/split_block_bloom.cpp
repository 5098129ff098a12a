#include <bloomery/split_block_bloom.hpp>

#include <cstring>

#include <bloomery/detail/kind/block/sizing.hpp>
#include <bloomery/filter.hpp>

namespace bloomery::inline v1 {

static_assert(filter<split_block_bloom>);
static_assert(insertable<split_block_bloom>);
static_assert(insertable_by_threads<split_block_bloom> && foldable<split_block_bloom>);
static_assert(buildable<split_block_bloom>);
static_assert(mergeable<split_block_bloom>);

result<split_block_bloom> split_block_bloom::make(params p) noexcept {
  const auto shape = size_blocks_by_rate(p.keys, p.fpr, block_profile::split);
  if (!shape) return shape.error();
  return make(shape->blocks, p.keys, p.source);
}

result<split_block_bloom> split_block_bloom::make(std::uint64_t blocks,
                                                  std::uint64_t keys,
                                                  key_source source) noexcept {
  auto made = block_storage::make({blocks, block_profile::split}, keys,
                                  bloomery::hasher::xxh64().of(source));
  if (!made) return made.error();
  return split_block_bloom(*std::move(made));
}

result<split_block_bloom> split_block_bloom::build(std::span<const key> ks, params p,
                                                   unsigned threads) noexcept {
  if (p.keys == 0) p.keys = std::max<std::uint64_t>(1, ks.size());
  auto made = make(p);
  if (made) made->insert(ks, threads);
  return made;
}

result<split_block_bloom> split_block_bloom::from_bitset(
    std::span<const std::byte> bitset, key_source source) noexcept {
  constexpr std::size_t block = 32;
  if (bitset.empty() || bitset.size() % block != 0)
    return error{errc::corrupt, "a bitset is one or more whole blocks of 32 bytes",
                 bitset.size() / block * block, static_cast<double>(bitset.size()),
                 static_cast<double>(bitset.size() / block * block)};
  auto made = make(bitset.size() / block, 0, source);
  if (made) std::memcpy(made->data(), bitset.data(), bitset.size());
  return made;
}

split_block_bloom split_block_bloom::with_store(pages store) const noexcept {
  return split_block_bloom(with_bytes(std::move(store)));
}

}  // namespace bloomery::inline v1
