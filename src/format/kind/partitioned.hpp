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
  static filter_size size_of(partitioned_layout l) noexcept {
    return {.units = l.slice_bits,
            .hashes = l.slices,
            .bits = l.bits(),
            .bytes = base::bytes_for_bits(l.bits())};
  }
  static result<filter_size> size(std::uint64_t keys, const size_request& r) noexcept {
    if (r.exact) {
      if (r.exact->units == 0 || r.exact->hashes == 0)
        return error{errc::invalid_argument,
                     "a filter needs at least one bit and one hash"};
      if (r.exact->units > partitioned_probe::max_bits / r.exact->hashes)
        return error{errc::too_large, "more bytes than a filter can have", 0,
                     static_cast<double>(r.exact->units) * r.exact->hashes / 8,
                     max_bytes};
      return size_of({r.exact->units, r.exact->hashes});
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
    return size_of(*layout);
  }
  static double expected_fpr(const filter_size& s, std::uint64_t keys) noexcept {
    return model::partitioned_fpr(static_cast<double>(s.units), s.hashes,
                                  static_cast<double>(keys));
  }
  static result<partitioned_bloom> make(const filter_size& s, std::uint64_t keys,
                                        const size_request&, const hasher& h) noexcept {
    return partitioned_bloom::make(partitioned_layout{s.units, s.hashes}, keys, h);
  }
};

}  // namespace bloomery::format
