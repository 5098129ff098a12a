// Unwraps results in tests, and names what came back.
#pragma once

#include <ostream>
#include <stdexcept>
#include <utility>

#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

inline std::ostream& operator<<(std::ostream& out, errc code) {
  return out << name_of(code);
}

}  // namespace bloomery::inline v1

namespace bloomery::testing {

// The value, or an exception that says why there is none: a test ends there and fails.
template <class T>
T must(result<T> r) {
  if (!r) throw std::runtime_error(r.error().what);
  return *std::move(r);
}
inline void must(const result<void>& r) {
  if (!r) throw std::runtime_error(r.error().what);
}

}  // namespace bloomery::testing
