// Streams keys from files and standard input, in batches, in bounded memory.
//
// Every record is a key, empty ones included; a final terminator adds none; a carriage
// return is part of the key.  Memory: one block, or the longest key if that is longer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "progress.hpp"
#include "record_format.hpp"

namespace bloomery::cli {

class record_reader {
 public:
  // No files, or "-", means standard input.  Files are opened as they are reached.
  record_reader(std::vector<std::string> files, record_format format, progress& shown);
  ~record_reader();
  record_reader(const record_reader&) = delete;

  // The next batch; false at the end.  What the last batch showed is gone.
  // Throws failure: unreadable file, hex that is none.
  bool next();

  // The records as they were written, without terminators ...
  std::span<const std::string_view> texts() const { return texts_; }
  // ... and the keys they spell.
  std::span<const std::string_view> keys() const { return format_.hex ? keys_ : texts_; }
  // If not empty: all of texts() with their terminators, in one piece.
  std::string_view whole() const { return whole_; }

  // "FILE, line 17" of the i-th record of this batch.
  std::string place(std::size_t i) const;

 private:
  bool open_next_file();
  void close_file();
  bool fill_block();
  void split(std::size_t scan_from);
  void decode_hex();

  std::vector<std::string> files_;
  std::size_t next_file_ = 0;
  record_format format_;
  progress& progress_;

  int fd_ = -1;
  std::string name_;           // of the open file
  std::uint64_t records_ = 0;  // of this file before this batch
  std::vector<char> block_;
  std::size_t begin_ = 0;  // first byte not yet handed out
  std::size_t end_ = 0;    // one past the last byte read

  std::vector<std::string_view> texts_;
  std::string_view whole_;
  std::vector<std::string_view> keys_;
  std::string decoded_;
};

}  // namespace bloomery::cli
