// The row of the counting filter.
#pragma once

#include <array>
#include <cmath>

#include <bloomery/counting_bloom.hpp>
#include <bloomery/detail/kind/counting/sizing.hpp>
#include <bloomery/model.hpp>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/filter_access.hpp"
#include "format/kind/fields.hpp"
#include "format/kind/row.hpp"
#include "model/saturated.hpp"

namespace bloomery::format {

template <>
struct kind_row<counting_bloom> : row_defaults {
  // Identity and width of the cells (spec/container.md, section 3).
  struct parameters {
    std::uint64_t identity;
    unsigned cell_bits;
  };
  static constexpr std::uint64_t cell_bits_at = 108;
  static parameters parameters_of(const container_facts& f) noexcept {
    base::byte_reader in(f.parameters);
    const auto identity = in.read<std::uint64_t>();
    return {identity, in.read<std::uint8_t>()};
  }
  static counting_shape shape_of(std::uint64_t cells, std::uint32_t hashes,
                                 block_profile profile, unsigned width) noexcept {
    const bool line = profile == block_profile::lanes16;
    return {cells, line ? cell_layout::line : cell_layout::flat, width, hashes};
  }

  static result<void> check(const container_facts& f) noexcept {
    const bool line = f.profile == block_profile::lanes16;
    if (!line && f.profile != block_profile::by_rate)
      return wrong_field("an unknown layout of cells", 11);
    if (line ? f.hashes != counting_shape::line_hashes
             : f.hashes == 0 || f.hashes > counting_shape::max_hashes)
      return wrong_field("an impossible number of hashes", 20);
    if (f.units == 0 || f.units > counting_shape::max_cells ||
        (line && f.units % counting_shape::block_cells != 0))
      return wrong_field("an impossible number of cells", 24);
    const unsigned width = parameters_of(f).cell_bits;
    if (!is_cell_width(width))
      return wrong_field("an unknown width of cells", cell_bits_at);
    if (f.payload_bytes != shape_of(f.units, f.hashes, f.profile, width).size_in_bytes())
      return wrong_field("the length of the payload is not that of its cells", 80);
    return {};
  }
  static container_facts describe(const counting_bloom& f) noexcept {
    container_facts c;
    c.profile = f.shape().profile();
    c.hashes = f.hashes();
    c.units = f.cells();
    base::byte_writer out(c.parameters);
    out.write(f.identity());
    out.write(static_cast<std::uint8_t>(f.cell_bits()));
    return c;
  }
  static counting_bloom adopt(const container_facts& f, const hasher& h, pages store,
                              damage_set damage) noexcept {
    const parameters p = parameters_of(f);
    return filter_access::make<counting_bloom>(
        shape_of(f.units, f.hashes, f.profile, p.cell_bits), f.capacity, h, p.identity,
        std::move(store), std::move(damage));
  }

  // A 0 in an intact chunk is proof, whatever chunks the other cells lie in.
  static bool ask(const chunk_guard& guard, const counting_bloom& f, key k) noexcept {
    const counting_shape s = f.shape();
    return cell_probe::with_width(s.cell_bits, [&]<class Words>(Words) noexcept {
      for (const std::uint64_t c : cell_probe::cells_of(k, s))
        if (guard.need(c * Words::width / 8) && Words::get(f.bytes().data(), c) == 0)
          return false;
      return true;
    });
  }
  static void ask(const chunk_guard& guard, const counting_bloom& f,
                  std::span<const key> ks, std::span<bool> out) noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = ask(guard, f, ks[i]);
  }

  static constexpr double min_bytes = 1;
  static constexpr double max_bytes = static_cast<double>(counting_shape::max_cells) * 4;
  using layout = counting_shape;
  static filter_size measure(const counting_shape& s) noexcept {
    return {.units = s.cells, .bits = s.cells * s.cell_bits, .bytes = s.size_in_bytes()};
  }
  static header_layout header_of(const counting_shape& s) noexcept {
    return {s.hashes, s.profile()};
  }
  static result<std::uint64_t> units_in(std::uint64_t bits, std::uint32_t,
                                        const option_settings& o) noexcept {
    return whole_units(bits, o.value(cell_bits));
  }

