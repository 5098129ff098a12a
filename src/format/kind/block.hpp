// The rows of the block filters: ours, and Parquet's.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>

#include <bloomery/block_bloom.hpp>
#include <bloomery/block_sizing.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/model.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "filter/block_view.hpp"
#include "format/filter_access.hpp"
#include "format/kind/row.hpp"
#include "format/lookup_bytes.hpp"
#include "model/saturated.hpp"

namespace bloomery::format {

// Profile and k: of one filter, and of the members of a packed set.
inline result<void> check_profile(const container_facts& f, bool known) noexcept {
  if (!known) return wrong_field("an unknown block profile", 11);
  if (f.hashes != block_shape{f.units, f.profile}.hashes())
    return wrong_field("the number of hashes is not the profile's", 20);
  return {};
}

// Lookups in blocks that are checked as they are read.
struct checked_blocks {
  static bool ask(const chunk_guard& guard, const block_storage& f, key k) noexcept {
    const block_shape shape = f.shape();
    with_layout(shape.profile, [&](auto layout) noexcept {
      for_each_block(layout, shape.blocks, k,
                     [&](std::uint64_t at) noexcept { guard.need(at); });
    });
    const auto call =
        block_probe::resolved[static_cast<std::size_t>(shape.profile)].may_contain.load(
            std::memory_order_relaxed);
    return call(f.bytes().data(), shape.blocks, k.bits());
  }

  // Lines are fetched while it is looked up whether they may be believed, some keys ahead
  // of those that are tested: they are there when the filter's own loop, which need not
  // fetch any more, comes to them.  A few at a time, so that fetching never pauses for
  // long.
  static constexpr std::size_t group = 8, ahead = 32;

  template <class Layout>
  static void fetch(Layout layout, const chunk_guard& guard, const block_storage& f,
                    std::span<const key> ks) noexcept {
    const std::byte* data = f.bytes().data();
    const std::uint64_t blocks = f.shape().blocks;
    bool known = true;
    for (const key k : ks)
      for_each_block(layout, blocks, k, [&](std::uint64_t at) noexcept {
        __builtin_prefetch(data + at);
        known &= guard.is_checked(at);
      });
    if (known) [[likely]]
      return;
    for (const key k : ks)
      for_each_block(layout, blocks, k,
                     [&](std::uint64_t at) noexcept { guard.need(at); });
  }

  static void ask(const chunk_guard& guard, const block_storage& f,
                  std::span<const key> ks, std::span<bool> out) noexcept {
    const block_shape shape = f.shape();
    const kernel::block_array in_cache{const_cast<std::byte*>(f.bytes().data()),
                                       shape.blocks, true};
    const auto group_at = [&](std::size_t i) noexcept {
      return i < ks.size() ? ks.subspan(i, std::min(group, ks.size() - i))
                           : std::span<const key>();
    };
    with_layout(shape.profile, [&](auto layout) noexcept {
      fetch(layout, guard, f, ks.first(std::min(ahead, ks.size())));
      for (std::size_t i = 0; i < ks.size(); i += group) {
        fetch(layout, guard, f, group_at(i + ahead));
        const auto some = group_at(i);
        loops_of(shape).query(in_cache, some.data(), some.size(), &out[i]);
      }
    });
  }
};

template <std::derived_from<block_storage> F>
struct blocks_row : checked_blocks {
  static result<void> check_blocks(const container_facts& f) noexcept {
    const block_shape shape{f.units, f.profile};
    if (f.units == 0 || f.units > shape.max_blocks())
      return wrong_field("an impossible number of blocks", 24);
    if (f.payload_bytes != shape.size_in_bytes())
      return wrong_field("the length of the payload is not that of its blocks", 80);
    return {};
  }
  static container_facts describe(const F& f) noexcept {
    container_facts c;
    c.profile = f.shape().profile;
    c.hashes = f.shape().hashes();
    c.units = f.shape().blocks;
    return c;
  }
  static F adopt(const container_facts& f, const hasher& h, pages store,
                 damage_set) noexcept {
    return filter_access::make<F>(
        filter_access::blocks({f.units, f.profile}, f.capacity, h, std::move(store)));
  }

