// One input as UTF-8 text whose lines end in a newline.
//
// What is converted is read as if it had been piped through zcat, iconv and dos2unix
// first:
// - gzip, zstd and xz data are decompressed (input_bytes.hpp);
// - a byte order mark of UTF-8 is dropped; UTF-16 with one is converted;
// - where the first line ends in CR LF every line must, and loses the CR.
// All of it depends on the bytes alone, however a pipe delivers them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keys/input_bytes.hpp"
#include "keys/line_ends.hpp"
#include "keys/utf16_text.hpp"

namespace bloomery::cli {

enum class charset : std::uint8_t { by_mark, utf8, utf16le, utf16be };

// What of it the user has settled.
struct text_options {
  bool as_is = false;   // no conversion
  bool unpack = false;  // it must be compressed
  bool nul = false;     // records end in NUL: lines and marks mean nothing
  bool crlf = false;    // a CR before a newline is dropped, wherever it stands
  charset encoding = charset::by_mark;
};

class text_input {
 public:
  // Throws failure: cannot open.
  text_input(const std::string& file, const text_options& o, progress& shown);

  // Some bytes; 0 at the end.  Throws failure.  REQUIRES: room for 4096 bytes
  std::size_t read(std::span<char> room);

  const std::string& name() const { return bytes_.name(); }
  const codec* compression() const { return bytes_.compression(); }
  // Whether the CR of each line is dropped.
  bool drops_cr() const { return lines_.drops_cr(); }
  // What was converted without an option: "CR LF to LF"; empty: nothing.  Final after the
  // first line.
  std::string conversions() const;

 private:
  std::size_t read_start(std::span<char> room);
  std::size_t read_text(std::span<char> room);
  std::size_t read_utf16(std::span<char> room);
  std::size_t convert_utf16(std::string_view bytes, std::span<char> room);
  void take_mark(std::string_view head);
  [[noreturn]] void refuse(const std::string& why) const;

  input_bytes bytes_;
  text_options options_;
  bool started_ = false;
  std::size_t mark_size_ = 0;
  bool had_mark_ = false;
  std::optional<utf16_text> utf16_;
  std::vector<char> units_;  // bytes of UTF-16
  line_ends lines_;
};

}  // namespace bloomery::cli
