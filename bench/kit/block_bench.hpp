// The block filters, measured.
#pragma once

#include <cstdint>

#include "kit/measure.hpp"

namespace bloomery::bench {

// Errors: as make of the filter, out_of_memory.
result<figures> measure_block(std::uint64_t keys, double fpr, const options& o);
result<figures> measure_split_block(std::uint64_t keys, double fpr, const options& o);

}  // namespace bloomery::bench
