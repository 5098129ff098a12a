// Rows on standard output: those that are selected, as they are, or with the filter and
// the line number in front as grep has them; all of them, with the answers as columns; or
// one JSON object per line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/output.hpp"
#include "text/selected_rows.hpp"

namespace bloomery::cli {

struct row_style {
  bool names_filter = false;  // FILTER:row
  bool numbers = false;       // 17:row, after the filter's name if both
  bool as_json = false;
  bool annotates = false;  // row<separator>answer, one answer per filter
  char separator = '\t';
  bool is_csv = false;     // names in the header are quoted
  char terminator = '\n';  // JSON always ends in a newline
};

struct selected_row {
  std::string_view text;
  std::uint64_t number;   // in its file, or among the arguments; from 1
  std::string_view file;  // empty: an argument
  bool possibly_present;  // JSON says which of the two answers it is
};

class row_printer {
 public:
  row_printer(const std::vector<std::string>& filters, const row_style& style);

  // Whether rows are printed as they were read: then they may be printed in one piece.
  bool is_plain() const {
    return !style_.names_filter && !style_.numbers && !style_.as_json &&
           !style_.annotates;
  }
  // Whether a header is printed above the rows.
  bool has_header() const {
    return !style_.numbers && !style_.as_json &&
           (style_.annotates || !style_.names_filter);
  }
  void print_header(std::string_view header);
  // All rows.  answers[f][i] is the answer of filter f to row i.
  void print_annotated(std::span<const std::string_view> rows,
                       std::span<const std::unique_ptr<bool[]>> answers);

  void print_whole(std::string_view rows) { out_.write(rows); }
  // Rows as they are, where answers[i] == wanted; write_selected has the rest.
  void print_selected(std::span<const std::string_view> rows,
                      std::span<const bool> answers, bool wanted, bool side_by_side) {
    write_selected(out_, rows, answers, wanted, side_by_side, style_.terminator);
  }
  void print(std::size_t filter, const selected_row& row);
  void print_count(std::size_t filter, std::uint64_t count);
  bool has_unwritten() const { return out_.has_unwritten(); }
  void flush() { out_.flush(); }

 private:
  void print_json(std::size_t filter, const selected_row& row);

  row_style style_;
  std::vector<std::string> prefixes_;  // "FILTER:", or the start of an object
  std::string columns_;                // of the answers, as they stand in a header
  std::string file_;                   // the last one printed as JSON ...
  std::string file_member_;            // ... and how
  output out_;
};

}  // namespace bloomery::cli
