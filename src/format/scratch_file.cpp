#include "format/scratch_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>

#include "format/replacement_file.hpp"

namespace bloomery::format {
namespace {

// A file system without unnamed files: the name is removed at once.
int open_named(const char* directory) noexcept {
  char name[PATH_MAX];
  if (std::snprintf(name, sizeof name, "%s/.bloomery-XXXXXX", directory) >= PATH_MAX) {
    errno = ENAMETOOLONG;
    return -1;
  }
  const int fd = ::mkostemp(name, O_CLOEXEC);
  if (fd >= 0) ::unlink(name);
  return fd;
}

}  // namespace

result<scratch_file> scratch_file::open(const char* directory) noexcept {
  const error_path path(directory);
  int fd = ::open(directory, O_RDWR | O_TMPFILE | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0 && errno != EACCES && errno != ENOENT && errno != ENOTDIR && errno != EROFS)
    fd = open_named(directory);
  if (fd < 0) {
    error e = io_error("cannot create a temporary file in", errno);
    e.path = path;
    return e;
  }
  return scratch_file(fd, path);
}

scratch_file::~scratch_file() {
  if (fd_ >= 0) ::close(fd_);
}

error scratch_file::failed(const char* what, int number) const noexcept {
  error e = io_error(number == ENOSPC || number == EDQUOT || number == EFBIG
                         ? "no room for the temporary file of keys"
                         : what,
                     number);
  e.path = directory_;
  return e;
}

result<void> scratch_file::append(std::span<const key> keys) noexcept {
  auto done = write_all(fd_, std::as_bytes(keys));
  if (!done)
    return failed("cannot write a temporary file in", done.error().system_error());
  size_ += keys.size();
  return {};
}

result<void> scratch_file::read(std::uint64_t at, std::span<key> out) const noexcept {
  auto left = std::as_writable_bytes(out);
  std::uint64_t from = at * sizeof(key);
  while (!left.empty()) {
    const ssize_t n =
        ::pread(fd_, left.data(), std::min(left.size(), std::size_t{1} << 30),
                static_cast<off_t>(from));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return failed("cannot read a temporary file in", n < 0 ? errno : EIO);
    left = left.subspan(static_cast<std::size_t>(n));
    from += static_cast<std::uint64_t>(n);
  }
  return {};
}

result<pages> scratch_file::map() const noexcept {
  return pages::map(fd_, static_cast<std::size_t>(size_ * sizeof(key)));
}

void scratch_file::discard(std::uint64_t first, std::uint64_t last) noexcept {
#if defined(FALLOC_FL_PUNCH_HOLE)
  const int number = errno;
  (void)::fallocate(fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    static_cast<off_t>(first * sizeof(key)),
                    static_cast<off_t>((last - first) * sizeof(key)));
  errno = number;
#else
  (void)first, (void)last;
#endif
}

result<void> scratch_file::clear() noexcept {
  if (::ftruncate(fd_, 0) != 0 || ::lseek(fd_, 0, SEEK_SET) != 0)
    return failed("cannot empty a temporary file in", errno);
  size_ = 0;
  return {};
}

}  // namespace bloomery::format
