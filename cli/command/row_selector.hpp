// Prints or counts the rows whose keys are selected, batch after batch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "command/command_line.hpp"
#include "files/filter_group.hpp"
#include "text/row_printer.hpp"

namespace bloomery::cli {

struct select_options {
  bool absent = false;  // those that are definitely not present
  bool count = false;
  bool quiet = false;
  bool numbers = false;
  bool as_json = false;
  bool annotates = false;  // every row, with the answers as columns
  char separator = '\t';   // of columns
  bool is_csv = false;
  char terminator = '\n';
};

// Some keys, and the rows to print for those that are selected.
struct key_rows {
  std::span<const std::string_view> texts;
  std::span<const std::string_view> keys;
  std::string_view whole;  // if not empty: all texts with their terminators in one piece
  std::string_view file;   // empty: the command line
  std::uint64_t first;     // number of the first
};

class row_selector {
 public:
  // `names`: of the filters, as the user wrote them.  REQUIRES: `filters` and `o`
  // outlive it
  row_selector(const filter_group& filters, const std::vector<std::string>& names,
               const select_options& o);

  using asker = std::function<void(std::size_t filter, std::span<bool> out)>;
  // False: nothing more needs to be queried.  Throws failure, and what `ask` throws.
  bool take(const key_rows& rows, const asker& ask);

  // The first row of a file with columns, which is no key: printed once for files with
  // the same header, where rows are printed as they are.
  void take_header(std::string_view header);

  // Once for each filter: chunks are checked as keys touch them.
  void warn_of_damage();

  bool has_unwritten() const { return out_.has_unwritten(); }
  void flush() { out_.flush(); }
  exit_status finish();

 private:
  void print(const key_rows& rows, std::uint64_t here);

  const filter_group& filters_;
  const select_options& o_;
  row_printer out_;
  std::vector<std::unique_ptr<bool[]>> answers_;  // of each filter
  std::size_t room_ = 0;                          // of each of them
  std::vector<std::uint64_t> selected_;
  std::vector<bool> warned_;
  std::optional<std::string> header_;  // printed last
};

}  // namespace bloomery::cli
