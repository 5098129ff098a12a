// How keys are written as text: one per line, NUL-separated, in a column, as hex, or as
// numbers.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "keys/column.hpp"
#include "keys/key_type.hpp"
#include "keys/text_input.hpp"

namespace bloomery::cli {

struct record_format {
  bool nul = false;
  bool hex = false;
  bool as_is = false;   // whatever the bytes look like, they are the keys
  bool unpack = false;  // the input must be compressed
  bool crlf = false;    // a CR before a newline is dropped, wherever it stands
  bool quiet = false;   // no notice of what was converted
  charset text = charset::by_mark;
  column field;             // where in a record the key is
  bool allow_empty = true;  // a file without keys is no mistake
  key_encoding encoding;
  std::vector<std::string> arguments;  // keys of the command line, before those of files

  char terminator() const { return nul ? '\0' : '\n'; }
  // Whether keys are their texts as they are written.
  bool is_plain() const { return !hex && encoding.is_plain(); }
  // How the bytes of a file become text.
  text_options text_of_file() const { return {as_is, unpack, nul, crlf, text}; }
};

// Appends the bytes that `text` spells; false, with nothing appended, if it is not an
// even number of hex digits.
bool append_hex(std::string_view text, std::string& bytes);

// An upper bound of the bytes that `text` spells.  REQUIRES: !f.is_plain()
std::size_t room_for(const record_format& f, std::string_view text);

// Appends the key that `text` spells.  Throws failure, which begins with place().
// REQUIRES: !f.is_plain()
void append_key(const record_format& f, std::string_view text,
                const std::function<std::string()>& place, std::string& bytes);

// The format with keys of that encoding.  Throws failure if both it and hex spell bytes,
// or if it is unknown.
record_format with_encoding(record_format f, const key_encoding& encoding);

// What a person can read: `key` itself, or "hex 00ff" if it is not plain ASCII.
std::string printable(std::string_view key);

}  // namespace bloomery::cli
