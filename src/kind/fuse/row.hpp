// The row of fuse.
#pragma once

#include <array>

#include <bloomery/detail/kind/slot/sizing.hpp>
#include <bloomery/fuse.hpp>

#include "format/kind/slots.hpp"

namespace bloomery::format {

template <>
struct kind_row<fuse> : slots_row<fuse> {
  static constexpr option_choice arities[] = {{"3", 3}, {"4", 4}};
  static constexpr kind_option arity{
      .name = "arity",
      .type = option_type::count,
      .help = "slots per key: 4 is 5 % smaller, and slower",
      .choices = arities,
      .preset = 3};
  static constexpr std::array options{arity};

  static result<slot_shape> size(std::uint64_t keys, const size_request& r) noexcept {
    return slots_row::size(keys, r, [&](std::uint64_t n, std::uint32_t width) noexcept {
      return size_fuse(
          n, width, r.options.value(arity) == 4 ? slot_layout::four : slot_layout::three);
    });
  }
  template <class Keys>
  static result<fuse> build(Keys& ks, const slot_shape& s, std::uint64_t keys,
                            const size_request& r, const hasher& h,
                            unsigned threads) noexcept {
    return build_slots<Keys&>(
        ks, {s.width, static_cast<unsigned>(r.options.value(arity))}, keys, h, threads);
  }
};

}  // namespace bloomery::format
