// Live filters and sources of keys for the tests of both.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <bloomery/live/live_filter.hpp>

#include "must.hpp"
#include "scripted_filter.hpp"
#include "test_key.hpp"

namespace bloomery::testing {

using live = live_filter<scripted_filter>;

inline live live_of(std::uint64_t keys_in_it, const live_options& o = {}) {
  return must(live::make(must(scripted_filter::make({.keys = keys_in_it})), o));
}

// Gives `ks` in order, once.
inline auto source_of(std::vector<key> all) {
  return [ks = std::move(all),
          at = std::size_t{0}](std::span<key> out) mutable -> result<std::size_t> {
    const std::size_t n = std::min(out.size(), ks.size() - at);
    std::copy_n(ks.begin() + static_cast<std::ptrdiff_t>(at), n, out.begin());
    at += n;
    return n;
  };
}

template <class Live>
std::size_t count_denied(const Live& f, const std::vector<key>& ks) {
  return static_cast<std::size_t>(
      std::ranges::count_if(ks, [&](key k) { return !f.may_contain(k); }));
}

}  // namespace bloomery::testing
