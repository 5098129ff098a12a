// The one door from the formats into the filters: made around memory that exists.
#pragma once

#include <utility>

#include <bloomery/detail/filter/bit_storage.hpp>
#include <bloomery/detail/filter/block_storage.hpp>
#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/pages.hpp>

namespace bloomery::format {

struct filter_access {
  // F(arguments...), also where that constructor is private.
  template <class F, class... Arguments>
  static F make(Arguments&&... arguments) noexcept {
    return F(std::forward<Arguments>(arguments)...);
  }
  static block_storage blocks(block_shape shape, std::uint64_t keys, const hasher& h,
                              pages store) noexcept {
    return block_storage(shape, keys, h, std::move(store));
  }
  template <class Probe>
  static const Probe& probe_of(const bit_storage<Probe>& f) noexcept {
    return f.probe_;
  }
  template <class Probe>
  static std::uint32_t probes_of(const bit_storage<Probe>& f) noexcept {
    return f.probes_;
  }
};

}  // namespace bloomery::format
