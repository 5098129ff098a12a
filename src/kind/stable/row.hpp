// The row of the stable filter.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <bloomery/detail/kind/stable/sizing.hpp>
#include <bloomery/model.hpp>
#include <bloomery/stable_bloom.hpp>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/filter_access.hpp"
#include "format/kind/fields.hpp"
#include "format/kind/row.hpp"
#include "kind/stable/kernel/probe.hpp"
#include "model/saturated.hpp"

namespace bloomery::format {

template <>
struct kind_row<stable_bloom> : row_defaults {
  // As in the header, from byte 100 on (spec/container.md, section 3).
  struct parameters {
    std::uint64_t inserts;
    std::uint32_t seed;
    stable_shape shape;
  };
  static constexpr std::uint64_t steps_at = 116, cell_bits_at = 120, max_at = 121;
  static parameters parameters_of(const container_facts& f) noexcept {
    base::byte_reader in(f.parameters);
    parameters p{};
    p.inserts = in.read<std::uint64_t>();
    p.seed = in.read<std::uint32_t>();
    const auto fraction = in.read<std::uint32_t>();
    const auto whole = in.read<std::uint32_t>();
    const auto cell_bits = in.read<std::uint8_t>();
    p.shape = {f.units, cell_bits, in.read<std::uint8_t>(), f.hashes,
               std::uint64_t{whole} << 32 | fraction};
    return p;
  }

  static result<void> check(const container_facts& f) noexcept {
    if (auto ok = check_no_profile(f); !ok) return ok;
    const stable_shape s = parameters_of(f).shape;
    if (!s.has_hashes()) return wrong_field("an impossible number of hashes", 20);
    if (!s.has_cells()) return wrong_field("an impossible number of cells", 24);
    if (!s.has_width()) return wrong_field("an unknown width of cells", cell_bits_at);
    if (!s.has_max()) return wrong_field("a maximum that no cell can have", max_at);
    if (!s.has_decrement())
      return wrong_field("an insert decreases more cells than there are", steps_at);
    if (f.payload_bytes != s.size_in_bytes())
      return wrong_field("the length of the payload is not that of its cells", 80);
    return {};
  }
  static container_facts describe(const stable_bloom& f) noexcept {
    const stable_shape s = f.shape();
    container_facts c;
    c.hashes = s.hashes;
    c.units = s.cells;
    base::byte_writer out(c.parameters);
    out.write(f.inserts());
    out.write(f.seed());
    out.write(s.fraction());
    out.write(s.whole_steps());
    out.write(static_cast<std::uint8_t>(s.cell_bits));
    out.write(static_cast<std::uint8_t>(s.max));
    return c;
  }
  static stable_bloom adopt(const container_facts& f, const hasher& h, pages store,
                            damage_set damage) noexcept {
    const parameters p = parameters_of(f);
    return filter_access::make<stable_bloom>(p.shape, f.capacity, h, p.seed, p.inserts,
                                             std::move(store), std::move(damage));
  }

  // A 0 in an intact chunk is proof, whatever chunks the other cells lie in.
  static bool ask(const chunk_guard& guard, const stable_bloom& f, key k) noexcept {
    const stable_shape s = f.shape();
    using kernel::stable_probe::walk_probe;
    return kernel::stable_probe::with_width(
        s.cell_bits, [&]<class Cells>(Cells) noexcept {
          auto walk = walk_probe<Cells>(s.cells).start(k);
          for (std::uint32_t n = s.hashes; n != 0; --n, walk.advance(s.cells))
            if (guard.need(walk.at >> 3) && walk.bit_in(f.bytes().data()) == 0)
              return false;
          return true;
        });
  }
  static void ask(const chunk_guard& guard, const stable_bloom& f,
                  std::span<const key> ks, std::span<bool> out) noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = ask(guard, f, ks[i]);
  }

  static constexpr double min_bytes = 1;
  static constexpr double max_bytes = static_cast<double>(stable_shape::max_cells) / 2;
  using layout = stable_shape;
  static filter_size measure(const stable_shape& s) noexcept {
    return {.units = s.cells, .bits = s.bits(), .bytes = s.size_in_bytes()};
  }
  static header_layout header_of(const stable_shape& s) noexcept {
    return {.hashes = s.hashes};
  }
  static result<std::uint64_t> units_in(std::uint64_t bits, std::uint32_t,
                                        const option_settings&) noexcept {
    return whole_units(bits, stable_shape{}.cell_bits);
  }
  static constexpr auto options = no_options;

