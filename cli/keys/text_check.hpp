// Notices input that is not lines of text before garbage becomes keys: compressed data,
// UTF-16, a byte order mark, CR LF, NUL bytes.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bloomery::cli {

// The start of an input, and the records that end in it.
struct first_block {
  std::string_view bytes;
  std::span<const std::string_view> records;
  bool is_nul_separated;
};

// What is wrong with the input and what to do about it; empty: nothing was noticed.
//
// Rules: a known magic number or byte order mark at the start; in lines, any NUL byte of
// the block (UTF-16 always has some: its newline does), and any line of it that ends in a
// carriage return.  Records that end in NUL may hold anything else.
std::string why_not_text(const std::string& file, const first_block& block);

}  // namespace bloomery::cli
