// What the rows of block filters share.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>

#include <bloomery/detail/filter/block_storage.hpp>
#include <bloomery/detail/kind/block/sizing.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/model.hpp>

#include "filter/block_view.hpp"
#include "format/filter_access.hpp"
#include "format/kind/fields.hpp"
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
        block_probe::resolved[static_cast<std::size_t>(shape.profile)].may_contain.load();
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
struct blocks_row : row_defaults, checked_blocks {
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

  using layout = block_shape;
  static filter_size measure(block_shape s) noexcept {
    return {.units = s.blocks, .bits = s.bits(), .bytes = s.size_in_bytes()};
  }
  static header_layout header_of(block_shape s) noexcept {
    return {s.hashes(), s.profile};
  }
  static constexpr bool sized_in_bits = false;
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
  static result<block_shape> exactly(block_shape s) noexcept {
    if (s.profile == block_profile::by_rate)
      return error{errc::invalid_argument, "an exact layout names its profile"};
    if (s.blocks == 0)
      return error{errc::invalid_argument, "a filter needs at least one block"};
    if (s.blocks > s.max_blocks())
      return error{errc::too_large, "more blocks than a filter can have", 0,
                   static_cast<double>(s.blocks), static_cast<double>(s.max_blocks())};
    return s;
  }
  static result<block_shape> size(std::uint64_t keys, const size_request& r,
                                  block_profile profile) noexcept {
    if (r.exact) return exactly({r.exact->units, profile});
    return r.memory         ? size_blocks_by_memory(keys, *r.memory, profile)
           : r.bits_per_key ? by_bits_per_key(keys, *r.bits_per_key, profile)
                            : size_blocks_by_rate(keys, r.rate(), profile);
  }
  static double expected_fpr(block_shape s, std::uint64_t keys) noexcept {
    return model::block_fpr(s, static_cast<double>(keys));
  }
};

// The profiles of kinds whose blocks may have one of several.
inline constexpr option_choice profile_choices[] = {
    {name_of(block_profile::half_line), 1},
    {name_of(block_profile::line), 2},
    {name_of(block_profile::two_lines), 3},
    {name_of(block_profile::lanes16), 5}};
constexpr kind_option profile_option(std::size_t choices) noexcept {
  return {.name = "profile",
          .type = option_type::name,
          .help = "how the bits of a key lie in cache lines",
          .choices = std::span(profile_choices).first(choices),
          .preset_help = choices == 4 ? "by the rate, never lanes16" : "by the rate",
          .refusal = errc::unsupported};
}
inline block_profile profile_of(const size_request& r,
                                const kind_option& profile) noexcept {
  return static_cast<block_profile>(r.options.value(profile));
}

}  // namespace bloomery::format
