// RocksDB's slices as the library's spans, and the two filters without bits.
#pragma once

#include <rocksdb/slice.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace bloomery_rocksdb {

inline std::string_view text_of(const rocksdb::Slice& s) noexcept {
  return {s.data(), s.size()};
}
inline std::span<const std::byte> bytes_of(const rocksdb::Slice& s) noexcept {
  return std::as_bytes(std::span(s.data(), s.size()));
}

// In RocksDB up to five bytes match nothing, and a trailer that begins with zero all.  We
// believe the former only of what is written for no keys: by us, and by RocksDB's own.
inline rocksdb::Slice matches_nothing() noexcept { return {"\0\0\0\0\0", 5}; }
inline bool is_of_no_keys(const rocksdb::Slice& s) noexcept {
  return s == matches_nothing() || s == rocksdb::Slice("\377\0\6\0\0", 5);
}
inline rocksdb::Slice matches_everything() noexcept { return {"\0\0\0\0\0\0", 6}; }

}  // namespace bloomery_rocksdb
