#include "format/file_stamp.hpp"

#include <time.h>

namespace bloomery::format {
namespace {

// Unsigned: a file may claim any year.
std::uint64_t nanoseconds(const timespec& t) noexcept {
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(t.tv_nsec);
}

}  // namespace

file_stamp stamp_of(const struct stat& s) noexcept {
  return {s.st_dev, s.st_ino, static_cast<std::uint64_t>(s.st_size),
          nanoseconds(s.st_mtim), nanoseconds(s.st_ctim)};
}

file_stamp stamp_of(int fd) noexcept {
  struct stat now;
  return ::fstat(fd, &now) == 0 ? stamp_of(now) : file_stamp{};
}

file_change change_between(const file_stamp& a, const file_stamp& b) noexcept {
  if (a.device != b.device || a.inode != b.inode || a.size != b.size ||
      a.written_ns != b.written_ns)
    return file_change::contents;
  return a.status_ns == b.status_ns ? file_change::none : file_change::status;
}

file_change change_since(const file_stamp& then, int fd) noexcept {
  return change_between(then, stamp_of(fd));
}

bool will_show_changes(const file_stamp& now) noexcept {
  timespec tick;
  return ::clock_gettime(CLOCK_REALTIME_COARSE, &tick) == 0 &&
         now.status_ns < nanoseconds(tick);
}

}  // namespace bloomery::format
