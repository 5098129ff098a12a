#include "builtin_rates.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace bloomery_rocksdb {
namespace {

constexpr double line_bits = 512, least_bits = 1, most_bits = 100;

int probes_of(double bits_per_key) {
  struct step {
    int millibits, probes;
  };
  constexpr step steps[] = {{2080, 1},  {3580, 2},   {5100, 3},   {6640, 4},
                            {8300, 5},  {10070, 6},  {11720, 7},  {14001, 8},
                            {16050, 9}, {18300, 10}, {22001, 11}, {25501, 12}};
  const int millibits = static_cast<int>(bits_per_key * 1000 + 0.500001);
  for (const step& s : steps)
    if (millibits <= s.millibits) return s.probes;
  return millibits > 50'000 ? 24 : (millibits - 1) / 2000 - 1;
}

// Keys fall into lines unevenly: the mean of lines a standard deviation above and below.
double in_lines(double bits_per_key, int probes) {
  const double keys = line_bits / bits_per_key, more = keys + std::sqrt(keys),
               fewer = std::max(keys - std::sqrt(keys), 1e-9);
  const auto plain = [probes](double bits) {
    return std::pow(1 - std::exp(-probes / bits), probes);
  };
  return (plain(line_bits / more) + plain(line_bits / fewer)) / 2;
}

// Slots per key of a ribbon filter that is nearly always solved with few seeds.
double ribbon_slots(double keys) {
  constexpr double from = 8, table[] = {248.851, 499.532, 1001.26, 2003.97, 4005.59,
                                        8000.39, 15966.6, 31828.1, 63447.3, 126506};
  const auto keys_at = [&](double log2_slots) -> double {
    if (log2_slots < from) return 0;
    const auto i = static_cast<std::size_t>(log2_slots - from);
    if (i < std::size(table)) return table[i];
    return std::exp2(log2_slots) /
           (std::exp2(17) / 126506 - 17 * 0.0038 + 0.0038 * log2_slots);
  };
  double log2_slots = std::floor(std::log2(std::max(keys, 1.0)) + 0.5);
  double low = keys_at(log2_slots), high;
  if (low == 0) return 256;
  if (keys < low) {
    high = low;
    low = keys_at(--log2_slots);
  } else {
    high = keys_at(log2_slots + 1);
  }
  const double slots =
      (keys - low) / (high - low) * std::exp2(log2_slots) + std::exp2(log2_slots);
  return std::max(256.0, std::ceil(slots / 128) * 128);
}

}  // namespace

double builtin_bloom_fpr(double bits_per_key) {
  if (bits_per_key < 0.5) return 1;
  const double bits = std::clamp(bits_per_key, least_bits, most_bits);
  return in_lines(bits, probes_of(bits));
}

double builtin_ribbon_bits(double bloom_bits_per_key, double keys) {
  const double fpr = builtin_bloom_fpr(bloom_bits_per_key);
  const double whole = std::floor(std::log2(std::max(1.0, std::floor(1 / fpr))));
  const double high = std::exp2(-whole), low = high / 2;
  const double columns = whole + 1 - std::clamp((fpr - low) / (high - low), 0.0, 1.0);
  return ribbon_slots(keys) / std::max(keys, 1.0) * columns;
}

double builtin_ribbon_parameter(double bits_per_key, double keys) {
  double low = least_bits, high = most_bits;
  if (builtin_ribbon_bits(low, keys) > bits_per_key) return 0;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (builtin_ribbon_bits(middle, keys) <= bits_per_key ? low : high) = middle;
  }
  return low;
}

double builtin_parameter_for_rate(double fpr) {
  double low = least_bits, high = most_bits;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (builtin_bloom_fpr(middle) > fpr ? low : high) = middle;
  }
  return high;
}

}  // namespace bloomery_rocksdb
