// A real number as a whole one.  Outside the range of an integer the language does not
// say what a conversion gives, and -fsanitize=float-cast-overflow ends the program.
#pragma once

#include <concepts>
#include <limits>

namespace bloomery::inline v1::model {

// x without its fraction; the nearest limit of T beyond its range, and 0 of NaN.
template <std::unsigned_integral T>
constexpr T saturated(double x) noexcept {
  constexpr double end = 2.0 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);
  if (!(x >= 1)) return 0;
  return x < end ? static_cast<T>(x) : std::numeric_limits<T>::max();
}

}  // namespace bloomery::inline v1::model
