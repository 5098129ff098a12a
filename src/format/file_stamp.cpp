#include "format/file_stamp.hpp"

namespace bloomery::format {
namespace {

// Unsigned: a file may claim any year.
std::uint64_t nanoseconds(const timespec& t) noexcept {
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(t.tv_nsec);
}

file_change change(const file_stamp& a, const file_stamp& b) noexcept {
  if (a.device != b.device || a.inode != b.inode || a.size != b.size ||
      a.written_ns != b.written_ns)
    return file_change::contents;
  return a.status_ns == b.status_ns ? file_change::none : file_change::status;
}

}  // namespace

file_stamp stamp_of(const struct stat& s) noexcept {
  return {s.st_dev,
          s.st_ino,
          static_cast<std::uint64_t>(s.st_size),
          s.st_nlink,
          nanoseconds(s.st_mtim),
          nanoseconds(s.st_ctim)};
}

file_change change_since(const file_stamp& then, int fd) noexcept {
  struct stat now;
  if (::fstat(fd, &now) != 0) return file_change::contents;
  return change(then, stamp_of(now));
}

bool is_unchanged_since(const file_stamp& then, int fd) noexcept {
  struct stat now;
  if (::fstat(fd, &now) != 0) return false;
  const file_stamp is = stamp_of(now);
  const file_change c = change(then, is);
  return c == file_change::none || (c == file_change::status && is.links != then.links);
}

}  // namespace bloomery::format
