// The row of the partitioned filter.
#pragma once

#include <bloomery/model.hpp>
#include <bloomery/partitioned_bloom.hpp>

#include "format/kind/bits.hpp"

namespace bloomery::format {

template <>
struct kind_row<partitioned_bloom> : bits_row<partitioned_bloom> {
  static result<void> check(const container_facts& f) noexcept {
    if (auto ok = check_no_profile(f); !ok) return ok;
    if (f.hashes == 0 || f.hashes > partitioned_probe::max_slices)
      return wrong_field("an impossible number of hashes", 20);
    if (f.units == 0 || f.units > partitioned_probe::max_bits / f.hashes)
      return wrong_field("an impossible number of bits", 24);
    return check_payload(f, f.units * f.hashes);
  }
  static container_facts describe(const partitioned_bloom& f) noexcept {
    container_facts c;
    c.hashes = f.slices();
    c.units = f.slice_bits();
    return c;
  }
  static partitioned_bloom adopt(const container_facts& f, const hasher& h, pages store,
                                 damage_set) noexcept {
    return filter_access::make<partitioned_bloom>(partitioned_layout{f.units, f.hashes},
                                                  f.capacity, h, std::move(store));
  }

  static constexpr double max_bytes =
      static_cast<double>(partitioned_probe::max_bits) / 8;
  using layout = partitioned_layout;
  static filter_size measure(partitioned_layout l) noexcept {
    return {
        .units = l.slice_bits, .bits = l.bits(), .bytes = base::bytes_for_bits(l.bits())};
  }
  static header_layout header_of(partitioned_layout l) noexcept {
    return {.hashes = l.slices};
  }
  static result<std::uint64_t> units_in(std::uint64_t bits, std::uint32_t hashes,
                                        const option_settings&) noexcept {
    if (hashes == 0) return bits;
    if (bits % hashes != 0)
      return error{errc::invalid_argument, "bits that are no multiple of the hashes"};
    return bits / hashes;
  }
  static constexpr auto options = no_options;
  using field = fields_of<partitioned_bloom>;
  static constexpr std::array fields{
      field::layout("hashes", "", "slices, in each of which a key sets one bit",
                    [](const partitioned_bloom& f) { return f.slices(); }),
      field::layout("slice_bits", "bits", "bits of a slice",
                    [](const partitioned_bloom& f) { return f.slice_bits(); })};
  static result<partitioned_layout> size(std::uint64_t keys,
                                         const size_request& r) noexcept {
    if (r.exact) {
      if (r.exact->units == 0 || r.exact->hashes == 0)
        return error{errc::invalid_argument,
                     "a filter needs at least one bit and one hash"};
      if (r.exact->units > partitioned_probe::max_bits / r.exact->hashes)
        return error{errc::too_large, "more bytes than a filter can have", 0,
                     static_cast<double>(r.exact->units) * r.exact->hashes / 8,
                     max_bytes};
      return partitioned_layout{r.exact->units, r.exact->hashes};
    }
    result<partitioned_layout> layout = partitioned_layout{};
    if (r.is_by_rate()) {
      layout = size_partitioned_by_rate(keys, r.rate());
    } else {
      const auto bits = bits_asked(keys, r);
      if (!bits) return in_bytes(bits.error());
      layout = size_partitioned_by_bits(keys, *bits);
    }
    if (!layout) return in_bytes(layout.error());
    return layout;
  }
  static double expected_fpr(partitioned_layout s, std::uint64_t keys) noexcept {
    return model::partitioned_fpr(static_cast<double>(s.slice_bits), s.slices,
                                  static_cast<double>(keys));
  }
  static result<partitioned_bloom> make(partitioned_layout s, std::uint64_t keys,
                                        const size_request&, const hasher& h) noexcept {
    return partitioned_bloom::make(s, keys, h);
  }
};

}  // namespace bloomery::format
