// A file that takes another's place when it is whole: atomically and durably.
//
// A temporary file beside it, fsync, rename, fsync of the directory.  Whatever goes wrong
// before the rename, nothing is left behind and the old file is as it was.
//
// The new file has the owner, the group and the mode of the old one.  Only root may give
// files away: for others the new one is their own, and where the group cannot be kept it
// gets no more than everybody has.  Nobody else can read it meanwhile.  Access lists and
// extended attributes are not copied.
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <bloomery/detail/format/file_stamp.hpp>
#include <bloomery/result.hpp>

namespace bloomery::format {

// `asked` holds the errno.
error io_error(const char* what, int number) noexcept;

// All of them, however many calls it takes.  Errors: io.
result<void> write_all(int fd, std::span<const std::byte> bytes) noexcept;

// Does not move: it is large, and lives on the stack or in its owner.
class replacement_file {
 public:
  replacement_file() noexcept = default;
  replacement_file(const replacement_file&) = delete;
  ~replacement_file();

  // Begins to replace `path`, or the file it is a link to.
  // Errors: io; invalid_argument (it exists and is no regular file).
  result<void> open(const char* path) noexcept;

  // Appends.  Errors: io.
  result<void> write(std::span<const std::byte> bytes) noexcept;
  // Overwrites what was written at `at`.  Errors: io.
  result<void> write_at(std::uint64_t at, std::span<const std::byte> bytes) noexcept;

  // Replaces that file only, as it was then: `commit` refuses, with io (ESTALE), if
  // another has taken its place or somebody wrote to it.
  void expect(const file_stamp& old) noexcept { expected_ = old; }

  // Makes it the file.  Errors: io; only if the last step fails, which the message says,
  // is the new file in place already.
  result<void> commit() noexcept;

 private:
  result<void> create(unsigned mode) noexcept;
  result<void> replace() noexcept;
  bool is_expected() const noexcept;
  template <class Attempt>
  result<void> try_names(Attempt attempt) noexcept;

  char target_[PATH_MAX];
  char directory_[PATH_MAX];
  char name_[PATH_MAX];
  int fd_ = -1;
  bool named_ = false;
  std::optional<file_stamp> expected_;
};

}  // namespace bloomery::format
