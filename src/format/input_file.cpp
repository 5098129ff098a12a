#include <bloomery/detail/format/input_file.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "format/file_stamp.hpp"
#include "format/replacement_file.hpp"

namespace bloomery::inline v1 {
namespace {

using format::io_error;

// Linux moves at most 2 GiB a call; smaller steps make no difference to speed.
constexpr std::size_t max_at_once = std::size_t{1} << 30;

}  // namespace

result<input_file> input_file::open(path_ref path) noexcept {
  const auto refused = [&](error why) noexcept {
    why.path = error_path(path.c_str());
    return why;
  };
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return refused(io_error("cannot open", errno));
  struct stat info;
  const int failed = ::fstat(fd, &info) != 0 ? errno : 0;
  input_file file(fd, failed != 0 ? file_stamp{} : format::stamp_of(info));
  if (failed != 0) return refused(io_error("cannot examine", failed));
  if (S_ISDIR(info.st_mode))
    return refused({errc::invalid_argument, "is a directory, not a filter"});
  if (!S_ISREG(info.st_mode))
    return refused({errc::invalid_argument, "is not a regular file"});
  return file;
}

input_file::~input_file() {
  if (fd_ >= 0) ::close(fd_);
}

bool input_file::unchanged() const noexcept {
  return format::change_since(stamp_, fd_) == file_change::none;
}

result<std::size_t> input_file::read_at(std::uint64_t at,
                                        std::span<std::byte> out) const noexcept {
  std::size_t got = 0;
  while (got < out.size()) {
    const ssize_t n =
        ::pread(fd_, out.data() + got, std::min(out.size() - got, max_at_once),
                static_cast<off_t>(at + got));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error("cannot read", errno);
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  return got;
}

}  // namespace bloomery::inline v1
