#include "sizes/suggest_size.hpp"

#include <fmt/core.h>

#include <cmath>
#include <string>

namespace bloomery::cli {
namespace {

bool fits(const kind_info& what, std::uint64_t keys, const size_request& size,
          double bytes) {
  const auto need = bytes_needed(what.layout(keys, size));
  return need && *need <= bytes;
}

// 13987654321 -> 13900000000
std::uint64_t rounded_down(std::uint64_t n) {
  std::uint64_t step = 1;
  while (n / step >= 1000) step *= 10;
  return n / step * step;
}

}  // namespace

result<double> bytes_needed(const result<filter_size>& layout) {
  if (layout) return static_cast<double>(layout->bytes);
  if (layout.error().code == errc::too_large) return layout.error().asked;
  return layout.error();
}

std::uint64_t max_keys(const kind_info& what, const size_request& size, double bytes) {
  std::uint64_t low = 0, high = std::uint64_t{1} << 63;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (fits(what, middle, size, bytes) ? low : high) = middle;
  }
  return rounded_down(low);
}

std::optional<double> lowest_rate(const kind_info& what, std::uint64_t keys,
                                  size_request size, double bytes, double fpr) {
  const auto fits_at = [&](double rate) {
    size.fpr = rate;
    return fits(what, keys, size, bytes);
  };
  double low = std::log(fpr), high = std::log(0.5);
  if (!fits_at(0.5) || low >= high) return std::nullopt;
  while (high - low > 1e-3) {
    const double middle = (low + high) / 2;
    (fits_at(std::exp(middle)) ? high : low) = middle;
  }
  // Rounding to two digits may go down, and a change of profile may make a step.
  for (double rate = std::exp(high); rate < 0.5; rate *= 1.02) {
    const double rounded = std::stod(fmt::format("{:.2g}", rate));
    if (fits_at(rounded)) return rounded;
  }
  return 0.5;
}

}  // namespace bloomery::cli
