#include "keys/utf16.hpp"

#include <cstdint>
#include <optional>

namespace bloomery::cli {
namespace {

// Takes one code point off the front.
std::optional<std::uint32_t> take_point(std::string_view& text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t lead = byte(0);
  const std::size_t length = lead < 0x80         ? 1
                             : lead >> 5 == 0x06 ? 2
                             : lead >> 4 == 0x0e ? 3
                             : lead >> 3 == 0x1e ? 4
                                                 : 0;
  if (length == 0 || text.size() < length) return std::nullopt;
  std::uint32_t point = length == 1 ? lead : lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6 != 0x02) return std::nullopt;
    point = point << 6 | (byte(i) & 0x3f);
  }
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xd800 && point < 0xe000;
  if (point < smallest[length] || point > 0x10ffff || surrogate) return std::nullopt;
  text.remove_prefix(length);
  return point;
}

void append_unit(std::uint32_t unit, std::string& bytes) {
  bytes.push_back(static_cast<char>(unit));
  bytes.push_back(static_cast<char>(unit >> 8));
}

}  // namespace

bool append_utf16(std::string_view text, std::string& bytes) {
  const std::size_t before = bytes.size();
  while (!text.empty()) {
    const auto point = take_point(text);
    if (!point) {
      bytes.resize(before);
      return false;
    }
    if (*point < 0x10000) {
      append_unit(*point, bytes);
    } else {
      append_unit(0xd800 + ((*point - 0x10000) >> 10), bytes);
      append_unit(0xdc00 + ((*point - 0x10000) & 0x3ff), bytes);
    }
  }
  return true;
}

}  // namespace bloomery::cli
