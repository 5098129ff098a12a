// The definitions of slot_filter that build: for the source file of each kind.
#pragma once

#include <bloomery/detail/filter/slot_filter.hpp>

#include <utility>

#include <bloomery/detail/kind/slot/sizing.hpp>

#include "filter/slot_build.hpp"
#include "filter/slot_storage.hpp"

namespace bloomery::inline v1 {

// The layout of a filter of so many keys.
inline result<slot_shape> shape_for(fuse_rule, std::uint64_t keys,
                                    const slot_request& r) noexcept {
  return size_fuse(keys, r.width, static_cast<slot_layout>(r.arity));
}
inline result<slot_shape> shape_for(xor_rule, std::uint64_t keys,
                                    const slot_request& r) noexcept {
  if (r.arity != 3)
    return error{errc::unsupported, "a xor filter has three slots per key", 0,
                 static_cast<double>(r.arity), 3};
  return size_xor(keys, r.width);
}

template <class F, class Rule>
template <class Keys>
result<F> slot_filter<F, Rule>::build_any(Keys ks, slot_request slots,
                                          const bloomery::hasher& h,
                                          std::uint64_t max_keys,
                                          unsigned threads) noexcept {
  auto made = build_slots<Rule>(
      ks, [&](std::uint64_t keys) noexcept { return shape_for(Rule{}, keys, slots); },
      threads);
  if (!made) return made.error();
  if (max_keys != 0 && made->keys > max_keys)
    return error{errc::full, "more distinct keys than the filter is sized for", 0,
                 static_cast<double>(made->keys), static_cast<double>(max_keys)};
  return F(made->shape, made->residue, made->keys, h, std::move(made->store),
           damage_set());
}

template <class F, class Rule>
result<F> slot_filter<F, Rule>::build(std::span<const key> ks, params p,
                                      unsigned threads) noexcept {
  const auto width = slot_width_for(p.fpr);
  if (!width) return width.error();
  return build_any(ks, {*width, p.arity}, p.hasher, p.keys, threads);
}
template <class F, class Rule>
result<F> slot_filter<F, Rule>::build(sorted_keys ks, params p,
                                      unsigned threads) noexcept {
  const auto width = slot_width_for(p.fpr);
  if (!width) return width.error();
  return build_any(ks, {*width, p.arity}, p.hasher, p.keys, threads);
}
template <class F, class Rule>
result<F> slot_filter<F, Rule>::build(std::span<const key> ks, slot_request slots,
                                      bloomery::hasher h, unsigned threads) noexcept {
  return build_any(ks, slots, h, 0, threads);
}
template <class F, class Rule>
result<F> slot_filter<F, Rule>::build(sorted_keys ks, slot_request slots,
                                      bloomery::hasher h, unsigned threads) noexcept {
  return build_any(ks, slots, h, 0, threads);
}

template <class F, class Rule>
F slot_filter<F, Rule>::with_store(pages store) const noexcept {
  return F(this->shape(), this->residue(), this->capacity(), this->hasher(),
           std::move(store), damage_set());
}

}  // namespace bloomery::inline v1
