// Files, read whole or replaced whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/pages.hpp>
#include <bloomery/progress.hpp>
#include <bloomery/result.hpp>

namespace bloomery::format {

// A regular file opened for reading.
class input_file {
 public:
  // Errors: io (missing, no permission), invalid_argument (a directory, a pipe).
  static result<input_file> open(const char* path) noexcept;

  input_file(input_file&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), size_(other.size_) {}
  input_file& operator=(input_file&& other) noexcept {
    std::swap(fd_, other.fd_);
    size_ = other.size_;
    return *this;
  }
  ~input_file();

  std::uint64_t size() const noexcept { return size_; }

  // Fills `out` as far as the file goes; the number of bytes read.  Errors: io.
  result<std::size_t> read(std::span<std::byte> out) noexcept;
  // The same from byte `at` on; reads do not move each other.
  result<std::size_t> read_at(std::uint64_t at, std::span<std::byte> out) const noexcept;

  int fd() const noexcept { return fd_; }

 private:
  input_file(int fd, std::uint64_t size) noexcept : fd_(fd), size_(size) {}

  int fd_;
  std::uint64_t size_;
};

// All bytes of a regular file.  Errors: io, too_large (beyond `max_bytes`),
// out_of_memory, corrupt (it shrank meanwhile).
result<pages> read_whole(const char* path, std::uint64_t max_bytes) noexcept;

// Replaces `path` by the concatenation of `parts`, atomically and durably: a temporary
// file beside it, fsync, rename, fsync of the directory.  On error nothing is
// left behind and the old file is as it was; only if the last step fails, which the
// message says, is the new one in place already.  Something that is no regular file (a
// pipe, /dev/stdout) is written to directly.  Errors: io.
result<void> write_atomically(const char* path,
                              std::span<const std::span<const std::byte>> parts,
                              progress_call progress = {}) noexcept;

}  // namespace bloomery::format
