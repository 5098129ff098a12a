// Bytes as hex text and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::testing {

inline std::string to_hex(std::span<const std::byte> bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (const std::byte b : bytes) {
    out += digits[static_cast<unsigned>(b) >> 4];
    out += digits[static_cast<unsigned>(b) & 15];
  }
  return out;
}
inline std::string to_hex(std::string_view bytes) {
  return to_hex(std::as_bytes(std::span(bytes)));
}
inline std::string to_hex(std::uint64_t v) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(v));
  return text;
}

inline std::uint64_t u64_from_hex(const std::string& text) {
  return std::stoull(text, nullptr, 16);
}

inline std::vector<std::byte> from_hex(std::string_view text) {
  const auto value = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    throw std::invalid_argument("not a lower-case hex digit");
  };
  if (text.size() % 2 != 0) throw std::invalid_argument("odd number of hex digits");
  std::vector<std::byte> out;
  for (std::size_t i = 0; i < text.size(); i += 2)
    out.push_back(static_cast<std::byte>(16 * value(text[i]) + value(text[i + 1])));
  return out;
}

inline std::string to_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace bloomery::testing
