#include "keys/column.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "keys/record_format.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// The quoted field at the front of `rest`, which loses it.
field take_quoted(std::string_view& rest) {
  field f;
  std::size_t at = 1;
  for (;; at += 2) {
    at = rest.find('"', at);
    if (at == std::string_view::npos) throw failure("a quote is never closed");
    if (at + 1 >= rest.size() || rest[at + 1] != '"') break;
    f.has_doubled_quotes = true;
  }
  f.text = rest.substr(1, at - 1);
  rest.remove_prefix(at + 1);
  return f;
}

field take_bare(std::string_view& rest, char delimiter, bool is_csv) {
  const std::size_t end = std::min(rest.find(delimiter), rest.size());
  const field f{rest.substr(0, end)};
  if (is_csv && f.text.find('"') != std::string_view::npos)
    throw failure(
        "a quote inside a field that does not begin with one is no CSV: --no-quotes "
        "takes quotes as they are");
  rest.remove_prefix(end);
  return f;
}

}  // namespace

std::optional<std::string_view> bare_field(const column& c, std::string_view row) {
  std::size_t from = 0;
  for (std::size_t i = 1; i < c.number; ++i) {
    const std::size_t end = row.find(c.separator(), from);
    if (end == std::string_view::npos) return std::nullopt;
    from = end + 1;
  }
  return row.substr(from, row.find(c.separator(), from) - from);
}

void split_row(const column& c, std::string_view row, std::size_t wanted,
               std::vector<field>& out) {
  const bool is_csv = c.quoting == column::quotes::csv;
  out.clear();
  for (std::string_view rest = row;;) {
    const bool is_quoted = rest.starts_with('"');
    if (is_quoted && c.quoting == column::quotes::refused)
      throw failure(
          "a field begins with a double quote: --csv reads quotes as CSV has them, "
          "--no-quotes as part of the field");
    const field f =
        is_quoted && is_csv ? take_quoted(rest) : take_bare(rest, c.separator(), is_csv);
    if (out.size() < wanted) out.push_back(f);
    if (rest.empty()) return;
    if (rest[0] != c.separator())
      throw failure("after the closing quote of a field there is something else");
    if (out.size() == wanted && c.quoting == column::quotes::bytes) return;
    rest.remove_prefix(1);
  }
}

void append_unquoted(std::string_view text, std::string& to) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    to.push_back(text[i]);
    i += text[i] == '"';  // they come in pairs
  }
}

std::string csv_advice(const column& c, std::string_view row) {
  const bool has_commas = row.find(',') != row.npos && row.find('\t') == row.npos;
  return has_commas && c.separator() == '\t' ? "; it has commas: --csv reads it as CSV"
                                             : "";
}

std::size_t column_named(const column& c, std::string_view header) {
  std::vector<field> fields;
  split_row(c, header, header.size() + 1, fields);
  std::size_t found = 0;
  std::string names;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::string name;
    if (fields[i].has_doubled_quotes)
      append_unquoted(fields[i].text, name);
    else
      name = fields[i].text;
    if (name == c.name && found != 0)
      throw failure(fmt::format(
          "fields {} and {} of the header are both named '{}': name one by its number, "
          "with --header",
          found, i + 1, printable(c.name)));
    if (name == c.name) found = i + 1;
    names += (i == 0 ? "" : ", ") + printable(name);
  }
  if (found != 0) return found;
  throw failure(fmt::format("no field of the header is named '{}'; there are: {}{}",
                            printable(c.name), names.substr(0, 200),
                            csv_advice(c, header)));
}

bool csv_rows::ends_at(char c, char delimiter, char terminator) {
  if (state_ == at::quoted) {
    if (c == '"') state_ = at::quote;
    return false;
  }
  if (c == '"' && state_ != at::bare) {
    state_ = at::quoted;  // opened, or the second of a doubled one
    return false;
  }
  state_ = c == delimiter || c == terminator ? at::field_start : at::bare;
  return c == terminator;
}

}  // namespace bloomery::cli
