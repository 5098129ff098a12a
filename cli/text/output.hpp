// Standard output in large pieces, every error noticed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

namespace bloomery::cli {

class output {
 public:
  void write(std::string_view text) {
    if (text.size() > room) {
      flush();
      write_all(text);
    } else {
      append(text.size(), [&](char* to) {
        std::copy_n(text.data(), text.size(), to);
        return text.size();
      });
    }
  }
  void write(char c) { write(std::string_view(&c, 1)); }

  // fill(to) writes at most `most` bytes to `to`, and returns how many.
  // REQUIRES: most <= room
  template <class Fill>
  void append(std::size_t most, Fill fill) {
    if (room - used_ < most) flush();
    used_ += fill(buffer_.get() + used_);
  }
  static constexpr std::size_t room = 64u << 10;

  bool has_unwritten() const { return used_ != 0; }

  // Throws failure.  Call before the end: a destructor could not report an error.
  void flush() { write_all({buffer_.get(), std::exchange(used_, 0)}); }

 private:
  static void write_all(std::string_view text);

  std::unique_ptr<char[]> buffer_ = std::make_unique_for_overwrite<char[]>(room);
  std::size_t used_ = 0;
};

}  // namespace bloomery::cli
