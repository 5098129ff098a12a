#include "sizes/overfull.hpp"

#include <fmt/core.h>

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
                               ? fmt::format("about {:.0f} distinct keys went", keys)
                               : std::string("so many keys that every bit is set went");
  warn(fmt::format("{} into a filter for {}: it has a rate of {}; {}", many,
                   grouped(capacity), rates, remedy));
}

}  // namespace

void warn_if_overfull(const any_filter& filter, std::string_view remedy) {
  const double keys = filter.estimated_keys();
  const std::uint64_t capacity = filter.capacity();
  if (is_overfull(keys, capacity))
    tell(keys, capacity,
         fmt::format("{}, not {}", rate(filter.realised_fpr()),
                     rate(filter.expected_fpr(capacity))),
         remedy);
}

void warn_if_overfull(const foreign_filter& filter, std::uint64_t capacity,
                      std::string_view remedy) {
  const double keys = filter.estimated_keys();
  if (is_overfull(keys, capacity))
    tell(keys, capacity, rate(filter.realised_fpr()), remedy);
}

}  // namespace bloomery::cli
