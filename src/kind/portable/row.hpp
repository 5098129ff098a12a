// The row of the portable filter.
#pragma once

#include <bloomery/model.hpp>
#include <bloomery/portable_bloom.hpp>

#include "format/kind/bits.hpp"

namespace bloomery::format {

template <>
struct kind_row<portable_bloom> : bloom_row<portable_bloom> {
  static result<void> check(const container_facts& f) noexcept {
    if (auto ok = check_no_profile(f); !ok) return ok;
    if (f.hashes == 0) return wrong_field("an impossible number of hashes", 20);
    if (f.units == 0 || f.units > portable_probe::max_bits)
      return wrong_field("an impossible number of bits", 24);
    return check_payload(f, f.units);
  }
  static container_facts describe(const portable_bloom& f) noexcept {
    container_facts c;
    c.hashes = f.hashes();
    c.units = f.bits();
    return c;
  }
  static portable_bloom adopt(const container_facts& f, const hasher& h, pages store,
                              damage_set) noexcept {
    return filter_access::make<portable_bloom>(bloom_layout{f.units, f.hashes},
                                               f.capacity, h.source(), std::move(store));
  }

  // Its 12-byte header and its bits, as every implementation writes them.
  static constexpr bare_form portable{
      .name = "portable",
      .size = [](const void* f) noexcept -> std::uint64_t {
        return portable_header_size +
               static_cast<const portable_bloom*>(f)->size_in_bytes();
      },
      .encode =
          [](const void* f) noexcept {
            return static_cast<const portable_bloom*>(f)->encode();
          },
      .decode =
          [](std::span<const std::byte> bytes, key_source source) noexcept {
            return as_any(portable_bloom::decode(bytes, source));
          },
      .load =
          [](const input_file& file, key_source source) noexcept {
            return as_any(portable_bloom::load(file, source));
          },
      .save =
          [](const void* f, path_ref path, const input_file* replaces) noexcept {
            return static_cast<const portable_bloom*>(f)->save(path, replaces);
          }};
  static constexpr const bare_form* bare = &portable;

  static constexpr double max_bytes = static_cast<double>(portable_probe::max_bits) / 8;
  static result<bloom_layout> size(std::uint64_t keys, const size_request& r) noexcept {
    if (r.exact) return exactly({r.exact->units, r.exact->hashes});
    const auto layout = r.memory         ? size_by_memory(keys, *r.memory)
                        : r.bits_per_key ? size_by_bits_per_key(keys, *r.bits_per_key)
                                         : size_by_rate(keys, r.rate());
    if (!layout) return in_bytes(layout.error());
    return layout;
  }
  static double expected_fpr(bloom_layout s, std::uint64_t keys) noexcept {
    return model::portable_fpr(
        s.bits, static_cast<std::uint32_t>(std::min<std::uint64_t>(s.hashes, s.bits)),
        static_cast<double>(keys));
  }
  static portable_promise promise(bloom_layout s, std::uint64_t keys,
                                  double fpr) noexcept {
    return promise_of(s, keys, fpr);
  }
  // Sizing by rate checks whether the format can keep the rate.
  static result<portable_bloom> make(bloom_layout s, std::uint64_t keys,
                                     const size_request& r, const hasher& h) noexcept {
    if (r.is_by_rate())
      return portable_bloom::make(
          {.keys = keys, .fpr = r.rate(), .force = r.force, .source = h.source()});
    return portable_bloom::make(s, keys, h.source());
  }
};

}  // namespace bloomery::format
