// XXPH3: the preview of XXH3 in xxHash 0.7.2, which RocksDB froze as its Hash64 (seed 0).
//
// It shares XXH3's secret and shape, not its values.  RocksDB's version hashes the empty
// key to something other than 0.
#pragma once

#include <cstdint>
#include <string_view>

namespace bloomery::hash {

std::uint64_t xxph3(std::string_view bytes) noexcept;

}  // namespace bloomery::hash
