// One full filter of RocksDB, for the dialect and for the tables that hold some.
#pragma once

#include <string_view>

#include "format/dialect/dialect.hpp"

namespace bloomery::format {

// By the last 5 bytes.  Errors: corrupt; invalid_argument (another variant than asked).
result<layout> rocksdb_inspect(std::span<const std::byte> bytes,
                               std::string_view variant) noexcept;

bool rocksdb_may_contain(const layout& l, const image& from,
                         std::string_view key) noexcept;

census rocksdb_count(const layout& l, const image& from) noexcept;

}  // namespace bloomery::format
