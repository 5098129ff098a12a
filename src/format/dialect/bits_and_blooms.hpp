// bits-and-blooms: its four forms, and the bitset in each (bits_and_blooms.cpp has the
// bytes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "format/dialect/base64.hpp"
#include "format/dialect/dialect.hpp"

namespace bloomery::format::bits_and_blooms {

inline constexpr std::size_t header = 24;
inline constexpr std::size_t bitset_at = 16;  // in the binary forms
// Characters of base64 with the bitset's length, and the first byte of its words: they
// give the filter its form, and are not among its cells.
inline constexpr std::size_t text_header = 12;

struct form {
  const char* name;
  bool text, little;
};
inline constexpr form forms[] = {{"binary", false, false},
                                 {"json", true, false},
                                 {"le", false, true},
                                 {"le-json", true, true}};

// layout::number
enum : std::size_t { bitset_length, form_index };
inline const form& form_of(const layout& l) noexcept {
  return forms[l.number[form_index]];
}

// --- the bitset, wherever it is ---

constexpr std::uint64_t words_for(std::uint64_t length) noexcept {
  return length / 64 + (length % 64 != 0);
}
constexpr std::uint64_t bitset_bytes(const layout& l) noexcept {
  return 8 + 8 * words_for(l.number[bitset_length]);
}

// Byte i of the bitset's own serialization, its length first.
inline std::uint8_t bitset_byte(const layout& l, const image& from,
                                std::uint64_t i) noexcept {
  if (form_of(l).text) return base64_byte(from.bytes.subspan(l.at - text_header), i);
  return static_cast<std::uint8_t>(from.bytes[bitset_at + i]);
}

inline bool is_whole(const layout& l, const image& from, std::uint64_t i) noexcept {
  return !form_of(l).text || from.whole(l.at - text_header + i / 3 * 4, 4);
}

// A bitset of `length` bits in `size` bytes; nothing is computed from a length that does
// not fit them.
inline bool fits(std::uint64_t size, std::uint64_t length) noexcept {
  return size >= 8 && size % 8 == 0 && words_for(length) == size / 8 - 1;
}

result<layout> inspect(std::span<const std::byte> bytes,
                       const foreign_options& o) noexcept;

}  // namespace bloomery::format::bits_and_blooms
