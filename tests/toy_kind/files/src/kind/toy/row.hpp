// The row of the toy kind.
#pragma once

#include <array>

#include <bloomery/detail/kind/bloom/sizing.hpp>
#include <bloomery/model.hpp>
#include <bloomery/toy_bloom.hpp>

#include "format/kind/bits.hpp"

namespace bloomery::format {

template <>
struct kind_row<toy_bloom> : row_defaults {
  static constexpr std::uint64_t stride_at = 100;
  static toy_layout layout_of(const container_facts& f) noexcept {
    return {f.units, f.hashes, static_cast<std::uint32_t>(f.parameters[0])};
  }
  static result<void> check(const container_facts& f) noexcept {
    if (auto ok = check_no_profile(f); !ok) return ok;
    if (f.hashes == 0 || f.hashes > max_bloom_hashes)
      return wrong_field("an impossible number of hashes", 20);
    if (f.units == 0 || f.units > bloom_probe::max_bits)
      return wrong_field("an impossible number of bits", 24);
    const toy_layout l = layout_of(f);
    if (l.stride == 0 || l.stride > toy_bloom::max_stride)
      return wrong_field("an impossible stride", stride_at);
    return bits_row<toy_bloom>::check_payload(f, f.units);
  }
  static container_facts describe(const toy_bloom& f) noexcept {
    container_facts c;
    c.hashes = f.hashes();
    c.units = f.bits();
    c.parameters[0] = static_cast<std::byte>(f.stride());
    return c;
  }
  static toy_bloom adopt(const container_facts& f, const hasher& h, pages store,
                         damage_set) noexcept {
    return filter_access::make<toy_bloom>(layout_of(f), f.capacity, h, std::move(store));
  }
  static bool ask(const chunk_guard& guard, const toy_bloom& f, key k) noexcept {
    f.for_each_bit(k,
                   [&](std::uint64_t bit) noexcept { return guard.need(bit / 8), true; });
    return f.may_contain(k);
  }
  static void ask(const chunk_guard& guard, const toy_bloom& f, std::span<const key> ks,
                  std::span<bool> out) noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = ask(guard, f, ks[i]);
  }

  static constexpr double min_bytes = 1;
  static constexpr double max_bytes = static_cast<double>(bloom_probe::max_bits) / 8;
  using layout = toy_layout;
  static filter_size measure(toy_layout l) noexcept {
    return {.units = l.bits, .bits = l.bits, .bytes = base::bytes_for_bits(l.bits)};
  }
  static header_layout header_of(toy_layout l) noexcept { return {.hashes = l.hashes}; }

  static constexpr kind_option stride{
      .name = "stride",
      .type = option_type::count,
      .help = "numbers of the generator for each bit, of which one is used",
      .min = 1,
      .max = toy_bloom::max_stride,
      .preset = 1};
  static constexpr std::array options{stride};
  using field = fields_of<toy_bloom>;
  static constexpr std::array fields{
      field::layout("hashes", "", "bits that each key sets",
                    [](const toy_bloom& f) { return f.hashes(); }),
      field::layout("stride", "", "numbers of the generator for each bit",
                    [](const toy_bloom& f) { return f.stride(); })};

  static result<toy_layout> size(std::uint64_t keys, const size_request& r) noexcept {
    const auto of = static_cast<std::uint32_t>(r.options.value(stride));
    result<bloom_layout> l = bloom_layout{};
    if (r.exact) {
      l = exactly({r.exact->units, r.exact->hashes});
    } else if (r.is_by_rate()) {
      l = size_bloom_by_rate(keys, r.rate());
    } else {
      const auto bits = bits_asked(keys, r);
      if (!bits) return in_bytes(bits.error());
      l = size_bloom_by_bits(keys, *bits);
    }
    if (!l) return in_bytes(l.error());
    return toy_layout{l->bits, l->hashes, of};
  }
  static double expected_fpr(toy_layout l, std::uint64_t keys) noexcept {
    return model::bloom_fpr(static_cast<double>(l.bits), l.hashes,
                            static_cast<double>(keys));
  }
  static result<toy_bloom> make(toy_layout l, std::uint64_t keys, const size_request&,
                                const hasher& h) noexcept {
    return toy_bloom::make(l, keys, h);
  }
};

}  // namespace bloomery::format
