// The 32-bit hash of LevelDB's filters, and RocksDB's version of it.
//
// Both read 4 bytes at a time; what is left at the end is added byte by byte.  LevelDB
// adds them as they are; RocksDB has always added them as signed characters, and keeps
// to it because files hold the result.  They agree where those bytes are below 0x80.
#pragma once

#include <cstdint>
#include <string_view>

namespace bloomery::hash {

inline constexpr std::uint32_t leveldb_bloom_seed = 0xbc9f1d34;

std::uint32_t leveldb(std::string_view bytes,
                      std::uint32_t seed = leveldb_bloom_seed) noexcept;
std::uint32_t rocksdb32(std::string_view bytes,
                        std::uint32_t seed = leveldb_bloom_seed) noexcept;

}  // namespace bloomery::hash
