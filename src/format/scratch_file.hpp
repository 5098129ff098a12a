// A temporary file without a name: it is gone when it is closed, or when the process is
// killed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::format {

// Keys in the byte order of the machine.  Positions and counts are of keys, not bytes.
class scratch_file {
 public:
  // Makes a file in `directory`.  Errors: io, with that path.
  static result<scratch_file> open(const char* directory) noexcept;

  scratch_file(scratch_file&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)),
        size_(other.size_),
        directory_(other.directory_) {}
  scratch_file& operator=(scratch_file&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(size_, other.size_);
    std::swap(directory_, other.directory_);
    return *this;
  }
  ~scratch_file();

  std::uint64_t size() const noexcept { return size_; }

  // Errors: io.
  result<void> append(std::span<const key> keys) noexcept;
  // Errors: io.  REQUIRES: at + out.size() <= size()
  result<void> read(std::uint64_t at, std::span<key> out) const noexcept;
  // All of it, read when touched.  Errors: out_of_memory, io.  REQUIRES: size() > 0
  result<pages> map() const noexcept;

  // Gives the room of these keys back to the disk, where the system can.
  void discard(std::uint64_t first, std::uint64_t last) noexcept;
  // Errors: io.
  result<void> clear() noexcept;

 private:
  scratch_file(int fd, error_path directory) noexcept : fd_(fd), directory_(directory) {}
  error failed(const char* what, int number) const noexcept;

  int fd_;
  std::uint64_t size_ = 0;
  error_path directory_;
};

}  // namespace bloomery::format
