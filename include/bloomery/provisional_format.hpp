// Which filter a provisional file holds; src/format/provisional.hpp has the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/export.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

enum class provisional_kind : std::uint8_t { block = 1, split_block = 2, bloom = 3 };

// REQUIRES: head holds the first 64 bytes of the file, or all if there are fewer.
// Errors: corrupt.
BLOOMERY_EXPORT result<provisional_kind> inspect_provisional(
    std::span<const std::byte> head) noexcept;

}  // namespace bloomery::inline v1
