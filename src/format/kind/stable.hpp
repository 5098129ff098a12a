// The row of the stable filter.
#pragma once

#include <cmath>

#include <bloomery/model.hpp>
#include <bloomery/stable_bloom.hpp>
#include <bloomery/stable_sizing.hpp>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/filter_access.hpp"
#include "format/kind/row.hpp"
#include "kernel/stable_probe.hpp"
#include "model/saturated.hpp"

namespace bloomery::format {

template <>
struct kind_row<stable_bloom> {
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
  static filter_size size_of(const stable_shape& s) noexcept {
    return {.units = s.cells,
            .hashes = s.hashes,
            .cell_bits = s.cell_bits,
            .cell_max = s.max,
            .decrement = s.decrement,
            .bits = s.bits(),
            .bytes = s.size_in_bytes()};
  }
  static stable_shape shape_of(const filter_size& s) noexcept {
    return {s.units, s.cell_bits, s.cell_max, s.hashes, s.decrement};
  }
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
  static result<stable_shape> shape(std::uint64_t keys, const size_request& r) noexcept {
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
  static result<filter_size> size(std::uint64_t keys, const size_request& r) noexcept {
    const auto s = shape(keys, r);
    if (!s) return s.error();
    return size_of(*s);
  }
  static double expected_fpr(const filter_size& s, std::uint64_t keys) noexcept {
    return model::stable_fpr_after(shape_of(s), static_cast<double>(keys));
  }
  static result<stable_bloom> make(const filter_size& s, std::uint64_t keys,
                                   const size_request&, const hasher& h) noexcept {
    return stable_bloom::make(shape_of(s), keys, h);
  }
};

}  // namespace bloomery::format
