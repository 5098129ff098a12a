// A regular file opened for reading, once: header, checksums, payload and mapping all
// come from one descriptor, so that a file replaced meanwhile cannot mix two filters.
//
//   auto file = bloomery::input_file::open("users.bloom");
//   auto facts = bloomery::inspect(*file);
//   auto view = bloomery::filter_view<bloomery::block_bloom>::open(*file);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/format/file_stamp.hpp>
#include <bloomery/detail/path_ref.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT input_file {
 public:
  // Errors: io (missing, no permission), invalid_argument (a directory, a pipe).
  static result<input_file> open(path_ref path) noexcept;

  input_file(input_file&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), stamp_(other.stamp_) {}
  input_file& operator=(input_file&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(stamp_, other.stamp_);
    return *this;
  }
  ~input_file();

  // When it was opened.
  std::uint64_t size() const noexcept { return stamp_.size; }
  // Closed by this object.
  int fd() const noexcept { return fd_; }

  // Whether the file is unmodified since it was opened, as far as its status shows (size,
  // mtime, ctime).  False also for a file that was renamed, linked, replaced by a rename
  // or given another mode: its ctime differs, as after a write with the mtime set back.
  // filter_view::unchanged distinguishes these by checksums, and lists what a status
  // cannot show.  Costs a system call.
  bool unchanged() const noexcept;
  // Its status when it was opened.
  const file_stamp& stamp() const noexcept { return stamp_; }

  // Fills `out` from byte `at` on, up to the end of the file.  Returns the number of
  // bytes read.  There is no file position: reads are independent.  Errors: io.
  result<std::size_t> read_at(std::uint64_t at, std::span<std::byte> out) const noexcept;

 private:
  input_file(int fd, const file_stamp& stamp) noexcept : fd_(fd), stamp_(stamp) {}

  int fd_;
  file_stamp stamp_;
};

}  // namespace bloomery::inline v1
