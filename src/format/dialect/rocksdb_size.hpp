// How RocksDB sizes its Bloom filters, from the number of keys and the bits for each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "format/dialect/check.hpp"

namespace bloomery::format {

struct rocksdb_size {
  static constexpr std::uint64_t line = 64;  // bytes; the writer's cache line
  static constexpr std::uint32_t max_hashes = 30;

  std::uint64_t lines;
  std::uint32_t hashes;
};

// Thousandths of a bit decide the probes of the newer filter, whole bits the older.
struct rocksdb_bits_per_key {
  std::uint32_t milli;

  std::uint32_t whole() const noexcept { return (milli + 500) / 1000; }

  std::uint32_t fastlocal_hashes() const noexcept {
    constexpr std::uint32_t last[] = {2080,  3580,  5100,  6640,  8300,  10070,
                                      11720, 14001, 16050, 18300, 22001, 25501};
    for (std::uint32_t i = 0; i < std::size(last); ++i)
      if (milli <= last[i]) return i + 1;
    return milli > 50000 ? 24 : (milli - 1) / 2000 - 1;
  }
  std::uint32_t legacy_hashes() const noexcept {
    return std::clamp(static_cast<std::uint32_t>(whole() * 0.69), std::uint32_t{1},
                      rocksdb_size::max_hashes);
  }
};

// REQUIRES: at least half a bit; below that RocksDB makes no filter.
inline rocksdb_bits_per_key rocksdb_bits(double bits_per_key) noexcept {
  const double kept = std::clamp(bits_per_key, 1.0, 100.0);
  return {static_cast<std::uint32_t>(kept * 1000 + 0.500001)};
}

// The rate of `hashes` probes in lines of 512 bits, some of which got more keys.
inline double rocksdb_rate(double bits_per_key, double hashes) noexcept {
  const auto rate = [&](double bits) {
    return std::pow(1 - std::exp(-hashes / bits), hashes);
  };
  const double keys = 512 / bits_per_key, sigma = std::sqrt(keys);
  return (rate(512 / (keys + sigma)) + rate(512 / (keys - sigma))) / 2;
}

// RocksDB knows no rates: the fewest bits, in tenths or whole, that reach one.
inline result<double> rocksdb_bits_for_rate(double fpr, std::uint64_t keys,
                                            bool legacy) noexcept {
  for (std::uint32_t tenths = 10; tenths <= 1000; tenths += legacy ? 10 : 1) {
    const double bits = tenths / 10.0;
    const auto b = rocksdb_bits(bits);
    const double rate =
        legacy ? rocksdb_rate(bits, b.legacy_hashes()) +
                     static_cast<double>(keys) * 0x1p-32  // keys of equal hash
               : rocksdb_rate(bits, b.fastlocal_hashes());
    if (rate <= fpr) return bits;
  }
  return error{errc::unattainable, "100 bits per key do not reach this rate", 0, fpr};
}

inline result<rocksdb_size> rocksdb_size_for(const foreign_params& p,
                                             bool legacy) noexcept {
  foreign_params with_keys = p;  // none are allowed: a bare trailer
  with_keys.keys = std::max<std::uint64_t>(p.keys, 1);
  if (const auto ok = check_request(with_keys); !ok) return ok.error();
  double per_key = p.bits_per_key.value_or(10);
  if (p.bits && p.keys != 0 && !p.bits_per_key) {
    per_key = static_cast<double>(*p.bits) / static_cast<double>(p.keys);
  } else if (p.fpr && !p.bits_per_key) {
    const auto found = rocksdb_bits_for_rate(*p.fpr, p.keys, legacy);
    if (!found) return found.error();
    per_key = *found;
  }
  if (per_key < 0.5)
    return error{errc::invalid_argument, "no filter is made below half a bit per key", 0,
                 per_key, 0.5};
  const auto b = rocksdb_bits(per_key);
  const std::uint32_t hashes =
      p.hashes.value_or(legacy ? b.legacy_hashes() : b.fastlocal_hashes());
  if (hashes > rocksdb_size::max_hashes)
    return error{errc::invalid_argument, "at most 30 hashes", 0,
                 static_cast<double>(hashes), rocksdb_size::max_hashes};

  // RocksDB makes no filter larger than its lengths can say, for however many keys: it
  // would not keep its rate, and is refused here.
  const std::uint64_t keys = std::min(p.keys, std::uint64_t{1} << 45);
  const std::uint64_t most = legacy ? 0xffff0000 : std::uint64_t{0xffffffc0} * 8;
  const std::uint64_t bits = p.bits   ? *p.bits
                             : legacy ? keys * b.whole()
                                      : (keys * b.milli + 7999) / 8000 * 8;
  if (bits > most)
    return error{errc::too_large, "more bits than the format holds", 0,
                 static_cast<double>(bits), static_cast<double>(most)};
  std::uint64_t lines = (bits + 511) / 512;
  if (legacy && lines != 0) lines |= 1;  // an odd number of lines
  return rocksdb_size{lines, hashes};
}

}  // namespace bloomery::format
