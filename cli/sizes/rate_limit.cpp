#include "sizes/rate_limit.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "text/messages.hpp"

namespace bloomery::cli {
namespace {

using origin = rate_limit::origin;

// The largest number of keys at which the filter is expected to have this rate.
std::uint64_t max_keys_at(const any_filter& f, double fpr) {
  // Beyond 8 keys per bit every bit is set.
  std::uint64_t low = 0, high = 64 * std::uint64_t{f.size_in_bytes()} + 1;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (f.expected_fpr(middle) <= fpr ? low : high) = middle;
  }
  return low;
}

}  // namespace

std::string rate_limit::in_words() const {
  switch (from) {
    case origin::given:
      return fmt::format("the {} that --max-fpr allows", rate(fpr));
    case origin::asked:
      return fmt::format("the {} it was built for", rate(fpr));
    case origin::sized:
      return fmt::format("the {} it has with the keys it was sized for", rate(fpr));
    case origin::none:
      break;
  }
  return fmt::format("{}, the limit for a file that records no rate", rate(fpr));
}

// The estimate scatters by less than the square root of the keys.
double rate_limit::keys_with_scatter() const {
  const auto n = static_cast<double>(keys);
  return n + 3 * std::sqrt(n);
}

bool rate_limit::is_exceeded(double now, double estimated_keys) const {
  if (now <= fpr) return false;
  if (forgets) return from == origin::given && now > 1.05 * fpr;
  if (keys != 0) return estimated_keys > keys_with_scatter();
  // Another system's rate comes from 2^18 lookups.
  return now > fpr * (1 + 3 / std::sqrt(0x1p18 * fpr));
}

rate_limit limit_of(const any_filter& f, double asked, std::optional<double> given) {
  rate_limit limit;
  if (given)
    limit = {*given, origin::given};
  else if (asked > 0)
    limit = {asked, origin::asked};
  else if (f.capacity() != 0)
    limit = {f.design_fpr(), origin::sized};
  // A filter that forgets has its rate however many come: it is measured as often as it
  // takes the keys that it is made for.
  if (f.facts().forgets && f.capacity() != 0) {
    limit.keys = f.capacity();
    limit.forgets = true;
    return limit;
  }
  // At least one: 0 would mean unknown.
  limit.keys = std::max<std::uint64_t>(1, max_keys_at(f, limit.fpr));
  return limit;
}

rate_limit limit_of(const foreign_filter&, double asked, std::optional<double> given) {
  if (given) return {*given, origin::given};
  if (asked > 0) return {asked, origin::asked};
  return {};
}

}  // namespace bloomery::cli
