// The row of the classic filter.
#pragma once

#include <bloomery/bloom.hpp>
#include <bloomery/detail/kind/bloom/sizing.hpp>
#include <bloomery/model.hpp>

#include "format/kind/bits.hpp"

namespace bloomery::format {

template <>
struct kind_row<bloom> : bloom_row<bloom> {
  static result<void> check(const container_facts& f) noexcept {
    if (auto ok = check_no_profile(f); !ok) return ok;
    if (f.hashes == 0 || f.hashes > max_bloom_hashes)
      return wrong_field("an impossible number of hashes", 20);
    if (f.units == 0 || f.units > bloom_probe::max_bits)
      return wrong_field("an impossible number of bits", 24);
    return check_payload(f, f.units);
  }
  static container_facts describe(const bloom& f) noexcept {
    container_facts c;
    c.hashes = f.hashes();
    c.units = f.bits();
    return c;
  }
  static bloom adopt(const container_facts& f, const hasher& h, pages store,
                     damage_set) noexcept {
    return filter_access::make<bloom>(bloom_layout{f.units, f.hashes}, f.capacity, h,
                                      std::move(store));
  }

  static constexpr double max_bytes = static_cast<double>(bloom_probe::max_bits) / 8;
  static result<bloom_layout> size(std::uint64_t keys, const size_request& r) noexcept {
    if (r.exact) return exactly({r.exact->units, r.exact->hashes});
    result<bloom_layout> layout = bloom_layout{};
    if (r.is_by_rate()) {
      layout = size_bloom_by_rate(keys, r.rate());
    } else {
      const auto bits = bits_asked(keys, r);
      if (!bits) return in_bytes(bits.error());
      layout = size_bloom_by_bits(keys, *bits);
    }
    if (!layout) return in_bytes(layout.error());
    return layout;
  }
  static double expected_fpr(bloom_layout s, std::uint64_t keys) noexcept {
    return model::bloom_fpr(static_cast<double>(s.bits), s.hashes,
                            static_cast<double>(keys));
  }
  static result<bloom> make(bloom_layout s, std::uint64_t keys, const size_request&,
                            const hasher& h) noexcept {
    return bloom::make(s, keys, h);
  }
};

}  // namespace bloomery::format
