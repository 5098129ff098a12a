// Lookups of a service, drawn by chance.
#pragma once

#include <cmath>
#include <cstdint>

#include <bloomery/detail/live/observed_rate.hpp>

#include "test_key.hpp"

namespace bloomery::testing {

// Hits of `n` draws of probability p: skips from hit to hit, so it costs the hits only.
inline std::uint64_t binomial(random& from, std::uint64_t n, double p) {
  if (p >= 1) return n;
  if (p <= 0) return 0;
  if (p > 0.5) return n - binomial(from, n, 1 - p);
  const double scale = 1 / std::log1p(-p);
  std::uint64_t hits = 0;
  for (double at = 0;; ++hits) {
    at += std::floor(std::log1p(-from.unit()) * scale) + 1;
    if (at > static_cast<double>(n)) return hits;
  }
}

// A sum of uniform draws, as good as normal to 6 deviations.
inline double normal(random& from) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += from.unit();
  return sum;
}

struct traffic {
  double fpr;
  std::uint64_t absent;   // lookups of keys that are not there
  std::uint64_t present;  // and of keys that are
  double sampled = 1;     // chance of a "perhaps" to be confirmed
};

inline lookup_counts lookups_of(const traffic& t, random& from) {
  const std::uint64_t wrong = binomial(from, t.absent, t.fpr);
  return {t.absent - wrong, wrong + t.present, binomial(from, t.present, t.sampled),
          binomial(from, wrong, t.sampled)};
}

}  // namespace bloomery::testing
