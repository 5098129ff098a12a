// The portable filter, measured beside its textbook version.
#pragma once

#include <cstdint>

#include "kit/measure.hpp"

namespace bloomery::bench {

// Errors: as portable_bloom::make, out_of_memory.
result<figures> measure_portable(std::uint64_t keys, double fpr, const options& o);

}  // namespace bloomery::bench
