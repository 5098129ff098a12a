// The row of split_block_bloom, Parquet's filter.
#pragma once

#include <array>

#include <bloomery/split_block_bloom.hpp>

#include "format/kind/blocks.hpp"

namespace bloomery::format {

template <>
struct kind_row<split_block_bloom> : blocks_row<split_block_bloom> {
  static result<void> check(const container_facts& f) noexcept {
    if (auto ok = check_profile(f, f.profile == block_profile::split); !ok) return ok;
    return check_blocks(f);
  }
  static constexpr double min_bytes = block_shape{1, block_profile::split}.block_bytes();
  static constexpr double max_bytes = max_bytes_of(block_profile::split);
  static constexpr auto options = no_options;
  using field = fields_of<split_block_bloom>;
  static constexpr std::array fields{
      field::layout("hashes", "", "bits that each key sets",
                    [](const split_block_bloom& f) { return f.hashes(); }),
      field::layout("blocks", "", "blocks of 32 bytes",
                    [](const split_block_bloom& f) { return f.shape().blocks; })};
  static result<block_shape> size(std::uint64_t keys, const size_request& r) noexcept {
    return blocks_row::size(keys, r, block_profile::split);
  }
  static result<split_block_bloom> make(block_shape s, std::uint64_t keys,
                                        const size_request&, const hasher& h) noexcept {
    return split_block_bloom::make(s.blocks, keys, h.source());
  }
};

}  // namespace bloomery::format
