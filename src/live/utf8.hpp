// Text that must be UTF-8, from callers whose bytes may be anything.
#pragma once

#include <cstddef>
#include <string_view>

namespace bloomery::live {

inline constexpr std::string_view replacement = "\xef\xbf\xbd";  // U+FFFD

// Bytes of the character that `text` begins with; 0 if it begins with none.  Overlong
// forms, surrogates and what lies beyond U+10FFFF are none (Unicode 15, table 3-7).
// REQUIRES: !text.empty()
constexpr std::size_t character_size(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto within = [&](std::size_t i, unsigned low, unsigned high) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const auto follows = [&](std::size_t i) { return within(i, 0x80, 0xbf); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool second =
        within(1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf);
    return second && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool second =
        within(1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

// put(piece) for each character; `escaped` gives what to write for one byte, or nothing
// to write it as it is.
template <class Put, class Escape>
void write_utf8(std::string_view text, Put put, Escape escaped) noexcept {
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    const std::string_view other = size == 1 ? escaped(text.front()) : std::string_view();
    if (size == 0)
      put(replacement);
    else
      put(other.empty() ? text.substr(0, size) : other);
    text.remove_prefix(size == 0 ? 1 : size);
  }
}

}  // namespace bloomery::live
