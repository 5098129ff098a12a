// Nothing is timed that does not work: a filter that denies one of its keys ends the
// program, before or after it was measured.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>

#include <bloomery/key.hpp>

namespace bloomery::bench {

// Looks up the first million of `ks`, all of which `f` holds.  Throws
// std::runtime_error.
template <class F>
void require_present(const F& f, std::span<const key> ks, const std::string& name) {
  constexpr std::size_t enough = 1'000'000;
  const auto some = ks.first(std::min(ks.size(), enough));
  if (!std::ranges::all_of(some, [&f](key k) { return f.may_contain(k); }))
    throw std::runtime_error("bench: " + name +
                             ": a false negative: do not use this build");
}

}  // namespace bloomery::bench
