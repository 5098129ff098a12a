// Batches of keys of a quotient filter: what each needs is fetched ahead.  Each kernel's
// file includes this under its own target attributes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/kind/quotient/probe.hpp>
#include <bloomery/key.hpp>

#include "kernel/fetch_ahead.hpp"

namespace bloomery::kernel {
namespace {

// Block and offset of each key.  Groups of 16 take 3 % longer: how many keys of a group
// have occupied quotients is a branch predicted wrong.
inline constexpr fetch_plan quotient_plan{.group = 32, .ahead = 32};

// use(i, fingerprint) for every key, in order, after fetch(fingerprint).
// REQUIRES: fetch is always inlined
template <class Fetch, class Use>
BLOOMERY_INLINE void for_each_fingerprint(const quotient_layout& l, const key* ks,
                                          std::size_t n, Fetch fetch, Use use) noexcept {
  constexpr std::size_t room = 64;
  static_assert(quotient_plan.group + quotient_plan.ahead <= room);
  std::array<std::uint64_t, room> fingerprints;
  fetch_ahead<quotient_plan>(
      n,
      [&](std::size_t first, std::size_t count) noexcept {
        for (std::size_t i = first; i < first + count; ++i) {
          const std::uint64_t f = l.fingerprint(ks[i]);
          fetch(f);
          fingerprints[i % room] = f;
        }
      },
      [&](std::size_t first, std::size_t count) noexcept {
        for (std::size_t i = first; i < first + count; ++i)
          use(i, fingerprints[i % room]);
      });
}

}  // namespace
}  // namespace bloomery::kernel
