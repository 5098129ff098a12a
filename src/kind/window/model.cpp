// Window filters: the rate of several filters that are queried one after the other.
#include <bloomery/model.hpp>

#include <algorithm>
#include <cmath>

namespace bloomery::inline v1 {
namespace model {

double window_fpr(const block_shape& one, unsigned generations,
                  std::uint64_t generation_keys, std::uint64_t inserts) noexcept {
  if (inserts == 0) return 0;
  if (generation_keys == 0) return block_fpr(one, static_cast<double>(inserts));
  const std::uint64_t before = (inserts - 1) / generation_keys;  // generations
  const double newest =
      block_fpr(one, static_cast<double>(inserts - before * generation_keys));
  const auto full = static_cast<double>(std::min<std::uint64_t>(before, generations - 1));
  const double old = block_fpr(one, static_cast<double>(generation_keys));
  if (full == 0)
    return newest;  // log1p(-1) is infinite, and no times that is not a number
  return -std::expm1(std::log1p(-newest) + full * std::log1p(-old));
}

}  // namespace model
}  // namespace bloomery::inline v1
