// Notices input that is not lines of text before garbage becomes keys: compressed data
// that is not read, UTF-16 without a byte order mark, UTF-32, some lines with CR LF, CR
// alone, NUL bytes.  It sees the text after text_input has converted it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace bloomery::cli {

// One input, piece by piece.  Whether it is refused depends on its bytes alone, however
// they arrive; the advice is the better the more of its start is there.
//
// Rules: a known magic number or byte order mark at the start; any line that ends in CR
// LF (unless that was settled); in the first 128 KiB of lines, any NUL byte (UTF-16
// always has some: its newline does), and carriage returns without any newline. Records
// that end in NUL may hold anything but the magic numbers and marks.
class text_check {
 public:
  // `file` is for the advice; empty: standard input.
  text_check(std::string file, bool is_nul_separated)
      : file_(std::move(file)), is_nul_separated_(is_nul_separated) {}

  // It came out of compressed data, which this command prints.
  void unpacked_by(std::string_view reader) { unpacked_by_ = reader; }
  // Carriage returns that are left were meant.
  void keep_cr() { keeps_cr_ = true; }

  // The next bytes.
  void see(std::string_view fresh) {
    if (seen_ < start_size) {
      const std::string_view start = fresh.substr(0, start_size - seen_);
      see_start(start);
      bytes_ += start.size();
      fresh.remove_prefix(start.size());
    }
    if (!fresh.empty()) see_rest(fresh);
  }

  // What is wrong with what was seen, and what to do about it; empty: nothing so far.
  std::string why_not() const;
  // All of it was seen.
  std::string why_not_whole() const;

 private:
  static constexpr std::size_t head_size = 4096;
  static constexpr std::size_t start_size = 128u << 10;
  static constexpr std::size_t none = ~std::size_t{0};

  void see_start(std::string_view fresh);
  void see_rest(std::string_view fresh);
  std::string why_not_mark() const;
  std::string only_cr() const;

  std::string file_;
  bool is_nul_separated_;
  bool keeps_cr_ = false;
  std::string_view unpacked_by_;  // empty: it was not compressed
  std::string head_;              // up to head_size bytes
  std::size_t seen_ = 0;          // bytes, up to start_size
  std::size_t nul_at_ = none;     // the first
  std::uint64_t newlines_ = 0;    // so far
  std::uint64_t dos_line_ = 0;    // the first that ends in CR LF, from 1
  std::uint64_t first_crs_ = 0;   // before any newline
  std::uint64_t bytes_ = 0;       // all that were seen
  std::uint64_t dos_at_ = 0;      // of a CR LF after the start; 0: none
  char last_ = 0;
};

}  // namespace bloomery::cli
