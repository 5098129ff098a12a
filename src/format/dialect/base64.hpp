// Base64 of either alphabet read in place, and the one for URLs written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::format {

inline constexpr char base64_url[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

inline constexpr std::uint8_t not_base64 = 0xff;

inline constexpr auto base64_values = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(not_base64);
  for (std::uint8_t i = 0; i < 64; ++i)
    values[static_cast<unsigned char>(base64_url[i])] = i;
  values['+'] = 62;
  values['/'] = 63;
  return values;
}();

constexpr std::uint8_t base64_value(std::byte c) noexcept {
  return base64_values[static_cast<std::uint8_t>(c)];
}

// Byte i of what `text` stands for.
// REQUIRES: the four characters around it are in `text`; what is none of base64 is 0
inline std::uint8_t base64_byte(std::span<const std::byte> text,
                                std::uint64_t i) noexcept {
  std::uint32_t group = 0;
  for (const std::byte c : text.subspan(static_cast<std::size_t>(i / 3 * 4), 4)) {
    const std::uint8_t v = base64_value(c);
    group = group << 6 | (v == not_base64 ? 0u : v);
  }
  return static_cast<std::uint8_t>(group >> (16 - 8 * (i % 3)));
}

constexpr std::uint64_t base64_length(std::uint64_t bytes) noexcept {
  return (bytes / 3 + (bytes % 3 != 0)) * 4;
}

// Writes byte_at(0) .. byte_at(size - 1), padded.
// REQUIRES: out.size() == base64_length(size)
template <class ByteAt>
void write_base64(std::span<std::byte> out, std::uint64_t size, ByteAt byte_at) noexcept {
  std::size_t to = 0;
  for (std::uint64_t i = 0; i < size; i += 3) {
    std::uint32_t group = 0;
    for (std::uint64_t j = i; j < i + 3; ++j)
      group = group << 8 | (j < size ? static_cast<std::uint32_t>(byte_at(j)) : 0u);
    for (unsigned shift = 24; shift != 0;) {
      shift -= 6;
      const bool padding = i + (18 - shift) / 6 > size;
      out[to++] = static_cast<std::byte>(padding ? '=' : base64_url[group >> shift & 63]);
    }
  }
}

}  // namespace bloomery::format
