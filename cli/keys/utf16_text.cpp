#include "keys/utf16_text.hpp"

#include <fmt/core.h>

namespace bloomery::cli {
namespace {

char* put_point(std::uint32_t point, char* to) {
  const auto tail = [&](unsigned shift) {
    *to++ = static_cast<char>(0x80 | ((point >> shift) & 0x3f));
  };
  if (point < 0x80) {
    *to++ = static_cast<char>(point);
  } else if (point < 0x800) {
    *to++ = static_cast<char>(0xc0 | (point >> 6));
    tail(0);
  } else if (point < 0x10000) {
    *to++ = static_cast<char>(0xe0 | (point >> 12));
    tail(6);
    tail(0);
  } else {
    *to++ = static_cast<char>(0xf0 | (point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
  return to;
}

}  // namespace

void utf16_text::refuse_surrogate(std::uint32_t unit, std::uint64_t at) {
  why_not_ = fmt::format(
      "the surrogate {:04x} at byte {} (line {}) is not half of a pair", unit, at, line_);
}

char* utf16_text::put(std::uint32_t unit, char* to) {
  const bool is_low = unit >> 10 == 0xdc00 >> 10;
  if (high_ != 0 && is_low) {
    to = put_point(0x10000 + ((high_ - 0xd800) << 10) + (unit - 0xdc00), to);
    high_ = 0;
  } else if (high_ != 0) {
    refuse_surrogate(high_, seen_ - 2);
  } else if (is_low) {
    refuse_surrogate(unit, seen_);
  } else if (unit >> 10 == 0xd800 >> 10) {
    high_ = unit;
  } else {
    to = put_point(unit, to);
    line_ += unit == '\n';
  }
  seen_ += 2;
  return to;
}

std::size_t utf16_text::convert(std::string_view bytes, char* to) {
  char* const begin = to;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (!has_half_) {
      half_ = byte;
      has_half_ = true;
      continue;
    }
    has_half_ = false;
    const unsigned high = is_big_endian_ ? half_ : byte;
    const unsigned low = is_big_endian_ ? byte : half_;
    to = put(high << 8 | low, to);
    if (!why_not_.empty()) break;
  }
  return static_cast<std::size_t>(to - begin);
}

void utf16_text::finish() {
  if (!why_not_.empty()) return;
  if (high_ != 0) refuse_surrogate(high_, seen_ - 2);
  if (has_half_)
    why_not_ =
        fmt::format("it ends in half a unit, at byte {}: was it cut short?", seen_);
}

}  // namespace bloomery::cli
