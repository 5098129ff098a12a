// The block filters: ours, and Parquet's.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include <bloomery/block_sizing.hpp>

#include "sizes/kinds.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// A few keys still take a whole block.
result<block_shape> by_bits_per_key(std::uint64_t keys, double bits,
                                    block_profile profile) {
  const double bytes = std::ceil(static_cast<double>(keys) * bits / 8);
  if (bytes > 0x1p62)
    return error{errc::too_large, "more bytes than a filter can have", 0, bytes};
  const auto one_block = block_shape{1, profile}.block_bytes();
  return size_blocks_by_memory(
      keys, std::max<std::uint64_t>(one_block, static_cast<std::uint64_t>(bytes)),
      profile);
}

result<block_shape> shape_of(std::uint64_t keys, const size_request& size,
                             block_profile profile) {
  if (size.memory) return size_blocks_by_memory(keys, *size.memory, profile);
  if (size.bits_per_key) return by_bits_per_key(keys, *size.bits_per_key, profile);
  return size_blocks_by_rate(keys, size.fpr.value_or(default_fpr), profile);
}

result<double> bytes_of(const result<block_shape>& shape) {
  if (shape) return static_cast<double>(shape->size_in_bytes());
  if (shape.error().code == errc::too_large) return shape.error().asked;
  return shape.error();
}

block_shape must(const kind& what, const result<block_shape>& shape) {
  if (!shape) throw failure(describe(what.name, shape.error()));
  return *shape;
}

template <class F>
any_filter must(const kind& what, result<F> made) {
  if (!made) throw failure(describe(what.name, made.error()));
  return any_filter(*std::move(made));
}

hasher default_hash() { return hasher::xxh3(); }
hasher parquet_hash() { return hasher::xxh64(); }

result<double> need_blocks(std::uint64_t keys, const size_request& size) {
  return bytes_of(shape_of(keys, size, size.profile));
}
any_filter make_blocks(std::uint64_t keys, const size_request& size, const hasher& hash) {
  const block_shape shape = must(block_kind, shape_of(keys, size, size.profile));
  return must(block_kind, block_bloom::make(shape, keys, hash));
}

result<double> need_split(std::uint64_t keys, const size_request& size) {
  return bytes_of(shape_of(keys, size, block_profile::split));
}
any_filter make_split(std::uint64_t keys, const size_request& size, const hasher&) {
  const block_shape shape =
      must(split_block_kind, shape_of(keys, size, block_profile::split));
  return must(split_block_kind, split_block_bloom::make(shape.blocks, keys));
}

constexpr double max_bytes(block_profile profile) {
  const block_shape s{1, profile};
  return static_cast<double>(s.max_blocks() * s.block_bytes());
}

}  // namespace

constinit const kind block_kind{
    .name = "block",
    .summary = "one cache line a key: the fastest",
    .hasher = default_hash,
    .takes_hash = true,
    .takes_profile = true,
    .min_bytes = block_shape{1, block_profile::half_line}.block_bytes(),
    .max_bytes = max_bytes(block_profile::line),
    .need = need_blocks,
    .make = make_blocks,
};

constinit const kind split_block_kind{
    .name = "split-block",
    .summary = "the filter of Apache Parquet",
    .hasher = parquet_hash,
    .takes_hash = false,
    .takes_profile = false,
    .min_bytes = block_shape{1, block_profile::split}.block_bytes(),
    .max_bytes = max_bytes(block_profile::split),
    .need = need_split,
    .make = make_split,
};

}  // namespace bloomery::cli
