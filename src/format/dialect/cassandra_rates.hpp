// Cassandra's BloomCalculations: measured rates by bits per key and hashes, from which it
// chooses both.
#pragma once

#include <cstdint>

namespace bloomery::format {

inline constexpr std::uint32_t max_buckets = 20;  // bits per key; the rows of the table

struct bloom_rates {
  std::uint8_t hashes;  // in the row: 1 .. hashes
  double rate[15];      // [0], of no hash, is 1
};

inline constexpr bloom_rates cassandra_rates[max_buckets + 1] = {
    {0, {1}},
    {1, {1, 1}},
    {2, {1, .393, .400}},
    {3, {1, .283, .237, .253}},
    {4, {1, .221, .155, .147, .160}},
    {5, {1, .181, .109, .092, .092, .101}},
    {6, {1, .154, .0804, .0609, .0561, .0578, .0638}},
    {6, {1, .133, .0618, .0423, .0359, .0347, .0364}},
    {7, {1, .118, .0489, .0306, .024, .0217, .0216, .0229}},
    {8, {1, .105, .0397, .0228, .0166, .0141, .0133, .0135, .0145}},
    {8, {1, .0952, .0329, .0174, .0118, .00943, .00844, .00819, .00846}},
    {8, {1, .0869, .0276, .0136, .00864, .0065, .00552, .00513, .00509}},
    {8, {1, .08, .0236, .0108, .00646, .00459, .00371, .00329, .00314}},
    {9, {1, .074, .0203, .00875, .00492, .00332, .00255, .00217, .00199, .00194}},
    {10,
     {1, .0689, .0177, .00718, .00381, .00244, .00179, .00146, .00129, .00121, .0012}},
    {10,
     {1, .0645, .0156, .00596, .003, .00183, .00128, .001, .000852, .000775, .000744}},
    {11,
     {1, .0606, .0138, .005, .00239, .00139, .000935, .000702, .000574, .000505, .00047,
      .000459}},
    {12,
     {1, .0571, .0123, .00423, .00193, .00107, .000692, .000499, .000394, .000335,
      .000302, .000287, .000284}},
    {12,
     {1, .054, .0111, .00362, .00158, .000839, .000519, .00036, .000275, .000226, .000198,
      .000183, .000176}},
    {13,
     {1, .0513, .00998, .00312, .0013, .000663, .000394, .000264, .000194, .000155,
      .000132, .000118, .000111, .000109}},
    {14,
     {1, .0488, .00906, .0027, .00108, .00053, .000303, .000196, .00014, .000108, 8.89e-5,
      7.77e-5, 7.12e-5, 6.79e-5, 6.71e-5}},
};

// The lowest rate the table has; lower ones are not possible.
inline constexpr double min_rate = 6.71e-5;

// The first number of hashes with the lowest rate.  REQUIRES: buckets <= max_buckets
constexpr std::uint32_t best_hashes(std::uint32_t buckets) noexcept {
  const bloom_rates& row = cassandra_rates[buckets];
  std::uint32_t best = 0;
  for (std::uint32_t k = 1; k <= row.hashes; ++k)
    if (row.rate[k] < row.rate[best]) best = k;
  return best == 0 ? 1 : best;
}

struct bloom_choice {
  std::uint32_t hashes, buckets;
};

// The least bits, then the fewest hashes, that keep the rate.  REQUIRES: fpr >=
// min_rate
constexpr bloom_choice choose_by_rate(double fpr) noexcept {
  // Cassandra passes its two numbers here in the wrong order: two hashes, one bit.
  if (fpr >= cassandra_rates[2].rate[1]) return {2, best_hashes(2)};
  std::uint32_t buckets = 2;
  while (cassandra_rates[buckets].rate[best_hashes(buckets)] > fpr) ++buckets;
  const bloom_rates& row = cassandra_rates[buckets];
  std::uint32_t hashes = best_hashes(buckets);
  while (row.rate[hashes - 1] <= fpr) --hashes;  // ends at [0], which is 1
  return {hashes, buckets};
}

}  // namespace bloomery::format
