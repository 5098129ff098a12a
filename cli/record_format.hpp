// How keys are written as text: one a line, NUL-separated, or as hex.
#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace bloomery::cli {

struct record_format {
  bool nul = false;
  bool hex = false;

  char terminator() const { return nul ? '\0' : '\n'; }
};

// -0 and --hex
void add_record_options(CLI::App& command, record_format& format);

// Appends the bytes that `text` spells; false, with nothing appended, if it is not an
// even number of hex digits.
bool append_hex(std::string_view text, std::string& bytes);

// What a person can read: `key` itself, or "hex 00ff" if it is not plain ASCII.
std::string printable(std::string_view key);

}  // namespace bloomery::cli
