#include "kit/latency.hpp"

#include <algorithm>

namespace bloomery::bench {
namespace {

std::uint64_t at_share(std::vector<std::uint64_t>& ticks, double share) {
  const auto at =
      static_cast<std::ptrdiff_t>(share * static_cast<double>(ticks.size() - 1));
  std::ranges::nth_element(ticks, ticks.begin() + at);
  return ticks[static_cast<std::size_t>(at)];
}

double measure_ns_per_tick() {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  const std::uint64_t first = stamp();
  while (clock::now() - start < std::chrono::milliseconds(20)) continue;
  const std::uint64_t last = stamp();
  const std::chrono::duration<double, std::nano> took = clock::now() - start;
  return took.count() / static_cast<double>(last - first);
}

std::uint64_t measure_overhead() {
  const std::vector<key> ks(1 << 16, key::from_bits(1));
  auto ticks = ticks_of_each(ks, [](key k) { return (k.bits() & 1) != 0; });
  return at_share(ticks, 0.5);
}

}  // namespace

percentiles percentiles_of(std::vector<std::uint64_t> ticks) {
  static const double ns_per_tick = measure_ns_per_tick();
  const std::uint64_t overhead = measure_overhead();
  const auto ns = [&](double share) {
    const std::uint64_t t = at_share(ticks, share);
    return static_cast<double>(t > overhead ? t - overhead : 0) * ns_per_tick;
  };
  return {ns(0.5), ns(0.99), ns(0.999)};
}

}  // namespace bloomery::bench
