// Our own filters inside the tables of engines (spec/table_filter.md): those of blocks.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <bloomery/detail/kind/block/shape.hpp>

#include "format/dialect/dialect.hpp"

namespace bloomery::format {

// Whether the bytes bear our mark, whatever the kind.
bool is_own_table_filter(std::span<const std::byte> bytes) noexcept;

// What they say; no blocks: a kind that is not known here, which may contain every key.
block_shape own_table_shape(std::span<const std::byte> bytes) noexcept;

bool own_table_may_contain(std::span<const std::byte> bytes,
                           std::string_view key) noexcept;

census own_table_count(std::span<const std::byte> bytes) noexcept;

// From the bits; 1 of a kind that is not known here.
double own_table_rate(std::span<const std::byte> bytes) noexcept;

}  // namespace bloomery::format
