#include "text/row_printer.hpp"

#include <fmt/core.h>

#include "text/json.hpp"

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

}  // namespace

row_printer::row_printer(const std::vector<std::string>& filters, const row_style& style)
    : style_(style) {
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
  out_.write(style_.is_absent ? ",\"possibly_present\":false}\n"
                              : ",\"possibly_present\":true}\n");
}

void row_printer::print_count(std::size_t filter, std::uint64_t count) {
  out_.write(prefixes_[filter]);
  out_.write(style_.as_json ? fmt::format("\"count\":{}}}\n", count)
                            : fmt::format("{}\n", count));
}

}  // namespace bloomery::cli
