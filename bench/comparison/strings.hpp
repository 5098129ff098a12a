// Keys that are 16-byte strings: does a batch cost more than its hashes and its lookups?
#pragma once

#include <cstdint>
#include <string>

#include "kit/interleave.hpp"

namespace bloomery::bench {

struct string_row {
  std::string name;
  std::uint64_t keys = 0;
  timing hash, hashed, strings;  // absent keys, batched: hash alone, lookup alone, both
};

// Measures the block filter.  Throws std::runtime_error if there is no memory.
string_row measure_strings(std::uint64_t keys, double fpr, unsigned rounds);

}  // namespace bloomery::bench
