// Numbers that no formula should be given.
#pragma once

#include <limits>

namespace bloomery::testing {

inline constexpr double infinite = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace bloomery::testing
