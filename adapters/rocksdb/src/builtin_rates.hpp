// What RocksDB's built-in filters are expected to give: formulas and constants of its
// format (spec/dialects/rocksdb.md), as its own sizing uses them.
#pragma once

#include <cstdint>

namespace bloomery_rocksdb {

// FastLocalBloom at so many bits per key; 1 below half a bit, where RocksDB makes none.
double builtin_bloom_fpr(double bits_per_key);

// The bits per key of a Standard128Ribbon filter for `keys` keys that RocksDB makes for
// the rate of a Bloom filter of `bloom_bits_per_key`.
double builtin_ribbon_bits(double bloom_bits_per_key, double keys);

// The inverse: the parameter with which it takes so many bits per key.
double builtin_ribbon_parameter(double bits_per_key, double keys);
// The parameter of either at which the rate is at most `fpr`.
double builtin_parameter_for_rate(double fpr);

}  // namespace bloomery_rocksdb
