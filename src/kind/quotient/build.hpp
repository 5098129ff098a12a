// A quotient filter of keys that are sorted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/quotient.hpp>

namespace bloomery::inline v1 {

// Builds a filter of exactly this layout.  Errors: as quotient::make; full.
// REQUIRES: ks are distinct, and ascending
result<quotient> build_quotient(const quotient_layout& layout, std::span<const key> ks,
                                std::uint64_t keys, hasher h,
                                std::uint64_t identity) noexcept;

}  // namespace bloomery::inline v1
