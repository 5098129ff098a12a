// The inverse of model::short_halves: keys from set bits.
#pragma once

#include <bloomery/model.hpp>

namespace bloomery::inline v1::model {

// Keys whose expected fill is ones / bits; infinite if no number of keys sets so many.
double short_halves_keys(std::uint64_t bits, std::uint32_t hashes,
                         std::uint64_t ones) noexcept;

}  // namespace bloomery::inline v1::model
