// The bytes of one file, or of standard input; decompressed if they are gzip, zstd or xz.
//
// What is compressed is recognised by its first bytes, in however small pieces a pipe
// delivers them.  Damaged or truncated data end in an error, never in a shorter text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keys/decompressor.hpp"
#include "text/progress.hpp"

namespace bloomery::cli {

// A compression format that is read.
struct codec {
  std::string_view name;
  std::string_view reader;  // a command that prints the text
  std::unique_ptr<decompressor> (*make)();
};

enum class decompress : std::uint8_t { never, if_compressed, always };

class input_bytes {
 public:
  // "-": standard input.  Throws failure: cannot open.
  input_bytes(const std::string& file, decompress how, progress& shown);
  ~input_bytes();
  input_bytes(const input_bytes&) = delete;

  // Some bytes; 0 at the end.  Throws failure.  REQUIRES: room for 16 bytes
  std::size_t read(std::span<char> room);

  const std::string& name() const { return name_; }
  // What it was compressed with, or null.  REQUIRES: something was read
  const codec* compression() const { return codec_; }

 private:
  std::size_t read_raw(std::span<char> room);
  std::size_t read_start(std::span<char> room);
  void check_not_cut(std::string_view head) const;
  std::size_t read_packed(std::span<char> room);
  decompressor::step unpack(std::span<char> room);

  std::string name_;
  int fd_;
  decompress how_;
  progress& progress_;
  bool started_ = false;

  const codec* codec_ = nullptr;
  std::unique_ptr<decompressor> unpack_;
  std::vector<char> packed_;  // compressed bytes, read in large pieces
  std::string_view waiting_;  // those that are still to be used
  bool raw_ended_ = false;
  std::uint64_t used_ = 0;  // compressed bytes so far
  std::uint64_t made_ = 0;  // bytes of text so far
};

}  // namespace bloomery::cli
