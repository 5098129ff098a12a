// The row of the ribbon filter.
#pragma once

#include <limits>

#include <bloomery/detail/kind/ribbon/sizing.hpp>
#include <bloomery/ribbon.hpp>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/kind/bits.hpp"
#include "kind/ribbon/checked.hpp"

namespace bloomery::format {

template <>
struct kind_row<ribbon> : row_defaults {
  // Bytes 100 to 123 (spec/container.md, section 3); buckets of layer 0 are the units.
  static ribbon_shape shape_of(const container_facts& f) noexcept {
    base::byte_reader in(f.parameters);
    ribbon_shape s;
    s.columns = f.hashes;
    s.width = in.read<std::uint8_t>();
    s.seed = in.read<std::uint8_t>();
    s.keeps_hashes = in.read<std::uint16_t>() == 1;
    s.buckets[0] = static_cast<std::uint32_t>(f.units);
    for (std::size_t i = 1; i < s.max_layers; ++i)
      s.buckets[i] = in.read<std::uint32_t>();
    s.narrow = in.read<std::uint32_t>();
    s.rest = in.read<std::uint32_t>();
    return s;
  }
  static constexpr std::uint64_t width_at = 100, seed_at = 101, kept_at = 102,
                                 narrow_at = 116, rest_at = 120;
  static constexpr std::uint64_t buckets_at(std::size_t layer) noexcept {
    return layer == 0 ? 24 : 100 + 4 * layer;
  }

  static result<void> check(const container_facts& f) noexcept {
    if (auto ok = check_no_profile(f); !ok) return ok;
    if (f.hashes == 0 || f.hashes > ribbon_shape::max_columns)
      return wrong_field("an impossible number of columns", 20);
    if (f.units > std::numeric_limits<std::uint32_t>::max())
      return wrong_field("an impossible number of buckets", 24);
    const ribbon_shape s = shape_of(f);
    if (!is_ribbon_width(s.width))
      return wrong_field("an unknown width of windows", width_at);
    if (s.seed != 0 && (s.rest == 0 || s.keeps_hashes))
      return wrong_field("a seed of no layer", seed_at);
    base::byte_reader kept(std::span(f.parameters).subspan(kept_at - width_at));
    if (kept.read<std::uint16_t>() > (s.rest == 0 ? 0 : 1))
      return wrong_field("an unknown form of the last keys", kept_at);
    for (std::size_t i = 0; i < s.max_layers; ++i) {
      const std::uint32_t buckets = s.buckets[i];
      const bool out_of_order = i > 0 && buckets != 0 && s.buckets[i - 1] == 0;
      if (out_of_order || buckets % s.segments(buckets) != 0)
        return wrong_field("an impossible number of buckets", buckets_at(i));
    }
    if (s.narrow != 0 && s.columns == 1)
      return wrong_field("slots without columns", narrow_at);
    if (!s.keeps_hashes && s.rest > s.max_last_slots)
      return wrong_field("an impossible number of slots", rest_at);
    if (f.payload_bytes != ribbon_layout(s).size_in_bytes)
      return wrong_field("the length of the payload is not that of its layers", 80);
    return {};
  }
  static container_facts describe(const ribbon& f) noexcept {
    const ribbon_shape& s = f.shape();
    container_facts c;
    c.hashes = s.columns;
    c.units = s.buckets[0];
    base::byte_writer out(c.parameters);
    out.write(static_cast<std::uint8_t>(s.width));
    out.write(s.seed);
    out.write(static_cast<std::uint16_t>(s.keeps_hashes));
    for (std::size_t i = 1; i < s.max_layers; ++i) out.write(s.buckets[i]);
    out.write(s.narrow);
    out.write(s.rest);
    return c;
  }
  static ribbon adopt(const container_facts& f, const hasher& h, pages store,
                      damage_set damage) noexcept {
    return filter_access::make<ribbon>(shape_of(f), f.capacity, h, std::move(store),
                                       std::move(damage));
  }

  // Chunks are checked before they are read; what a lookup finds in others, it believes.
  static bool ask(const chunk_guard& guard, const ribbon& f, key k) noexcept {
    const bool intact = may_read_ribbon(
        f.layout(), f.bytes().data(), k.bits(),
        [&](std::uint64_t at, std::uint64_t bytes) { return guard.need(at, bytes); });
    return !intact || f.may_contain(k);
  }
  static void ask(const chunk_guard& guard, const ribbon& f, std::span<const key> ks,
                  std::span<bool> out) noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = ask(guard, f, ks[i]);
  }

