// What keys are before they are hashed (spec/hash.md, section 6).
//
// A hasher has a source and a file records it: a number that is inserted as one source
// and looked up as another is a different key, a silent false negative.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <bloomery/detail/export.hpp>

namespace bloomery::inline v1 {

enum class key_source : std::uint8_t {
  bytes,     // byte strings; text is its UTF-8
  integers,  // values modulo 2^64: hash_u64
  hashes,    // 64 uniform bits that the caller hashed: from_hash
  // Values that the caller converts to bytes: little-endian, big-endian (be).
  int32,
  int32be,
  int64be,
  float32,
  float64,
  utf16,
};
inline constexpr key_source last_key_source = key_source::utf16;

// Whether keys of this source come to a hasher as bytes.
constexpr bool is_hashed_as_bytes(key_source s) noexcept {
  return s != key_source::integers && s != key_source::hashes;
}

// "bytes", "integers", "hashes", "int32" ...
BLOOMERY_EXPORT const char* name_of(key_source source) noexcept;
BLOOMERY_EXPORT std::optional<key_source> find_key_source(std::string_view name) noexcept;

}  // namespace bloomery::inline v1
