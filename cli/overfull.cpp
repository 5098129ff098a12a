#include "overfull.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "command.hpp"
#include "messages.hpp"

namespace bloomery::cli {

// The estimate scatters by less than the square root of the keys.
void warn_if_overfull(const any_filter& filter, std::string_view remedy) {
  const double keys = filter.estimated_keys();
  const auto capacity = static_cast<double>(filter.capacity());
  if (capacity == 0 || keys <= 1.05 * capacity + 2 * std::sqrt(capacity)) return;
  const std::string many = std::isfinite(keys)
                               ? fmt::format("about {:.0f} distinct keys went", keys)
                               : std::string("so many keys that every bit is set went");
  warn(fmt::format("{} into a filter for {}: it has a rate of {}, not {}; {}", many,
                   grouped(filter.capacity()), rate(filter.realised_fpr()),
                   rate(filter.expected_fpr(filter.capacity())), remedy));
}

}  // namespace bloomery::cli
