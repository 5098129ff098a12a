// Text on its way to a sink, gathered into larger pieces.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <bloomery/detail/live/metrics.hpp>

namespace bloomery::live {

class text_writer {
 public:
  explicit text_writer(text_sink sink) noexcept : sink_(sink) {}
  ~text_writer() { flush(); }
  text_writer(const text_writer&) = delete;

  text_writer& put(std::string_view text) noexcept {
    if (text.size() > room_.size() - used_) flush();
    if (text.size() > room_.size()) {
      sink_.call(sink_.context, text);
      return *this;
    }
    std::ranges::copy(text, room_.begin() + static_cast<std::ptrdiff_t>(used_));
    used_ += text.size();
    return *this;
  }

  // A finite number, as short as it can be to be read back exactly.
  text_writer& number(double x) noexcept {
    std::array<char, 32> digits;  // 24 are enough
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr;
    return put({digits.data(), end});
  }
  // By hand: std::to_chars would put a table of the standard library among the symbols
  // that ours shows.
  text_writer& number(std::uint64_t x) noexcept {
    std::array<char, 20> digits;
    std::size_t at = digits.size();
    do digits[--at] = static_cast<char>('0' + x % 10);
    while ((x /= 10) != 0);
    return put({digits.data() + at, digits.size() - at});
  }

 private:
  void flush() noexcept {
    if (used_ != 0) sink_.call(sink_.context, {room_.data(), used_});
    used_ = 0;
  }

  text_sink sink_;
  std::array<char, 1024> room_;
  std::size_t used_ = 0;
};

}  // namespace bloomery::live
