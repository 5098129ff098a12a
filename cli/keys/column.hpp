// Keys in one column of rows: the field of a row that is its key.
//
// A field that begins with a double quote means one thing in CSV and another in a list
// of bytes; unless the user says which, such rows are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bloomery::cli {

struct column {
  enum class quotes : std::uint8_t { refused, csv, bytes };

  std::size_t number = 0;  // from 1; 0: none, or by name
  std::string name;        // of a header
  bool header = false;     // the first row of every file is one
  char delimiter = 0;      // 0: by the quotes
  quotes quoting = quotes::refused;
  bool missing_is_empty = false;  // a row without the field has the empty key

  bool is_used() const { return number != 0 || !name.empty(); }
  bool has_header() const { return header || !name.empty(); }
  char separator() const {
    return delimiter != 0 ? delimiter : quoting == quotes::csv ? ',' : '\t';
  }
};

// One field of a row.  Where a quote is doubled inside, `text` is still as written.
struct field {
  std::string_view text;  // without the quotes around it
  bool has_doubled_quotes = false;
};

// The field of a row without any quote; null: there is none.
std::optional<std::string_view> bare_field(const column& c, std::string_view row);

// All fields of a row up to number `wanted`; with CSV the whole row is checked.  Throws
// failure without the place: quotes that are no CSV, or that nobody settled.
void split_row(const column& c, std::string_view row, std::size_t wanted,
               std::vector<field>& out);

// Appends it with doubled quotes undone.
void append_unquoted(std::string_view text, std::string& to);

// "; it has commas: --csv ..." for a row without TABs that is split at TABs; or empty.
std::string csv_advice(const column& c, std::string_view row);

// The number of the column that the header names.  Throws failure without the place.
std::size_t column_named(const column& c, std::string_view header);

// Finds the ends of CSV rows, which newlines inside quotes are not.
class csv_rows {
 public:
  // Whether the next byte ends a row.
  bool ends_at(char c, char delimiter, char terminator);
  void restart() { state_ = at::field_start; }

 private:
  enum class at : std::uint8_t { field_start, bare, quoted, quote };
  at state_ = at::field_start;
};

}  // namespace bloomery::cli
