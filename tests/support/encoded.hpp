// The bytes of a filter, in a vector that compares and prints.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <bloomery/filter.hpp>

#include "must.hpp"

namespace bloomery::testing {

// A filter with bytes of its own; a concurrent one is stored as the plain one it holds.
template <class F>
concept encodable = askable<F> && requires(const F& f, std::span<const std::byte> bytes) {
  f.encode();
  F::decode(bytes);
};

template <encodable F>
std::vector<std::byte> encoded(const F& f) {
  const auto bytes = must(f.encode());
  return {bytes.bytes().begin(), bytes.bytes().end()};
}

}  // namespace bloomery::testing
