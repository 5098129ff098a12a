#include "text/row_printer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "text/json.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// "NAME":"text", or "NAME_hex":"00ff" of bytes that are no UTF-8.
std::string member_of(std::string_view name, std::string_view text) {
  if (const auto quoted = json_string(text))
    return fmt::format("\"{}\":{}", name, *quoted);
  std::string hex = fmt::format("\"{}_hex\":\"", name);
  for (const char c : text) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hex += '"';
}

constexpr std::string_view answer_name = "possibly_present";

// A field of a header.  Only CSV can quote what would split it.
std::string field_of(const std::string& name, const row_style& style) {
  const bool splits = name.find_first_of("\"\r\n") != name.npos ||
                      name.find(style.separator) != name.npos;
  if (!splits) return name;
  if (!style.is_csv) return one_line(name);
  std::string quoted = "\"";
  for (const char c : name) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted += '"';
}

// One filter: possibly_present; several: their names.
std::string columns_of(const std::vector<std::string>& filters, const row_style& style) {
  if (!style.annotates) return "";
  std::string text;
  if (filters.size() == 1) return style.separator + std::string(answer_name);
  for (const std::string& filter : filters)
    text += style.separator + field_of(filter, style);
  return text;
}

// An answer, after its separator; the last one of a row with the terminator.  Copied as
// 8 bytes, whatever its length.
struct answer_column {
  answer_column(const row_style& style, bool answer) {
    const std::string_view word = answer ? "true" : "false";
    text[0] = style.separator;
    std::ranges::copy(word, text.begin() + 1);
    size = word.size() + 1;
    if (!style.names_filter) text[size++] = style.terminator;
  }
  std::size_t write(char* to) const {
    std::ranges::copy(text, to);
    return size;
  }

  std::array<char, 8> text{};
  std::size_t size;
};

}  // namespace

row_printer::row_printer(const std::vector<std::string>& filters, const row_style& style)
    : style_(style), columns_(columns_of(filters, style)) {
  for (const std::string& filter : filters)
    prefixes_.push_back(style.as_json        ? "{" + member_of("filter", filter) + ","
                        : style.names_filter ? filter + ":"
                                             : "");
}

void row_printer::print(std::size_t filter, const selected_row& row) {
  if (style_.as_json) return print_json(filter, row);
  if (style_.names_filter) out_.write(prefixes_[filter]);
  if (style_.numbers) out_.write(fmt::format("{}:", row.number));
  out_.write(row.text);
  out_.write(style_.terminator);
}

void row_printer::print_json(std::size_t filter, const selected_row& row) {
  out_.write(prefixes_[filter]);
  if (row.file.empty()) {
    out_.write(fmt::format("\"argument\":{},", row.number));
  } else {
    if (file_ != row.file || file_member_.empty()) {
      file_ = row.file;
      file_member_ = member_of("file", row.file);
    }
    out_.write(file_member_);
    out_.write(fmt::format(",\"line\":{},", row.number));
  }
  out_.write(member_of("row", row.text));
  out_.write(row.possibly_present ? ",\"possibly_present\":true}\n"
                                  : ",\"possibly_present\":false}\n");
}

void row_printer::print_header(std::string_view header) {
  out_.write(header);
  out_.write(columns_);
  out_.write(style_.terminator);
}

void row_printer::print_annotated(std::span<const std::string_view> rows,
                                  std::span<const std::unique_ptr<bool[]>> answers) {
  const std::array columns{answer_column(style_, false), answer_column(style_, true)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string_view row = rows[i];
    const bool fits = row.size() <= output::room / 2;
    if (!fits) out_.write(row);
    out_.append((fits ? row.size() : 0) + sizeof(answer_column::text), [&](char* to) {
      char* const from = to;
      if (fits) to = std::copy_n(row.data(), row.size(), to);
      to += columns[answers.front()[i]].write(to);
      return static_cast<std::size_t>(to - from);
    });
    if (answers.size() == 1) continue;
    for (const auto& maybe : answers.subspan(1))
      out_.append(sizeof(answer_column::text),
                  [&](char* to) { return columns[maybe[i]].write(to); });
    out_.write(style_.terminator);
  }
}

void row_printer::print_count(std::size_t filter, std::uint64_t count) {
  out_.write(prefixes_[filter]);
  out_.write(style_.as_json ? fmt::format("\"count\":{}}}\n", count)
                            : fmt::format("{}\n", count));
}

}  // namespace bloomery::cli
