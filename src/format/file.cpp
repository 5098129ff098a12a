#include "format/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "format/replacement_file.hpp"

namespace bloomery::format {
namespace {

// Linux moves at most 2 GiB a call; smaller steps make no difference to speed.
constexpr std::size_t max_at_once = std::size_t{1} << 30;
// Between two reports of progress.  Pieces end at multiples of it in the file: the page
// cache then holds them in large folios, which views map as huge pages.
constexpr std::size_t progress_step = std::size_t{16} << 20;

// `write(bytes)` for all of them.
template <class Write>
result<void> write_parts(std::span<const std::span<const std::byte>> parts,
                         progress_call progress, Write write) noexcept {
  std::uint64_t written = 0, all = 0;
  for (const auto part : parts) all += part.size();
  for (auto part : parts)
    while (!part.empty()) {
      const auto now = part.first(std::min<std::size_t>(
          part.size(),
          progress_step - static_cast<std::size_t>(written % progress_step)));
      if (result<void> done = write(now); !done) return done;
      part = part.subspan(now.size());
      written += now.size();
      if (progress.call != nullptr) progress.call(progress.context, written, all);
    }
  return {};
}

result<void> write_directly(const char* path,
                            std::span<const std::span<const std::byte>> parts,
                            progress_call progress) noexcept {
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return io_error("cannot open for writing", errno);
  auto done = write_parts(parts, progress, [fd](auto now) { return write_all(fd, now); });
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

result<std::size_t> input_file::read(std::span<std::byte> out) noexcept {
  std::size_t got = 0;
  while (got < out.size()) {
    const ssize_t n =
        ::read(fd_, out.data() + got, std::min(out.size() - got, max_at_once));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error("cannot read", errno);
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  return got;
}

result<pages> read_whole(const char* path, std::uint64_t max_bytes) noexcept {
  auto file = input_file::open(path);
  if (!file) return file.error();
  if (file->size() > max_bytes)
    return error{errc::too_large, "larger than the limit for files", 0,
                 static_cast<double>(file->size()), static_cast<double>(max_bytes)};
  auto bytes = pages::make(static_cast<std::size_t>(file->size()));
  if (!bytes) return bytes;
  const auto got = file->read(bytes->bytes());
  if (!got) return got.error();
  if (*got != bytes->size())
    return error{errc::corrupt, "the file shrank while it was read", *got,
                 static_cast<double>(bytes->size()), static_cast<double>(*got)};
  return bytes;
}

result<void> write_atomically(const char* path,
                              std::span<const std::span<const std::byte>> parts,
                              progress_call progress) noexcept {
  struct stat old;
  if (::stat(path, &old) == 0 && !S_ISREG(old.st_mode))
    return write_directly(path, parts, progress);
  replacement_file file;
  if (auto done = file.open(path); !done) return done;
  if (auto done = write_parts(parts, progress, [&](auto now) { return file.write(now); });
      !done)
    return done;
  return file.commit();
}

}  // namespace bloomery::format
