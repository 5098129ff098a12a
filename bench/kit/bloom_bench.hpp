// The classic Bloom filter, measured.
#pragma once

#include <cstdint>

#include "kit/measure.hpp"

namespace bloomery::bench {

// Errors: as bloom::make, out_of_memory.
result<figures> measure_bloom(std::uint64_t keys, double fpr, const options& o);

}  // namespace bloomery::bench
