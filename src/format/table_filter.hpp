// The bytes of spec/table_filter.md, for the tables of engines that are read whole.
#pragma once

#include <cstddef>
#include <span>

#include <bloomery/container.hpp>
#include <bloomery/detail/format/table_filter.hpp>

namespace bloomery::format {

// What the last bytes say of a filter of this kind; the checksum is not looked at.
// Errors: corrupt, at the byte.  REQUIRES: kind is table_filter_kind(bytes), not foreign
result<container_facts> table_filter_facts(container_kind kind,
                                           std::span<const std::byte> bytes) noexcept;

// Whether the checksum is that of the bytes.  REQUIRES: as above
bool table_filter_is_whole(std::span<const std::byte> bytes) noexcept;

}  // namespace bloomery::format
