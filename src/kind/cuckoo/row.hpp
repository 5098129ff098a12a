// The row of the cuckoo filter.
#pragma once

#include <bloomery/cuckoo.hpp>
#include <bloomery/model.hpp>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/kind/bits.hpp"
#include "kind/cuckoo/build.hpp"
#include "kind/cuckoo/table_of.hpp"

namespace bloomery::format {

template <>
struct kind_row<cuckoo> : row_defaults {
  static result<void> check(const container_facts& f) noexcept {
    if (auto ok = check_no_profile(f); !ok) return ok;
    if (f.hashes < cuckoo_probe::min_tag_bits || f.hashes > cuckoo_probe::max_tag_bits)
      return wrong_field("an impossible width of tags", 20);
    if (f.units == 0 || f.units % 2 != 0 || f.units > cuckoo_probe::max_buckets(f.hashes))
      return wrong_field("an impossible number of buckets", 24);
    if (f.payload_bytes != cuckoo_probe(f.units, f.hashes).size_in_bytes())
      return wrong_field("the length of the payload is not that of its buckets", 80);
    return {};
  }
  static container_facts describe(const cuckoo& f) noexcept {
    container_facts c;
    c.hashes = f.tag_bits();
    c.units = f.buckets();
    base::byte_writer(c.parameters).write(f.identity());
    return c;
  }
  static cuckoo adopt(const container_facts& f, const hasher& h, pages store,
                      damage_set damage) noexcept {
    const auto identity = base::byte_reader(f.parameters).read<std::uint64_t>();
    return filter_access::make<cuckoo>(cuckoo_layout{f.units, f.hashes}, f.capacity, h,
                                       identity, std::move(store), std::move(damage));
  }

  // Chunks are checked before they are read; what a lookup finds in others, it believes.
  static bool ask(const chunk_guard& guard, const cuckoo& f, key k) noexcept {
    const auto p = cuckoo_probe(f.buckets(), f.tag_bits()).start(k);
    const cuckoo_span a = span_of(p.first, f.tag_bits()),
                      b = span_of(p.second, f.tag_bits());
    const bool first = guard.need(a.first, a.bytes),
               second = guard.need(b.first, b.bytes);
    return !first || !second || f.may_contain(k);
  }
  static void ask(const chunk_guard& guard, const cuckoo& f, std::span<const key> ks,
                  std::span<bool> out) noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = ask(guard, f, ks[i]);
  }

  static constexpr double min_bytes = cuckoo_probe::min_tag_bits;
  static constexpr double max_bytes = static_cast<double>(cuckoo_probe::max_bits) / 8;
  using layout = cuckoo_layout;
  static filter_size measure(cuckoo_layout l) noexcept {
    return {.units = l.buckets, .bits = l.bits(), .bytes = l.bits() / 8};
  }
  static header_layout header_of(cuckoo_layout l) noexcept {
    return {.hashes = l.tag_bits};
  }
  static result<std::uint64_t> units_in(std::uint64_t bits, std::uint32_t tag_bits,
                                        const option_settings&) noexcept {
    return whole_units(bits, 4 * std::uint64_t{tag_bits});
  }
  static constexpr std::array options{identity_option};
  using field = fields_of<cuckoo>;
  static constexpr std::array fields{
      field::layout("tag_bits", "bits", "bits of a tag",
                    [](const cuckoo& f) { return f.tag_bits(); }),
      field::layout("slots", "", "room for tags, four in a bucket",
                    [](const cuckoo& f) { return f.slots(); }),
      field::layout("identity", "number", "number that its receipts are for",
                    [](const cuckoo& f) { return f.identity(); }),
      field::counted("load", "share", "share of the slots in use",
                     [](const cuckoo& f) {
                       return static_cast<double>(f.occupied()) /
                              static_cast<double>(f.slots());
                     }),
      field::counted("max_copies", "",
                     "largest number of equal tags in the two buckets of a key",
                     [](const cuckoo& f) { return f.max_copies(); })};
  static result<cuckoo_layout> size(std::uint64_t keys, const size_request& r) noexcept {
    if (r.exact) return exactly({r.exact->units, r.exact->hashes});
    result<cuckoo_layout> layout = cuckoo_layout{};
    if (r.is_by_rate()) {
      layout = size_cuckoo_by_rate(keys, r.rate());
    } else {
      const auto bits = bits_asked(keys, r);
      if (!bits) return in_bytes(bits.error());
      if (r.memory == 0)
        return error{errc::invalid_argument, "less memory than the smallest filter takes",
                     0, 0, min_bytes};
      layout = size_cuckoo_by_bits(keys, *bits);
      if (!layout) return in_bytes(layout.error(), errc::unattainable);
    }
    if (!layout) return in_bytes(layout.error());
    return layout;
  }
  // Errors that make would give, for sizes that are never made.
  static result<cuckoo_layout> exactly(cuckoo_layout l) noexcept {
    if (l.tag_bits < cuckoo_probe::min_tag_bits ||
        l.tag_bits > cuckoo_probe::max_tag_bits)
      return error{l.tag_bits < cuckoo_probe::min_tag_bits ? errc::invalid_argument
                                                           : errc::too_large,
                   "tags have 6 to 32 bits", 0, static_cast<double>(l.tag_bits)};
    if (l.buckets == 0 || l.buckets % 2 != 0)
      return error{errc::invalid_argument,
                   "a cuckoo filter has an even number of buckets", 0,
                   static_cast<double>(l.buckets), 2};
    if (l.buckets > cuckoo_probe::max_buckets(l.tag_bits))
      return error{errc::too_large, "more bytes than a filter can have", 0,
                   static_cast<double>(l.buckets) * l.tag_bits / 2, max_bytes};
    return l;
  }
  static double expected_fpr(cuckoo_layout s, std::uint64_t keys) noexcept {
    return model::cuckoo_fpr(static_cast<double>(s.buckets), s.tag_bits,
                             static_cast<double>(keys));
  }
  static result<cuckoo> make(cuckoo_layout s, std::uint64_t keys, const size_request& r,
                             const hasher& h) noexcept {
    return cuckoo::make(s, keys, h, r.options.value(identity_option));
  }
  // Sized by a rate it may become larger, so that all keys fit.
  static result<cuckoo> build(std::span<const key> ks, cuckoo_layout s,
                              std::uint64_t keys, const size_request& r, const hasher& h,
                              unsigned /*threads*/) noexcept {
    const bool grows = r.is_by_rate() && ks.size() <= keys;
    return build_cuckoo(s, grows ? 2 * s.buckets : s.buckets, ks, keys, h,
                        r.options.value(identity_option));
  }
};

}  // namespace bloomery::format
