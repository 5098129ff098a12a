// The row of split_block_bloom, Parquet's filter.
#pragma once

#include <array>
#include <cstring>

#include <bloomery/split_block_bloom.hpp>

#include "format/kind/blocks.hpp"

namespace bloomery::format {

template <>
struct kind_row<split_block_bloom> : blocks_row<split_block_bloom> {
  static result<void> check(const container_facts& f) noexcept {
    if (auto ok = check_profile(f, f.profile == block_profile::split); !ok) return ok;
    return check_blocks(f);
  }
  static result<void> check_member(const container_facts& f) noexcept {
    return check_profile(f, f.profile == block_profile::split);
  }

  // The bitset alone, as it lies in a Parquet file.
  static constexpr bare_form bitset{
      .name = "bitset",
      .dialect = "parquet",
      .size = [](const void* f) noexcept -> std::uint64_t {
        return static_cast<const split_block_bloom*>(f)->size_in_bytes();
      },
      .encode = [](const void* f) noexcept -> result<pages> {
        const auto bytes = static_cast<const split_block_bloom*>(f)->bytes();
        auto made = pages::make(bytes.size());
        if (made) std::memcpy(made->data(), bytes.data(), bytes.size());
        return made;
      },
      .decode =
          [](std::span<const std::byte> bytes, key_source source) noexcept {
            return as_any(split_block_bloom::from_bitset(bytes, source));
          }};
  static constexpr const bare_form* bare = &bitset;
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
