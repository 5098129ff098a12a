// RocksDB's Standard128Ribbon: asked, not built.
//
// A key's equation starts at a slot and has 128 coefficients.  Slots come in blocks of
// 128; a block holds a 128-bit segment for each of its columns, bit j that of slot j.
// Column i agrees if the parity of the coefficients over the column is bit i of the
// key's result.  Blocks from `upper_start` on have `columns`, those before one less.
#pragma once

#include <string_view>

#include "format/dialect/dialect.hpp"

namespace bloomery::format {

// The bytes before the trailer, `blocks` and the seed as the trailer gives them.
// Errors: corrupt.
result<void> ribbon_inspect(layout& l, std::uint64_t blocks) noexcept;

bool ribbon_may_contain(const layout& l, const image& from,
                        std::string_view key) noexcept;

census ribbon_count(const layout& l) noexcept;

}  // namespace bloomery::format
