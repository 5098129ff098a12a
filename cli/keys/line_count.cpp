#include "keys/line_count.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

namespace bloomery::cli {
namespace {

using namespace std::string_view_literals;

bool looks_compressed(std::string_view start) {
  constexpr std::array magics{"\x1f\x8b"sv, "\x28\xb5\x2f\xfd"sv, "\xfd\x37zXZ\0"sv,
                              "BZh"sv};
  return std::ranges::any_of(magics,
                             [&](std::string_view m) { return start.starts_with(m); });
}

std::optional<std::uint64_t> count_in(int fd, char terminator) {
  struct stat status;
  off_t at = ::lseek(fd, 0, SEEK_CUR);
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || at < 0) return {};
  std::uint64_t lines = 1;  // the last one may have no end
  std::vector<char> block(std::size_t{256} << 10);
  for (bool first = true;; first = false) {
    const ssize_t n = ::pread(fd, block.data(), block.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return {};
    if (n == 0) return lines;
    const auto got = static_cast<std::size_t>(n);
    if (first && looks_compressed({block.data(), got})) return {};
    lines += static_cast<std::uint64_t>(
        std::count(block.data(), block.data() + got, terminator));
    at += n;
  }
}

}  // namespace

std::optional<std::uint64_t> count_lines(const std::vector<std::string>& files,
                                         char terminator) {
  if (files.empty()) return count_in(STDIN_FILENO, terminator);
  std::uint64_t all = 0;
  for (const std::string& file : files) {
    // O_NONBLOCK: opening a pipe must not wait for its writer.
    const int fd = file == "-" ? STDIN_FILENO
                               : ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return {};
    const auto lines = count_in(fd, terminator);
    if (fd != STDIN_FILENO) ::close(fd);
    if (!lines) return {};
    all += *lines;
  }
  return all;
}

}  // namespace bloomery::cli
