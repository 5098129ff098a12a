#include "format/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "format/replacement_file.hpp"

namespace bloomery::format {
namespace {

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

result<pages> read_whole(const input_file& file, std::uint64_t max_bytes) noexcept {
  if (file.size() > max_bytes)
    return error{errc::too_large, "larger than the limit for files", 0,
                 static_cast<double>(file.size()), static_cast<double>(max_bytes)};
  auto bytes = pages::make(static_cast<std::size_t>(file.size()));
  if (!bytes) return bytes;
  const auto got = file.read_at(0, bytes->bytes());
  if (!got) return got.error();
  if (*got != bytes->size())
    return error{errc::corrupt, "the file shrank while it was read", *got,
                 static_cast<double>(bytes->size()), static_cast<double>(*got)};
  return bytes;
}

result<void> write_atomically(const char* path,
                              std::span<const std::span<const std::byte>> parts,
                              progress_call progress,
                              const input_file* replaces) noexcept {
  struct stat old;
  if (replaces == nullptr && ::stat(path, &old) == 0 && !S_ISREG(old.st_mode))
    return write_directly(path, parts, progress);
  replacement_file file;
  if (auto done = file.open(path); !done) return done;
  if (replaces != nullptr) file.expect(replaces->stamp());
  if (auto done = write_parts(parts, progress, [&](auto now) { return file.write(now); });
      !done)
    return done;
  return file.commit();
}

}  // namespace bloomery::format
