#include "sizes/overfull.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {

namespace {

// The estimate scatters by less than the square root of the keys.
bool is_overfull(double keys, std::uint64_t capacity) {
  const auto room = static_cast<double>(capacity);
  return capacity != 0 && keys > 1.05 * room + 2 * std::sqrt(room);
}

void tell(double keys, std::uint64_t capacity, const std::string& rates,
          std::string_view remedy) {
  const std::string many = std::isfinite(keys)
                               ? fmt::format("about {} distinct keys went",
                                             grouped(static_cast<std::uint64_t>(keys)))
                               : std::string("so many keys that every bit is set went");
  warn(fmt::format("{} into a filter for {}: it has a rate of {}; {}", many,
                   grouped(capacity), rates, remedy));
}

// The rate of a filter that grows and whose levels hold no more than their shares: at
// most the one it was sized for, or that of its keys if it keeps no rate.
double max_rate_of(const any_filter& filter, double keys) {
  const double design = filter.design_fpr();
  if (!std::isfinite(keys)) return design;
  return std::max(design, filter.expected_fpr(static_cast<std::uint64_t>(keys)));
}

}  // namespace

std::optional<std::string> overfull_levels(const any_filter& filter) {
  if (!filter.facts().grows) return std::nullopt;
  const double keys = filter.estimated_keys(), now = filter.realised_fpr(),
               most = max_rate_of(filter, keys);
  if (now <= 1.05 * most) return std::nullopt;
  return fmt::format("{} are more than its levels hold: it has a rate of {}, not {}",
                     about_keys(keys), rate(now), rate(most));
}

void warn_if_overfull(const any_filter& filter, std::string_view remedy) {
  const double keys = filter.estimated_keys();
  const std::uint64_t capacity = filter.capacity();
  if (const auto levels = overfull_levels(filter)) {
    warn(fmt::format("{}; {}", *levels, remedy));
  } else if (!filter.facts().grows && is_overfull(keys, capacity)) {
    tell(
        keys, capacity,
        fmt::format("{}, not {}", rate(filter.realised_fpr()), rate(filter.design_fpr())),
        remedy);
  }
}

void warn_if_overfull(const foreign_filter& filter, std::uint64_t capacity,
                      std::string_view remedy) {
  const double keys = filter.estimated_keys();
  if (is_overfull(keys, capacity))
    tell(keys, capacity, rate(filter.realised_fpr()), remedy);
}

}  // namespace bloomery::cli
