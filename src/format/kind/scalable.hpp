// The row of the scalable filter.
#pragma once

#include <bit>
#include <cmath>

#include <bloomery/model.hpp>
#include <bloomery/scalable_bloom.hpp>
#include <bloomery/scalable_sizing.hpp>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/filter_access.hpp"
#include "format/kind/block.hpp"
#include "format/kind/row.hpp"
#include "model/saturated.hpp"

namespace bloomery::format {

template <>
struct kind_row<scalable_bloom> {
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

  static filter_size size_of(const scalable_shape& s) noexcept {
    return {.units = s.lines,
            .hashes = s.level(0).hashes(),
            .profile = s.profile(0),
            .bits = 8 * s.size_in_bytes(1),
            .bytes = s.size_in_bytes(1),
            .chain = s};
  }
  static result<filter_size> size(std::uint64_t keys, const size_request& r) noexcept {
    if (r.foldable)
      return error{errc::unsupported,
                   "only a block filter sized by rate can be made foldable"};
    const auto s = shape(keys, r);
    if (!s) return s.error();
    return size_of(*s);
  }
  static double expected_fpr(const filter_size& s, std::uint64_t keys) noexcept {
    return model::scalable_fpr(s.chain, static_cast<double>(keys));
  }
  static result<scalable_bloom> make(const filter_size& s, std::uint64_t keys,
                                     const size_request&, const hasher& h) noexcept {
    return scalable_bloom::make(s.chain, keys, h);
  }

 private:
  static void need(const chunk_guard& guard, const scalable_bloom& f, key k) noexcept {
    const scalable_shape& s = f.shape();
    k = key::from_bits(block_probe::second(k.bits()));
    std::uint64_t lines = s.lines, offset = 0;
    for (unsigned i = 0; i < f.levels(); ++i, lines *= s.growth) {
      const block_profile profile = s.profile(i);
      const std::uint64_t blocks =
          profile == block_profile::half_line ? 2 * lines : lines;
      with_layout(profile, [&](auto layout) noexcept {
        for_each_block(layout, blocks, k,
                       [&](std::uint64_t at) noexcept { guard.need(offset + at); });
      });
      offset += s.line_bytes * lines;
    }
  }

  static result<scalable_shape> shape(std::uint64_t keys,
                                      const size_request& r) noexcept {
    if (r.exact) return scalable_of_lines(r.exact->units, r.rate(), r.growth, r.profile);
    if (r.memory) return size_scalable_by_memory(keys, *r.memory, r.growth, r.profile);
    if (!r.bits_per_key)
      return size_scalable_by_rate(keys, r.rate(), r.growth, r.profile);
    if (!(*r.bits_per_key > 0)) return not_positive();
    const double lines = std::ceil(static_cast<double>(keys) * *r.bits_per_key /
                                   (8 * scalable_shape::line_bytes));
    if (!(lines <= static_cast<double>(scalable_shape::max_lines)))
      return error{errc::too_large, "more bytes than a filter can have", 0,
                   lines * scalable_shape::line_bytes, max_bytes};
    return size_scalable_by_memory(
        keys, scalable_shape::line_bytes * model::saturated<std::uint64_t>(lines),
        r.growth, r.profile);
  }
};

}  // namespace bloomery::format
