#include "format/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace bloomery::format {
namespace {

error io_error(const char* what, int number) noexcept {
  return {errc::io, what, 0, static_cast<double>(number)};
}

// Linux moves at most 2 GiB a call; smaller steps make no difference to speed.
constexpr std::size_t most_at_once = std::size_t{1} << 30;

result<void> write_all(int fd, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), std::min(bytes.size(), most_at_once));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error("cannot write", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return {};
}

result<void> write_all(int fd,
                       std::span<const std::span<const std::byte>> parts) noexcept {
  for (const auto part : parts)
    if (auto done = write_all(fd, part); !done) return done;
  return {};
}

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

// A file that is closed, and removed unless it took another's place.  Where the file
// system can, it has no name until it is whole: a process that is killed while it writes
// leaves nothing behind.
class temporary_file {
 public:
  temporary_file() noexcept = default;
  temporary_file(const temporary_file&) = delete;
  ~temporary_file() {
    if (fd_ >= 0) ::close(fd_);
    if (named_) ::unlink(name_);
  }

  // In the directory of the file to replace: a rename stays within one file system.
  // REQUIRES: `directory` outlives this
  result<void> create_in(const char* directory) noexcept {
    directory_ = directory;
    // A file without a name gets one through /proc, which a bare chroot may lack.
    if (::access("/proc/self/fd", X_OK) == 0)
      fd_ = ::open(directory, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    if (fd_ >= 0) return {};
    return try_names([this] {
      fd_ = ::open(name_, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      return fd_ >= 0;
    });
  }
  int fd() const noexcept { return fd_; }

  result<void> replace(const char* path) noexcept {
    if (::fsync(fd_) != 0) return io_error("cannot flush to disk", errno);
    if (!named_) {
      char self[64];
      std::snprintf(self, sizeof self, "/proc/self/fd/%d", fd_);
      auto named = try_names([&] {
        return ::linkat(AT_FDCWD, self, AT_FDCWD, name_, AT_SYMLINK_FOLLOW) == 0;
      });
      if (!named) return named;
    }
    if (::rename(name_, path) != 0) return io_error("cannot rename into place", errno);
    named_ = false;
    return {};
  }

 private:
  // The number tells threads apart, and leaves alone what others left behind.
  template <class Attempt>
  result<void> try_names(Attempt attempt) noexcept {
    for (int number = 0;; ++number) {
      if (std::snprintf(name_, sizeof name_, "%s/.bloomery-%ld-%d.tmp", directory_,
                        static_cast<long>(::getpid()), number) >= PATH_MAX)
        return io_error("cannot create", ENAMETOOLONG);
      named_ = attempt();
      if (named_) return {};
      if (errno != EEXIST || number == 1000) return io_error("cannot create", errno);
    }
  }

  const char* directory_ = nullptr;
  char name_[PATH_MAX];
  int fd_ = -1;
  bool named_ = false;
};

// The rename itself must survive a crash too.  A directory that may not be read, or a
// file system that cannot flush one (EINVAL), leaves nothing more to do.
result<void> flush_directory(const char* directory) noexcept {
  const int fd = ::open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 && errno == EACCES) return {};
  if (fd < 0) return io_error("in place, but cannot open the directory", errno);
  const int failed = ::fsync(fd) != 0 ? errno : 0;
  ::close(fd);
  if (failed != 0 && failed != EINVAL)
    return io_error("in place, but cannot flush the directory", failed);
  return {};
}

result<void> write_directly(const char* path,
                            std::span<const std::span<const std::byte>> parts) noexcept {
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return io_error("cannot open for writing", errno);
  auto done = write_all(fd, parts);
  if (::close(fd) != 0 && done) return io_error("cannot close", errno);
  return done;
}

}  // namespace

result<input_file> input_file::open(const char* path) noexcept {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return io_error("cannot open", errno);
  struct stat info;
  const int failed = ::fstat(fd, &info) != 0 ? errno : 0;
  input_file file(fd, failed != 0 ? 0 : static_cast<std::uint64_t>(info.st_size));
  if (failed != 0) return io_error("cannot examine", failed);
  if (S_ISDIR(info.st_mode))
    return error{errc::invalid_argument, "is a directory, not a filter"};
  if (!S_ISREG(info.st_mode))
    return error{errc::invalid_argument, "is not a regular file"};
  return file;
}

input_file::~input_file() {
  if (fd_ >= 0) ::close(fd_);
}

result<std::size_t> input_file::read(std::span<std::byte> out) noexcept {
  std::size_t got = 0;
  while (got < out.size()) {
    const ssize_t n =
        ::read(fd_, out.data() + got, std::min(out.size() - got, most_at_once));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error("cannot read", errno);
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  return got;
}

result<pages> read_whole(const char* path, std::uint64_t most_bytes) noexcept {
  auto file = input_file::open(path);
  if (!file) return file.error();
  if (file->size() > most_bytes)
    return error{errc::too_large, "larger than the limit for files", 0,
                 static_cast<double>(file->size()), static_cast<double>(most_bytes)};
  auto bytes = pages::make(static_cast<std::size_t>(file->size()));
  if (!bytes) return bytes;
  const auto got = file->read(bytes->bytes());
  if (!got) return got.error();
  if (*got != bytes->size())
    return error{errc::corrupt, "the file shrank while it was read", *got,
                 static_cast<double>(bytes->size()), static_cast<double>(*got)};
  return bytes;
}

result<void> write_atomically(
    const char* path, std::span<const std::span<const std::byte>> parts) noexcept {
  struct stat old;
  const bool exists = ::stat(path, &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) return write_directly(path, parts);

  // A link is followed: its target is replaced, in the target's directory.
  char target[PATH_MAX];
  struct stat link;
  if (!exists && ::lstat(path, &link) == 0)
    return io_error("is a link to nothing that can be written", ENOENT);
  if (exists && ::realpath(path, target) == nullptr)
    return io_error("cannot resolve the path", errno);
  if (!exists && std::snprintf(target, sizeof target, "%s", path) >= PATH_MAX)
    return io_error("cannot create", ENAMETOOLONG);

  char directory[PATH_MAX];
  directory_of(target, directory);
  temporary_file file;
  if (auto done = file.create_in(directory); !done) return done;
  if (exists) (void)::fchmod(file.fd(), old.st_mode & 07777);
  if (auto done = write_all(file.fd(), parts); !done) return done;
  if (auto done = file.replace(target); !done) return done;
  return flush_directory(directory);
}

}  // namespace bloomery::format
