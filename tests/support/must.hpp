// Unwraps results in tests, and names what came back.
#pragma once

#include <ostream>
#include <stdexcept>
#include <utility>

#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

inline const char* name_of(errc code) noexcept {
  switch (code) {
    case errc::invalid_argument:
      return "invalid_argument";
    case errc::too_large:
      return "too_large";
    case errc::out_of_memory:
      return "out_of_memory";
    case errc::unattainable:
      return "unattainable";
    case errc::corrupt:
      return "corrupt";
    case errc::unsupported:
      return "unsupported";
    case errc::incompatible:
      return "incompatible";
    case errc::io:
      return "io";
  }
  return "unknown";
}

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