  static constexpr double min_bytes = 0;  // of no keys
  static constexpr double max_bytes = static_cast<double>(ribbon_shape::max_bits) / 8;

  using layout = ribbon_shape;  // as it is expected
  static filter_size measure(const ribbon_shape& s) noexcept {
    const std::uint64_t bytes = ribbon_layout(s).size_in_bytes;
    return {.units = s.buckets[0], .bits = 8 * bytes, .bytes = bytes};
  }
  static header_layout header_of(const ribbon_shape& s) noexcept {
    return {.hashes = s.columns};
  }
  static result<std::uint64_t> units_in(std::uint64_t bits, std::uint32_t hashes,
                                        const option_settings&) noexcept {
    return whole_units(bits, 4 * std::uint64_t{hashes});
  }
  static constexpr option_choice widths[] = {{"64", 64}, {"128", 128}};
  static constexpr kind_option ribbon_width{
      .name = "ribbon_width",
      .type = option_type::count,
      .help = "slots of a key's window: 128 is the smallest, and slower",
      .choices = widths,
      .preset = 64};
  static constexpr std::array options{ribbon_width};
  static unsigned width_of(const size_request& r) noexcept {
    return static_cast<unsigned>(r.options.value(ribbon_width));
  }
  using field = fields_of<ribbon>;
  static constexpr std::array fields{
      field::layout("columns", "", "bits of a fingerprint",
                    [](const ribbon& f) { return f.columns(); }),
      field::layout("ribbon_width", "slots", "slots of a key's window",
                    [](const ribbon& f) { return f.width(); })};

  static result<ribbon_columns> columns_of(std::uint64_t keys,
                                           const size_request& r) noexcept {
    if (r.exact)
      return error{errc::unsupported, "the slots of a ribbon follow from its keys"};
    if (r.is_by_rate()) return ribbon_columns_by_rate(keys, r.rate());
    const auto bits = bits_asked(keys, r);
    if (!bits) return in_bytes(bits.error());
    if (*bits == 0)
      return error{errc::invalid_argument, "less memory than the smallest filter takes",
                   0, 0, 1};
    return ribbon_columns_by_bytes(keys, width_of(r), *bits / 8);
  }
  static result<ribbon_shape> size(std::uint64_t keys, const size_request& r) noexcept {
    const auto columns = columns_of(keys, r);
    if (!columns) return columns.error();
    return plan_ribbon(keys, width_of(r), *columns);
  }
  static double expected_fpr(const ribbon_shape& s, std::uint64_t keys) noexcept {
    return ribbon_fpr({s.columns, s.narrow}, static_cast<double>(keys));
  }
  // Within a limit of memory, columns are taken away if the keys needed more slots than
  // planned.
  static result<ribbon> build(std::span<const key> ks, const ribbon_shape& s,
                              std::uint64_t keys, const size_request& r, const hasher& h,
                              unsigned threads) noexcept {
    const ribbon::params p{.keys = keys, .hasher = h, .width = width_of(r)};
    ribbon_columns columns{s.columns, s.narrow};
    std::uint64_t room = r.memory.value_or(0);
    for (;;) {
      auto made = ribbon::build(ks, columns, p, threads);
      if (!made || !r.memory || made->size_in_bytes() <= *r.memory) return made;
      room -= std::min(room, made->size_in_bytes() - *r.memory + 1);
      const auto fewer = ribbon_columns_by_bytes(keys, p.width, room);
      if (!fewer) return fewer.error();
      columns = *fewer;
    }
  }
  // The same bytes; keys from elsewhere cannot be taken twice.
  static result<ribbon> build(sorted_keys& ks, const ribbon_shape& s, std::uint64_t keys,
                              const size_request& r, const hasher& h,
                              unsigned threads) noexcept {
    auto made = ribbon::build(ks, ribbon_columns{s.columns, s.narrow},
                              {.keys = keys, .hasher = h, .width = width_of(r)}, threads);
    if (made && r.memory && made->size_in_bytes() > *r.memory)
      return error{errc::unattainable, "the keys need more memory than was planned", 0,
                   static_cast<double>(*r.memory),
                   static_cast<double>(made->size_in_bytes())};
    return made;
  }
};

}  // namespace bloomery::format
