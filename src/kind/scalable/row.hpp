// The row of the scalable filter.
#pragma once

#include <array>
#include <bit>
#include <cmath>

#include <bloomery/detail/kind/scalable/sizing.hpp>
#include <bloomery/model.hpp>
#include <bloomery/scalable_bloom.hpp>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/filter_access.hpp"
#include "format/kind/blocks.hpp"
#include "format/kind/fields.hpp"
#include "format/kind/row.hpp"
#include "model/saturated.hpp"

namespace bloomery::format {

template <>
struct kind_row<scalable_bloom> : row_defaults {
  // Where the parameters are (spec/container.md, section 3).
  static constexpr std::uint64_t rate_at = 100, growth_at = 108, policy_at = 109,
                                 max_levels_at = 110, line_from_at = 111,
                                 two_lines_from_at = 112;

  static scalable_shape shape_of(const container_facts& f) noexcept {
    base::byte_reader in(f.parameters);
    scalable_shape s;
    s.lines = f.units;
    s.fpr = std::bit_cast<double>(in.read<std::uint64_t>());
    s.growth = in.read<std::uint8_t>();
    s.policy = static_cast<growth_policy>(in.read<std::uint8_t>());
    s.max_levels = in.read<std::uint8_t>();
    s.line_from = in.read<std::uint8_t>();
    s.two_lines_from = in.read<std::uint8_t>();
    return s;
  }

  static result<void> check(const container_facts& f) noexcept {
    if (auto ok = check_no_profile(f); !ok) return ok;
    const scalable_shape s = shape_of(f);
    if (f.hashes == 0 || f.hashes > s.level_limit)
      return wrong_field("an impossible number of levels", 20);
    if (!(s.fpr > 0 && s.fpr < 1)) return wrong_field("an impossible rate", rate_at);
    if (!s.is_growth(s.growth)) return wrong_field("an impossible growth", growth_at);
    if (s.policy > growth_policy::dynamic)
      return wrong_field("an unknown policy of growth", policy_at);
    if (s.policy == growth_policy::equal
            ? s.max_levels < f.hashes || s.max_levels > s.level_limit
            : s.max_levels != 0)
      return wrong_field("an impossible limit of levels", max_levels_at);
    if (s.line_from > s.level_limit)
      return wrong_field("profiles of impossible levels", line_from_at);
    if (s.two_lines_from < s.line_from || s.two_lines_from > s.level_limit)
      return wrong_field("profiles of impossible levels", two_lines_from_at);
    if (s.lines == 0 || s.lines_of(f.hashes) > s.max_lines)
      return wrong_field("an impossible number of lines", 24);
    if (f.payload_bytes != s.size_in_bytes(f.hashes))
      return wrong_field("the length of the payload is not that of its levels", 80);
    return {};
  }
  static container_facts describe(const scalable_bloom& f) noexcept {
    const scalable_shape& s = f.shape();
    container_facts c;
    c.hashes = f.levels();
    c.units = s.lines;
    base::byte_writer out(c.parameters);
    out.write(std::bit_cast<std::uint64_t>(s.fpr));
    for (const std::uint8_t b : {s.growth, static_cast<std::uint8_t>(s.policy),
                                 s.max_levels, s.line_from, s.two_lines_from})
      out.write(b);
    return c;
  }
  static scalable_bloom adopt(const container_facts& f, const hasher& h, pages store,
                              damage_set) noexcept {
    return filter_access::make<scalable_bloom>(shape_of(f), unsigned{f.hashes},
                                               f.capacity, h, std::move(store));
  }

  // The blocks of a key in every level are checked before one is read.
  static bool ask(const chunk_guard& guard, const scalable_bloom& f, key k) noexcept {
    need(guard, f, k);
    return f.may_contain(k);
  }
  static void ask(const chunk_guard& guard, const scalable_bloom& f,
                  std::span<const key> ks, std::span<bool> out) noexcept {
    constexpr std::size_t group = 512;
    for (std::size_t i = 0; i < ks.size(); i += group) {
      const auto some = ks.subspan(i, std::min(group, ks.size() - i));
      if (!guard.all_checked())
        for (const key k : some) need(guard, f, k);
      f.may_contain(some, out.subspan(i, some.size()));
    }
  }

  static constexpr double min_bytes = scalable_shape::line_bytes;
  static constexpr double max_bytes =
      static_cast<double>(scalable_shape::max_lines) * scalable_shape::line_bytes;

  using layout = scalable_shape;
  // The size of the first level.
  static filter_size measure(const scalable_shape& s) noexcept {
    return {
        .units = s.lines, .bits = 8 * s.size_in_bytes(1), .bytes = s.size_in_bytes(1)};
  }
  // Levels, of which it begins with one.
  static header_layout header_of(const scalable_shape&) noexcept { return {.hashes = 1}; }
  static constexpr bool sized_in_bits = false;

  static constexpr kind_option profile = profile_option(3);
  static constexpr kind_option max_growth{
      .name = "max_growth",
      .type = option_type::real,
      .help = "keep the rate up to so many times the keys it begins with",
      .min = 1,
      .preset_help = "without limit, with more bits per key",
      .tool_name = "growth",
      .unit = "x"};
  static constexpr option_choice factors[] = {{"2", 2}, {"4", 4}, {"8", 8}, {"16", 16}};
  static constexpr kind_option growth{
      .name = "growth",
      .type = option_type::count,
      .help = "each level is so many times as large as the one before",
      .choices = factors,
      .preset = 2,
      .tool_name = "growth-factor"};
  static constexpr kind_option dynamic{
      .name = "dynamic",
      .type = option_type::flag,
      .help =
          "each level has the whole rate: smaller, and the rate grows with every "
          "level"};
  static constexpr std::array options{profile, max_growth, growth, dynamic};
  static growth_plan plan_of(const size_request& r) noexcept {
    return {.max_growth = r.options.real(max_growth),
            .growth = static_cast<unsigned>(r.options.value(growth)),
            .dynamic = r.options.flag(dynamic)};
  }