  // Ages at which the curve of forgetting is shown: parts and multiples of the gap.
  static constexpr double ages[] = {0.1, 0.2, 0.5, 1, 2, 5, 10};
  static std::uint64_t age(const stable_bloom& f, std::size_t row) noexcept {
    const std::uint64_t gap = std::max<std::uint64_t>(10, f.capacity());
    return ages[row] < 1 ? gap / static_cast<std::uint64_t>(1 / ages[row])
                         : gap * static_cast<std::uint64_t>(ages[row]);
  }
  using field = fields_of<stable_bloom>;
  static constexpr field::type curve[] = {
      field::layout("age", "keys", "inserts since the key",
                    [](const stable_bloom& f, const no_census&, std::size_t row) {
                      return age(f, row);
                    }),
      field::layout("forgotten", "rate", "share of keys of that age that are forgotten",
                    [](const stable_bloom& f, const no_census&, std::size_t row) {
                      return f.forgetting(age(f, row));
                    })};
  static constexpr std::array fields{
      field::layout("hashes", "", "cells of each key",
                    [](const stable_bloom& f) { return f.hashes(); }),
      field::layout("cells", "", "small counters",
                    [](const stable_bloom& f) { return f.cells(); }),
      field::layout("cell_bits", "bits", "bits of a cell",
                    [](const stable_bloom& f) { return f.cell_bits(); }),
      field::layout("cell_max", "", "what an insert sets its cells to",
                    [](const stable_bloom& f) { return f.shape().max; }),
      field::layout("decrement", "", "cells that an insert decreases, on average",
                    [](const stable_bloom& f) { return f.shape().steps(); }),
      field::layout("inserts", "keys", "inserts so far",
                    [](const stable_bloom& f) { return f.inserts(); }),
      field::rate("stable_fpr", "rate", "rate that it has after any number of inserts",
                  [](const stable_bloom& f) { return f.stable_fpr(); }),
      field::table("forgetting", "share of keys that are forgotten, by age",
                   field_group::rates, curve,
                   [](const stable_bloom&) { return std::size(ages); })};
  // Cells of 2 bits, with the decrement of the rate.
  static result<stable_shape> exactly(const size_request& r) noexcept {
    stable_shape s{.cells = r.exact->units};
    if (r.exact->hashes != 0) s.hashes = r.exact->hashes;
    if (auto ok = check_stable_shape(s); !ok) return ok.error();
    if (!(r.rate() > 0 && r.rate() < 1))
      return error{errc::invalid_argument, "a rate lies between 0 and 1", 0, r.rate(),
                   0.01};
    const auto steps = stable_decrement(s.cells, s.hashes, s.max, r.rate());
    if (!steps) return steps.error();
    s.decrement = *steps;
    return s;
  }
  // `keys`: the gap.  Memory, or bits for each insert of the gap, may come with a rate.
  static result<stable_shape> size(std::uint64_t keys, const size_request& r) noexcept {
    if (r.exact) return exactly(r);
    if (r.memory) return size_stable_by_memory(keys, r.rate(), *r.memory);
    if (!r.bits_per_key) return size_stable_by_rate(keys, r.rate());
    if (!(*r.bits_per_key > 0)) return not_positive();
    const double bytes = std::ceil(static_cast<double>(keys) * *r.bits_per_key / 8);
    if (!(bytes <= max_bytes))
      return error{errc::too_large, "more bytes than a filter can have", 0, bytes,
                   max_bytes};
    return size_stable_by_memory(keys, r.rate(), model::saturated<std::uint64_t>(bytes));
  }
  static double expected_fpr(const stable_shape& s, std::uint64_t keys) noexcept {
    return model::stable_fpr_after(s, static_cast<double>(keys));
  }
  // So many that the stable point is reached.
  static std::uint64_t design_keys(const stable_shape&, std::uint64_t) noexcept {
    return std::uint64_t{1} << 52;
  }
  static std::uint64_t design_keys(const stable_bloom& f) noexcept {
    return design_keys(f.shape(), f.capacity());
  }
  static result<stable_bloom> make(const stable_shape& s, std::uint64_t keys,
                                   const size_request&, const hasher& h) noexcept {
    return stable_bloom::make(s, keys, h);
  }
};

}  // namespace bloomery::format
