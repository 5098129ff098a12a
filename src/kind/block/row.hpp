// The row of block_bloom.
#pragma once

#include <array>

#include <bloomery/block_bloom.hpp>
#include <bloomery/detail/kind/block/sizing.hpp>

#include "format/kind/blocks.hpp"

namespace bloomery::format {

template <>
struct kind_row<block_bloom> : blocks_row<block_bloom> {
  static result<void> check(const container_facts& f) noexcept {
    if (auto ok = check_profile(f, is_block_profile(f.profile)); !ok) return ok;
    return check_blocks(f);
  }
  static result<void> check_member(const container_facts& f) noexcept {
    return check_profile(f, f.profile >= block_profile::half_line &&
                                f.profile <= block_profile::two_lines);
  }
  static constexpr double min_bytes =
      block_shape{1, block_profile::half_line}.block_bytes();  // without lanes16
  static constexpr double max_bytes = max_bytes_of(block_profile::line);
  static constexpr kind_option profile = profile_option(4);
  static constexpr kind_option foldable{
      .name = "foldable",
      .type = option_type::flag,
      .help = "sized by rate: up to 1 % larger, so that fold has many divisors to use"};
  static constexpr std::array options{profile, foldable};
  using field = fields_of<block_bloom>;
  static constexpr std::array fields{
      field::layout("profile", "", "how the bits of a key lie in cache lines",
                    [](const block_bloom& f) { return name_of(f.profile()); }),
      field::layout("hashes", "", "bits that each key sets",
                    [](const block_bloom& f) { return f.hashes(); }),
      field::layout("blocks", "", "blocks of that profile",
                    [](const block_bloom& f) { return f.shape().blocks; })};

  static result<block_shape> size(std::uint64_t keys, const size_request& r) noexcept {
    const bool folds = r.options.flag(foldable);
    if (folds && !r.is_by_rate())
      return error{errc::unsupported,
                   "only a block filter sized by rate can be made foldable"};
    auto shape = blocks_row::size(keys, r, profile_of(r, profile));
    if (shape && folds) shape->blocks = foldable_blocks(shape->blocks);
    return shape;
  }
  static result<block_bloom> make(block_shape s, std::uint64_t keys, const size_request&,
                                  const hasher& h) noexcept {
    return block_bloom::make(s, keys, h);
  }
};

}  // namespace bloomery::format
