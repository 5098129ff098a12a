// The row of xor_filter.
#pragma once

#include <array>

#include <bloomery/detail/kind/slot/sizing.hpp>
#include <bloomery/xor_filter.hpp>

#include "format/kind/slots.hpp"

namespace bloomery::format {

template <>
struct kind_row<xor_filter> : slots_row<xor_filter> {
  static constexpr auto options = no_options;
  static result<slot_shape> size(std::uint64_t keys, const size_request& r) noexcept {
    return slots_row::size(keys, r, size_xor);
  }
  template <class Keys>
  static result<xor_filter> build(Keys& ks, const slot_shape& s, std::uint64_t keys,
                                  const size_request&, const hasher& h,
                                  unsigned threads) noexcept {
    return build_slots<Keys&>(ks, {.width = s.width}, keys, h, threads);
  }
};

}  // namespace bloomery::format
