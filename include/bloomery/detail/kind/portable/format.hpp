// The header of the portable dialect (spec/dialects.md), readable before anything is
// allocated.  Whole filters: portable_bloom::decode, encode, load, save.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/sizing.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

inline constexpr std::size_t portable_header_size = 12;

// The layout in the first bytes of a file of `file_size` bytes, which must match it.
// REQUIRES: head holds the first 12 bytes, or all if there are fewer.  Errors: corrupt.
BLOOMERY_EXPORT result<bloom_layout> inspect_portable(std::span<const std::byte> head,
                                                      std::uint64_t file_size) noexcept;

BLOOMERY_EXPORT std::array<std::byte, portable_header_size> portable_header(
    bloom_layout layout) noexcept;

}  // namespace bloomery::inline v1
