// Notices input that is not lines of text before garbage becomes keys: compressed data,
// UTF-16, a byte order mark, CR LF, CR alone, NUL bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace bloomery::cli {

// One input, piece by piece.  Whether it is refused depends on its bytes alone, however
// they arrive; the advice is the better the more of its start is there.
//
// Rules: a known magic number or byte order mark at the start; in lines, any NUL byte
// (UTF-16 always has some: its newline does), any line that ends in a carriage return,
// and input without any newline that has carriage returns instead.  Records that end in
// NUL may hold anything but the magic numbers and marks.
class text_check {
 public:
  // `file` is for the advice; empty: standard input.
  text_check(std::string file, bool is_nul_separated)
      : file_(std::move(file)), is_nul_separated_(is_nul_separated) {}

  // The next bytes.  Called for all of them: it does little after the start.
  void see(std::string_view fresh) {
    if (head_.size() < head_size || newline_at_ == none) see_start(fresh);
    if (!is_nul_separated_ && nul_at_ == none) {
      const void* nul = std::memchr(fresh.data(), 0, fresh.size());
      if (nul != nullptr)
        nul_at_ = seen_ + static_cast<std::uint64_t>(static_cast<const char*>(nul) -
                                                     fresh.data());
    }
    seen_ += fresh.size();
  }

  // What is wrong with what was seen, and what to do about it; empty: nothing so far.
  std::string why_not() const;
  // A line that ends in a carriage return.
  std::string why_not_line(std::uint64_t number) const;
  // All of it was seen.
  std::string why_not_whole() const;

 private:
  static constexpr std::size_t head_size = 4096;
  // A first line that is longer need not end before carriage returns count.
  static constexpr std::uint64_t start_size = 128u << 10;
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  void see_start(std::string_view fresh);
  std::string only_cr() const;

  std::string file_;
  bool is_nul_separated_;
  std::string head_;                 // up to head_size bytes
  std::uint64_t seen_ = 0;           // bytes
  std::uint64_t nul_at_ = none;      // the first
  std::uint64_t newline_at_ = none;  // the first
  std::uint64_t first_crs_ = 0;  // before any newline, in the first bytes of the input
};

}  // namespace bloomery::cli