  struct levels {
    std::array<scalable_bloom::level_state, scalable_shape::level_limit> all{};
  };
  static levels census(const scalable_bloom& f) noexcept {
    levels s;
    for (unsigned i = 0; i < f.levels(); ++i) s.all[i] = f.level(i);
    return s;
  }
  using field = fields_of<scalable_bloom, levels>;
  static constexpr field::type columns[] = {
      field::one("profile", "", "how the bits of a key lie in cache lines",
                 field_group::layout,
                 [](const scalable_bloom&, const levels& s, std::size_t row) {
                   return name_of(s.all[row].shape.profile);
                 }),
      field::one("bytes", "bytes", "its size", field_group::layout,
                 [](const scalable_bloom&, const levels& s, std::size_t row) {
                   return s.all[row].shape.size_in_bytes();
                 }),
      field::one("room", "keys", "keys it holds at its share of the rate",
                 field_group::layout,
                 [](const scalable_bloom&, const levels& s, std::size_t row) {
                   return s.all[row].room;
                 }),
      field::one("keys_estimate", "keys", "keys in it, from its bits",
                 field_group::counts,
                 [](const scalable_bloom&, const levels& s, std::size_t row) {
                   return s.all[row].estimated_keys;
                 }),
      field::one("fill", "share", "share of its bits that are set", field_group::counts,
                 [](const scalable_bloom&, const levels& s, std::size_t row) {
                   return s.all[row].fill;
                 }),
      field::one("target_fpr", "rate", "its share of the rate", field_group::layout,
                 [](const scalable_bloom&, const levels& s, std::size_t row) {
                   return s.all[row].target_fpr;
                 }),
      field::one("realised_fpr", "rate", "its own rate, from its bits",
                 field_group::rates,
                 [](const scalable_bloom&, const levels& s, std::size_t row) {
                   return s.all[row].realised_fpr;
                 })};
  static constexpr std::array fields{
      field::layout("policy", "", "how the rate is divided among the levels",
                    [](const scalable_bloom& f) { return name_of(f.shape().policy); }),
      field::layout("growth", "", "a level is so many times the one before",
                    [](const scalable_bloom& f) { return f.shape().growth; }),
      field::layout(
          "max_levels", "", "levels it may have",
          [](const scalable_bloom& f) { return f.shape().effective_max_levels(); }),
      field::layout("lines", "", "cache lines of the first level",
                    [](const scalable_bloom& f) { return f.shape().lines; }),
      field::table("levels", "the block filters it consists of", field_group::rates,
                   columns,
                   [](const scalable_bloom& f) { return std::size_t{f.levels()}; })};

  static double expected_fpr(const scalable_shape& s, std::uint64_t keys) noexcept {
    return model::scalable_fpr(s, static_cast<double>(keys));
  }
  // All levels that the chain may have are full.  One that keeps no rate (dynamic) is
  // sized for the keys it begins with.
  static std::uint64_t design_keys(const scalable_shape& s, std::uint64_t keys) noexcept {
    return s.policy == growth_policy::dynamic ? keys : scalable_max_keys(s);
  }
  static std::uint64_t design_keys(const scalable_bloom& f) noexcept {
    return design_keys(f.shape(), f.capacity());
  }
  static result<scalable_bloom> make(const scalable_shape& s, std::uint64_t keys,
                                     const size_request&, const hasher& h) noexcept {
    return scalable_bloom::make(s, keys, h);
  }
  static result<scalable_shape> size(std::uint64_t keys, const size_request& r) noexcept {
    const growth_plan plan = plan_of(r);
    const block_profile blocks = profile_of(r, profile);
    if (r.exact) return scalable_of_lines(r.exact->units, r.rate(), plan, blocks);
    if (r.memory) return size_scalable_by_memory(keys, *r.memory, plan, blocks);
    if (!r.bits_per_key) return size_scalable_by_rate(keys, r.rate(), plan, blocks);
    if (!(*r.bits_per_key > 0)) return not_positive();
    const double lines = std::ceil(static_cast<double>(keys) * *r.bits_per_key /
                                   (8 * scalable_shape::line_bytes));
    if (!(lines <= static_cast<double>(scalable_shape::max_lines)))
      return error{errc::too_large, "more bytes than a filter can have", 0,
                   lines * scalable_shape::line_bytes, max_bytes};
    return size_scalable_by_memory(
        keys, scalable_shape::line_bytes * model::saturated<std::uint64_t>(lines), plan,
        blocks);
  }

 private:
  static void need(const chunk_guard& guard, const scalable_bloom& f, key k) noexcept {
    const scalable_shape& s = f.shape();
    k = key::from_bits(block_probe::second(k.bits()));
    std::uint64_t lines = s.lines, offset = 0;
    for (unsigned i = 0; i < f.levels(); ++i, lines *= s.growth) {
      const block_profile lanes = s.profile(i);
      const std::uint64_t blocks = lanes == block_profile::half_line ? 2 * lines : lines;
      with_layout(lanes, [&](auto layout) noexcept {
        for_each_block(layout, blocks, k,
                       [&](std::uint64_t at) noexcept { guard.need(offset + at); });
      });
      offset += s.line_bytes * lines;
    }
  }
};

}  // namespace bloomery::format
