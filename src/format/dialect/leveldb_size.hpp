// How LevelDB sizes its filters, from the number of keys and the bits for each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "format/dialect/check.hpp"

namespace bloomery::format {

inline constexpr std::uint32_t leveldb_most_hashes = 30;

inline std::uint32_t leveldb_hashes(double bits_per_key) noexcept {
  return static_cast<std::uint32_t>(
      std::clamp(bits_per_key * 0.69, 1.0, static_cast<double>(leveldb_most_hashes)));
}

// The owner takes whole bits per key.  It knows no rates: the fewest that reach one.
inline result<double> leveldb_bits_per_key(const foreign_params& p) noexcept {
  if (p.bits_per_key) {
    if (*p.bits_per_key != std::floor(*p.bits_per_key) || *p.bits_per_key > 0x7fffffff)
      return error{errc::invalid_argument, "bits per key are a whole number here", 0,
                   *p.bits_per_key, std::floor(*p.bits_per_key)};
    return p.bits_per_key.value();
  }
  if (!p.fpr) return 10.0;
  for (double b = 1; b <= 100; ++b) {
    const double k = leveldb_hashes(b);
    if (std::pow(-std::expm1(-k / b), k) <= *p.fpr) return b;
  }
  return error{errc::unattainable, "30 hashes do not reach this rate", 0, *p.fpr};
}

inline result<bloom_size> leveldb_size(const foreign_params& p) noexcept {
  foreign_params with_keys = p;  // a filter without keys has 64 bits
  with_keys.keys = std::max<std::uint64_t>(p.keys, 1);
  if (const auto ok = check_request(with_keys); !ok) return ok.error();
  auto per_key = leveldb_bits_per_key(p);
  if (!per_key) return per_key.error();
  if (p.bits && p.keys != 0 && !p.bits_per_key)
    per_key = static_cast<double>(*p.bits) / static_cast<double>(p.keys);
  const std::uint32_t hashes = p.hashes.value_or(leveldb_hashes(*per_key));
  if (hashes > leveldb_most_hashes)
    return error{errc::invalid_argument, "at most 30 hashes", 0,
                 static_cast<double>(hashes), leveldb_most_hashes};
  const double bits =
      p.bits ? static_cast<double>(*p.bits) : static_cast<double>(p.keys) * *per_key;
  return checked_size(std::max(bits, 64.0), hashes);
}

}  // namespace bloomery::format