  static constexpr option_choice widths[] = {{"4", 4}, {"8", 8}, {"32", 32}};
  static constexpr kind_option cell_bits{.name = "cell_bits",
                                         .type = option_type::count,
                                         .help = "bits of a counter",
                                         .choices = widths,
                                         .preset = 4,
                                         .tool_name = "cells"};
  static constexpr option_choice layouts[] = {
      {name_of(cell_layout::line), static_cast<std::uint64_t>(cell_layout::line)},
      {name_of(cell_layout::flat), static_cast<std::uint64_t>(cell_layout::flat)}};
  static constexpr kind_option cell_place{
      .name = "layout",
      .type = option_type::name,
      .help =
          "where counters lie: line (one cache line per key), flat (smaller at low "
          "rates)",
      .choices = layouts,
      .preset_help = "by the rate"};
  static constexpr std::array options{cell_bits, cell_place, identity_option};
  using field = fields_of<counting_bloom>;
  static constexpr std::array fields{
      field::layout("hashes", "", "counters of each key",
                    [](const counting_bloom& f) { return f.hashes(); }),
      field::layout("cells", "", "counters",
                    [](const counting_bloom& f) { return f.cells(); }),
      field::layout("cell_bits", "bits", "bits of a counter",
                    [](const counting_bloom& f) { return f.cell_bits(); }),
      field::layout("layout", "", "where the counters of a key lie",
                    [](const counting_bloom& f) { return name_of(f.shape().layout); }),
      field::layout("identity", "number", "number that its receipts are for",
                    [](const counting_bloom& f) { return f.identity(); }),
      field::counted("stuck_cells", "", "counters that have reached their limit and stay",
                     [](const counting_bloom& f) { return f.stuck_cells(); })};
  static unsigned width_of(const size_request& r) noexcept {
    return static_cast<unsigned>(r.options.value(cell_bits));
  }
  static cell_layout place_of(const size_request& r) noexcept {
    return static_cast<cell_layout>(r.options.value(cell_place));
  }
  static result<counting_shape> by_bits_per_key(std::uint64_t keys,
                                                const size_request& r) noexcept {
    if (!(*r.bits_per_key > 0)) return not_positive();
    const double bytes = std::ceil(static_cast<double>(keys) * *r.bits_per_key / 8);
    if (!(bytes <= 0x1p62))  // no keys of infinite size are NaN
      return error{errc::too_large, "more bytes than a filter can have", 0, bytes};
    return size_counting_by_memory(keys, model::saturated<std::uint64_t>(bytes),
                                   width_of(r), place_of(r));
  }
  static result<counting_shape> size(std::uint64_t keys, const size_request& r) noexcept {
    if (r.exact) {
      const bool line = place_of(r) == cell_layout::line;
      const counting_shape s{
          r.exact->units, line ? cell_layout::line : cell_layout::flat, width_of(r),
          line && r.exact->hashes == 0 ? counting_shape::line_hashes : r.exact->hashes};
      if (auto ok = check_counting_shape(s); !ok) return ok.error();
      return s;
    }
    return r.memory ? size_counting_by_memory(keys, *r.memory, width_of(r), place_of(r))
           : r.bits_per_key
               ? by_bits_per_key(keys, r)
               : size_counting_by_rate(keys, r.rate(), width_of(r), place_of(r));
  }
  static double expected_fpr(const counting_shape& s, std::uint64_t keys) noexcept {
    return model::counting_fpr(s, static_cast<double>(keys));
  }
  static result<counting_bloom> make(const counting_shape& s, std::uint64_t keys,
                                     const size_request& r, const hasher& h) noexcept {
    return counting_bloom::make(s, keys, h, r.options.value(identity_option));
  }
};

}  // namespace bloomery::format
