// Standard output in large pieces, every error noticed.
#pragma once

#include <string>
#include <string_view>

namespace bloomery::cli {

class output {
 public:
  void write(std::string_view text) {
    if (text.size() >= room) {
      flush();
      write_all(text);
      return;
    }
    buffer_.append(text);
    if (buffer_.size() >= room) flush();
  }
  void write(char c) { write(std::string_view(&c, 1)); }

  bool has_unwritten() const { return !buffer_.empty(); }

  // Throws failure.  Call before the end: a destructor could not report an error.
  void flush() {
    write_all(buffer_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t room = 64u << 10;
  static void write_all(std::string_view text);

  std::string buffer_;
};

}  // namespace bloomery::cli
