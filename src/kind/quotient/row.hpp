// The row of the quotient filter.
#pragma once

#include <bloomery/model.hpp>
#include <bloomery/quotient.hpp>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "filter/sort_distinct.hpp"
#include "format/kind/bits.hpp"
#include "kind/quotient/build.hpp"
#include "kind/quotient/damage.hpp"

namespace bloomery::format {

template <>
struct kind_row<quotient> : row_defaults {
  // Identity and blocks (spec/container.md, section 3).
  struct parameters {
    std::uint64_t identity, blocks;
  };
  static parameters parameters_of(const container_facts& f) noexcept {
    base::byte_reader in(f.parameters);
    const auto identity = in.read<std::uint64_t>();
    return {identity, in.read<std::uint64_t>()};
  }
  static quotient_layout layout_of(const container_facts& f) noexcept {
    return {f.units, f.hashes, parameters_of(f).blocks};
  }

  static result<void> check(const container_facts& f) noexcept {
    if (auto ok = check_no_profile(f); !ok) return ok;
    const std::uint32_t r = f.hashes;
    if (r < quotient_layout::min_remainder_bits ||
        r > quotient_layout::max_remainder_bits)
      return wrong_field("an impossible width of remainders", 20);
    if (f.units == 0 || f.units > quotient_layout::max_quotients(r))
      return wrong_field("an impossible number of quotients", 24);
    const quotient_layout l = layout_of(f);
    if (l.blocks > quotient_layout::max_blocks(r) || l.slots() < l.quotients)
      return wrong_field("an impossible number of blocks", 108);
    if (f.payload_bytes != l.size_in_bytes())
      return wrong_field("the length of the payload is not that of its blocks", 80);
    return {};
  }
  static container_facts describe(const quotient& f) noexcept {
    container_facts c;
    c.hashes = f.remainder_bits();
    c.units = f.quotients();
    base::byte_writer out(c.parameters);
    out.write(f.identity());
    out.write(f.layout().blocks);
    return c;
  }
  static quotient adopt(const container_facts& f, const hasher& h, pages store,
                        damage_set damage) noexcept {
    return filter_access::make<quotient>(layout_of(f), f.capacity, h,
                                         parameters_of(f).identity, std::move(store),
                                         std::move(damage));
  }
  // The error of a payload that no writer wrote.
  static constexpr const char* not_well_formed =
      "the runs of the filter contradict each other";
  static bool is_well_formed(const quotient& f) noexcept { return f.is_well_formed(); }

  // Blocks and offsets are checked before they are read.
  static bool ask(const chunk_guard& guard, const quotient& f, key k) noexcept {
    return checked_runs(f.layout(), f.bytes().data(),
                        [&guard](std::uint64_t first, std::uint64_t bytes) noexcept {
                          return guard.need(first, bytes);
                        })
        .may_contain(f.layout().fingerprint(k));
  }
  static void ask(const chunk_guard& guard, const quotient& f, std::span<const key> ks,
                  std::span<bool> out) noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = ask(guard, f, ks[i]);
  }