  static filter_size size_of(block_shape s) noexcept {
    return {.units = s.blocks,
            .hashes = s.hashes(),
            .profile = s.profile,
            .bits = s.bits(),
            .bytes = s.size_in_bytes()};
  }
  static constexpr double max_bytes_of(block_profile profile) noexcept {
    const block_shape one{1, profile};
    return static_cast<double>(one.max_blocks() * one.block_bytes());
  }
  // A few keys still take a whole block.
  static result<block_shape> by_bits_per_key(std::uint64_t keys, double bits,
                                             block_profile profile) noexcept {
    if (!(bits > 0)) return not_positive();
    const double bytes = std::ceil(static_cast<double>(keys) * bits / 8);
    if (!(bytes <= 0x1p62))  // no keys of infinite size are NaN
      return error{errc::too_large, "more bytes than a filter can have", 0, bytes};
    const std::uint64_t one_block = block_shape{1, profile}.block_bytes();
    return size_blocks_by_memory(
        keys, std::max(one_block, model::saturated<std::uint64_t>(bytes)), profile);
  }
  // Errors that make would give, for sizes that are never made.
  static result<filter_size> exactly(block_shape s) noexcept {
    if (s.profile == block_profile::by_rate)
      return error{errc::invalid_argument, "an exact layout names its profile"};
    if (s.blocks == 0)
      return error{errc::invalid_argument, "a filter needs at least one block"};
    if (s.blocks > s.max_blocks())
      return error{errc::too_large, "more blocks than a filter can have", 0,
                   static_cast<double>(s.blocks), static_cast<double>(s.max_blocks())};
    return size_of(s);
  }
  static result<filter_size> size(std::uint64_t keys, const size_request& r,
                                  block_profile profile) noexcept {
    if (r.exact) return exactly({r.exact->units, profile});
    auto shape = r.memory         ? size_blocks_by_memory(keys, *r.memory, profile)
                 : r.bits_per_key ? by_bits_per_key(keys, *r.bits_per_key, profile)
                                  : size_blocks_by_rate(keys, r.rate(), profile);
    if (!shape) return shape.error();
    if (r.foldable) shape->blocks = foldable_blocks(shape->blocks);
    return size_of(*shape);
  }
  static double expected_fpr(const filter_size& s, std::uint64_t keys) noexcept {
    return model::block_fpr({s.units, s.profile}, static_cast<double>(keys));
  }
};

template <>
struct kind_row<block_bloom> : blocks_row<block_bloom> {
  static result<void> check(const container_facts& f) noexcept {
    if (auto ok = check_profile(f, is_block_profile(f.profile)); !ok) return ok;
    return check_blocks(f);
  }
  static constexpr double min_bytes =
      block_shape{1, block_profile::half_line}.block_bytes();  // without lanes16
  static constexpr double max_bytes = max_bytes_of(block_profile::line);
  static result<filter_size> size(std::uint64_t keys, const size_request& r) noexcept {
    return blocks_row::size(keys, r, r.profile);
  }
  static result<block_bloom> make(const filter_size& s, std::uint64_t keys,
                                  const size_request&, const hasher& h) noexcept {
    return block_bloom::make({s.units, s.profile}, keys, h);
  }
};

template <>
struct kind_row<split_block_bloom> : blocks_row<split_block_bloom> {
  static result<void> check(const container_facts& f) noexcept {
    if (auto ok = check_profile(f, f.profile == block_profile::split); !ok) return ok;
    return check_blocks(f);
  }
  static constexpr double min_bytes = block_shape{1, block_profile::split}.block_bytes();
  static constexpr double max_bytes = max_bytes_of(block_profile::split);
  static result<filter_size> size(std::uint64_t keys, const size_request& r) noexcept {
    return blocks_row::size(keys, r, block_profile::split);
  }
  static result<split_block_bloom> make(const filter_size& s, std::uint64_t keys,
                                        const size_request&, const hasher& h) noexcept {
    return split_block_bloom::make(s.units, keys, h.source());
  }
};

}  // namespace bloomery::format
