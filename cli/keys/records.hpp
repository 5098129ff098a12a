// Splits files and standard input into keys, batch by batch, in bounded memory.
//
// Every record is a key or has one in a column, empty ones included; a final terminator
// adds none.  Files are decompressed and converted first (text_input.hpp).  Input that is
// not lines of text is refused where that shows, and a file without any key at its end,
// unless the format says otherwise.
// Memory: one block per batch, or about twice the longest record if that is longer; what
// decompression takes besides.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keys/record_format.hpp"
#include "keys/text_check.hpp"
#include "keys/text_input.hpp"
#include "text/progress.hpp"

namespace bloomery::cli {

// Some records of one file, and the memory they lie in.
class record_batch {
 public:
  // The records as they were written, whole rows, without terminators ...
  std::span<const std::string_view> texts() const { return texts_; }
  // ... and the keys they spell, or that are in their column.
  std::span<const std::string_view> keys() const {
    return has_own_keys_ ? keys_ : texts_;
  }
  // The header of the file, in its first batch, which may have no records; no key.
  const std::optional<std::string>& header() const { return header_; }
  // If not empty: all of texts() with their terminators, in one piece.
  std::string_view whole() const { return whole_; }

  // "FILE, line 17" of the i-th record.
  std::string place(std::size_t i) const;
  // "FILE" and 17 alone.
  const std::string& file() const { return file_; }
  std::uint64_t number(std::size_t i) const { return before_ + i + 1; }

 private:
  friend class record_reader;

  void take_block(std::string_view unfinished);
  void take_arguments(std::vector<std::string> keys);
  std::span<char> room_after(std::size_t end);
  std::string_view split(std::size_t scan_from, std::size_t end);
  std::string_view split_csv(std::size_t scan_from, std::size_t end, csv_rows& rows);
  void take_header();
  void find_fields();
  void spell();

  std::vector<char> block_;
  std::vector<std::string> arguments_;  // instead of it
  std::vector<std::string_view> texts_;
  std::string_view whole_;
  std::optional<std::string> header_;
  bool has_own_keys_ = false;
  std::vector<std::string_view> keys_;
  std::string decoded_;
  std::vector<field> fields_;  // of one row
  std::string unquoted_;
  record_format format_;
  std::string file_;
  std::uint64_t before_ = 0;  // records of this file before this batch
};

class record_reader {
 public:
  // format.arguments come first.  No files and no arguments, or "-", means standard
  // input.  Files are opened as they are reached.  A notice reports what was converted,
  // once per file, unless format.quiet.
  record_reader(std::vector<std::string> files, record_format format, progress& shown);
  record_reader(const record_reader&) = delete;

  // Fills `batch` with the next records; false, with none in it, at the end.
  // Throws failure: unreadable file, text that spells no key, bytes that are no text, a
  // file without keys.
  bool next(record_batch& batch);

 private:
  bool open_next_file();
  std::size_t read_into(std::span<char> room);
  void read_records(record_batch& batch);
  void check_length(std::size_t bytes) const;
  void check_text(const record_batch& batch, std::size_t bytes) const;
  void check_not_empty() const;
  void notice_conversions();
  void take_columns(record_batch& batch);

  std::vector<std::string> files_;
  std::size_t next_file_ = 0;
  record_format format_;
  progress& progress_;
  std::vector<std::string> arguments_;  // not handed out yet

  std::optional<text_input> input_;  // the open file
  std::string name_;                 // of the file
  std::uint64_t records_ = 0;        // of this file so far, with its header
  bool has_keys_ = false;
  bool noticed_ = false;
  std::size_t field_ = 0;  // number of the column in this file; 0: not known yet
  csv_rows rows_;
  text_check text_{"", false};
  std::string unfinished_;  // a record whose end has not been read
};

}  // namespace bloomery::cli