  static constexpr double min_bytes = 40;
  static constexpr double max_bytes = 0x1p45;
  using layout = quotient_layout;
  static filter_size measure(const quotient_layout& l) noexcept {
    return {
        .units = l.quotients, .bits = 8 * l.size_in_bytes(), .bytes = l.size_in_bytes()};
  }
  static header_layout header_of(const quotient_layout& l) noexcept {
    return {.hashes = l.remainder_bits};
  }
  // The most quotients in so many bits, which must be whole blocks: one has no whole
  // number of bits.
  static result<std::uint64_t> units_in(std::uint64_t bits, std::uint32_t remainder_bits,
                                        const option_settings&) noexcept {
    const auto bits_of = [&](std::uint64_t quotients) noexcept -> std::uint64_t {
      const quotient_layout l = quotient_layout_of(quotients, remainder_bits);
      return check_quotient_layout(l) ? 8 * l.size_in_bytes() : ~std::uint64_t{0};
    };
    std::uint64_t most = 0, limit = bits;  // each has at least one bit
    while (most < limit) {
      const std::uint64_t middle = limit - (limit - most) / 2;
      if (bits_of(middle) <= bits)
        most = middle;
      else
        limit = middle - 1;
    }
    if (most != 0 && bits_of(most) != bits)
      return error{errc::invalid_argument, "bits that are no whole blocks"};
    return most;
  }
  static constexpr std::array options{identity_option};
  static quotient_census census(const quotient& f) noexcept { return f.census(); }
  using field = fields_of<quotient, quotient_census>;
  static constexpr std::array fields{
      field::layout("quotients", "", "home slots",
                    [](const quotient& f) { return f.quotients(); }),
      field::layout("remainder_bits", "bits", "bits stored for each fingerprint",
                    [](const quotient& f) { return f.remainder_bits(); }),
      field::layout("slots", "", "room for remainders and counts",
                    [](const quotient& f) { return f.slots(); }),
      field::layout("identity", "number", "number that its receipts are for",
                    [](const quotient& f) { return f.identity(); }),
      field::counted("load", "share", "slots in use for each quotient",
                     [](const quotient& f, const quotient_census& c) {
                       return static_cast<double>(c.used_slots) /
                              static_cast<double>(f.quotients());
                     }),
      field::counted(
          "fingerprints", "", "different ones",
          [](const quotient&, const quotient_census& c) { return c.fingerprints; }),
      field::counted("copies", "", "keys with their copies",
                     [](const quotient&, const quotient_census& c) { return c.copies; }),
      field::counted(
          "max_copies", "", "copies of one fingerprint at the most",
          [](const quotient&, const quotient_census& c) { return c.max_copies; }),
      field::counted(
          "longest_run", "slots", "slots of one quotient at the most",
          [](const quotient&, const quotient_census& c) { return c.longest_run; }),
      field::counted(
          "longest_cluster", "slots", "slots in use side by side at the most",
          [](const quotient&, const quotient_census& c) { return c.longest_cluster; })};
  static result<quotient_layout> size(std::uint64_t keys,
                                      const size_request& r) noexcept {
    result<quotient_layout> layout = quotient_layout{};
    if (r.exact) {
      layout = quotient_layout_of(r.exact->units, r.exact->hashes);
      if (auto ok = check_quotient_layout(*layout); !ok) return ok.error();
    } else if (r.is_by_rate()) {
      layout = size_quotient_by_rate(keys, r.rate());
    } else {
      const auto bits = bits_asked(keys, r);
      if (!bits) return in_bytes(bits.error());
      if (r.memory && static_cast<double>(*r.memory) < min_bytes)
        return error{errc::invalid_argument, "less memory than the smallest filter takes",
                     0, static_cast<double>(*r.memory), min_bytes};
      layout = size_quotient_by_bits(keys, *bits);
      if (!layout) return in_bytes(layout.error(), errc::unattainable);
    }
    if (!layout) return in_bytes(layout.error());
    return layout;
  }
  static double expected_fpr(const quotient_layout& s, std::uint64_t keys) noexcept {
    return model::quotient_fpr(static_cast<double>(s.fingerprints()),
                               static_cast<double>(keys));
  }
  static result<quotient> make(const quotient_layout& s, std::uint64_t keys,
                               const size_request& r, const hasher& h) noexcept {
    return quotient::make(quotient_layout_of(s.quotients, s.remainder_bits), keys, h,
                          r.options.value(identity_option));
  }
  static result<quotient> build(std::span<const key> ks, const quotient_layout& s,
                                std::uint64_t keys, const size_request& r,
                                const hasher& h, unsigned threads) noexcept {
    const auto sorted = sort_distinct(ks, threads);
    if (!sorted) return sorted.error();
    return build_quotient(quotient_layout_of(s.quotients, s.remainder_bits), sorted->keys,
                          keys, h, r.options.value(identity_option));
  }
};

}  // namespace bloomery::format
