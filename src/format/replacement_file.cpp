#include "format/replacement_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "format/file_stamp.hpp"

namespace bloomery::format {
namespace {

// Linux moves at most 2 GiB a call; smaller steps make no difference to speed.
constexpr std::size_t max_at_once = std::size_t{1} << 30;

// The directory a path lies in.
void directory_of(const char* path, char (&directory)[PATH_MAX]) noexcept {
  const char* slash = std::strrchr(path, '/');
  const std::size_t length =
      slash == nullptr ? 0 : static_cast<std::size_t>(slash - path);
  if (length == 0)
    std::snprintf(directory, sizeof directory, "%s", slash == nullptr ? "." : "/");
  else
    std::snprintf(directory, sizeof directory, "%.*s", static_cast<int>(length), path);
}

// 0, or errno.  Network and user-space file systems can be interrupted here.
int flush(int fd) noexcept {
  while (::fsync(fd) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

// The rename itself must survive a crash too.  A directory that may not be read, or a
// file system that cannot flush one (EINVAL), leaves nothing more to do.
result<void> flush_directory(const char* directory) noexcept {
  const int fd = ::open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 && errno == EACCES) return {};
  if (fd < 0) return io_error("in place, but cannot open the directory", errno);
  const int failed = flush(fd);
  ::close(fd);
  if (failed != 0 && failed != EINVAL)
    return io_error("in place, but cannot flush the directory", failed);
  return {};
}

// Errors are not the caller's: the file stays as restricted as it was created.
void take_owner_and_mode(int fd, const struct stat& old) noexcept {
  struct stat is;
  if (::fstat(fd, &is) != 0) return;
  if (is.st_uid != old.st_uid || is.st_gid != old.st_gid)
    if (::fchown(fd, old.st_uid, old.st_gid) != 0)
      (void)!::fchown(fd, static_cast<uid_t>(-1), old.st_gid);
  if (::fstat(fd, &is) != 0) return;
  mode_t mode = old.st_mode & 07777;
  if (is.st_uid != old.st_uid || is.st_gid != old.st_gid) mode &= 01777;
  if (is.st_gid != old.st_gid) mode &= ~mode_t{070} | (mode & 07) << 3;
  // After fchown, which clears bits of it.
  (void)::fchmod(fd, mode);
}

}  // namespace

error io_error(const char* what, int number) noexcept {
  return {errc::io, what, 0, static_cast<double>(number)};
}

result<void> write_all(int fd, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), std::min(bytes.size(), max_at_once));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error("cannot write", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return {};
}

replacement_file::~replacement_file() {
  if (fd_ >= 0) ::close(fd_);
  if (named_) ::unlink(name_);
}

result<void> replacement_file::open(const char* path) noexcept {
  struct stat old;
  const bool exists = ::stat(path, &old) == 0;
  if (exists && !S_ISREG(old.st_mode))
    return error{errc::invalid_argument, "is no regular file"};
  // A link is followed: its target is replaced, in the target's directory.
  struct stat link;
  if (!exists && ::lstat(path, &link) == 0)
    return io_error("is a link to nothing that can be written", ENOENT);
  if (exists && ::realpath(path, target_) == nullptr)
    return io_error("cannot resolve the path", errno);
  if (!exists && std::snprintf(target_, sizeof target_, "%s", path) >= PATH_MAX)
    return io_error("cannot create", ENAMETOOLONG);
  directory_of(target_, directory_);
  if (auto done = create(exists ? 0600 : 0666); !done) return done;
  if (exists) take_owner_and_mode(fd_, old);
  return {};
}

// In the directory of the file to replace: a rename stays within one file system.  Where
// the file system can, it has no name until it is whole: a process that is killed while
// it writes leaves nothing behind.
result<void> replacement_file::create(unsigned mode) noexcept {
  // A file without a name gets one through /proc, which a bare chroot may lack.
  if (::access("/proc/self/fd", X_OK) == 0)
    fd_ = ::open(directory_, O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
  if (fd_ >= 0) return {};
  return try_names([this, mode] {
    fd_ = ::open(name_, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    return fd_ >= 0;
  });
}

// The number distinguishes threads, and leaves alone what others left behind.
template <class Attempt>
result<void> replacement_file::try_names(Attempt attempt) noexcept {
  for (int number = 0;; ++number) {
    if (std::snprintf(name_, sizeof name_, "%s/.bloomery-%ld-%d.tmp", directory_,
                      static_cast<long>(::getpid()), number) >= PATH_MAX)
      return io_error("cannot create", ENAMETOOLONG);
    named_ = attempt();
    if (named_) return {};
    if (errno != EEXIST || number == 1000) return io_error("cannot create", errno);
  }
}

result<void> replacement_file::write(std::span<const std::byte> bytes) noexcept {
  return write_all(fd_, bytes);
}

result<void> replacement_file::write_at(std::uint64_t at,
                                        std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(fd_, bytes.data(), std::min(bytes.size(), max_at_once),
                               static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error("cannot write", errno);
    at += static_cast<std::uint64_t>(n);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return {};
}

bool replacement_file::is_expected() const noexcept {
  if (!expected_) return true;
  struct stat now;
  return ::stat(target_, &now) == 0 &&
         change_between(*expected_, stamp_of(now)) != file_change::contents;
}

result<void> replacement_file::replace() noexcept {
  if (const int failed = flush(fd_); failed != 0)
    return io_error("cannot flush to disk", failed);
  if (!named_) {
    char self[64];
    std::snprintf(self, sizeof self, "/proc/self/fd/%d", fd_);
    auto named = try_names([&] {
      return ::linkat(AT_FDCWD, self, AT_FDCWD, name_, AT_SYMLINK_FOLLOW) == 0;
    });
    if (!named) return named;
  }
  // A file renamed to this name between these two lines is overwritten: no system call
  // does both.
  if (!is_expected()) return io_error("was replaced or written to meanwhile", ESTALE);
  if (::rename(name_, target_) != 0) return io_error("cannot rename into place", errno);
  named_ = false;
  return {};
}

result<void> replacement_file::commit() noexcept {
  if (auto done = replace(); !done) return done;
  return flush_directory(directory_);
}

}  // namespace bloomery::format
