// Text on its way to a sink, gathered into larger pieces.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <string_view>

#include <bloomery/metrics.hpp>

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
  template <class T>
  text_writer& number(T x) noexcept {
    std::array<char, 32> digits;  // 24 for a double, 20 for 64 bits
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr;
    return put({digits.data(), end});
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
