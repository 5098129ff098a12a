// Rates of a kind by its bits per key, from the sizes that it really has.
#include <algorithm>
#include <cmath>

#include <bloomery/kinds.hpp>

namespace bloomery::inline v1 {

model::rate_curve rate_curve_of(const kind_info& kind, std::uint64_t keys) noexcept {
  double least = 1;
  return model::rate_curve::of([&](double bits_per_key) noexcept {
    const double bytes = std::floor(bits_per_key * static_cast<double>(keys) / 8);
    size_request within;
    within.memory = bytes < 0x1p63 ? static_cast<std::uint64_t>(bytes) : 0;
    if (const auto size = kind.size(keys, within); size)
      least = std::min(least, size->expected_fpr);  // NaN is not less
    return std::clamp(least, 0.0, 1.0);
  });
}

}  // namespace bloomery::inline v1
