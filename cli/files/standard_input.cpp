#include "files/standard_input.hpp"

#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <bloomery/container.hpp>

#include "sizes/memory.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

constexpr std::size_t header_size = 128;

[[noreturn]] void refuse(std::string_view what, int why) {
  throw failure(fmt::format("standard input: {}: {}", what, std::strerror(why)));
}

// Fills `room` as far as the input goes.
std::size_t read_some(std::span<std::byte> room) {
  std::size_t got = 0;
  while (got < room.size()) {
    const ssize_t n = ::read(STDIN_FILENO, room.data() + got, room.size() - got);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse("cannot read", errno);
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  return got;
}

// Bytes of a filter that begins so.  A header that is wrong will be refused: nothing is
// read after it.
std::uint64_t max_bytes(std::span<const std::byte> head) {
  if (!has_container_magic(head)) {
    const double half = machine_memory() / 2;
    return half < 0x1p62 ? static_cast<std::uint64_t>(half) : std::uint64_t{1} << 62;
  }
  // The last check of a header is that of the length: a file that is too long is refused
  // at the byte where it should end.
  constexpr std::uint64_t any_length = std::uint64_t{1} << 62;
  const auto facts = inspect(head, any_length);
  return facts ? any_length : std::max<std::uint64_t>(facts.error().at, header_size);
}

class memory_file {
 public:
  memory_file() : fd_(::memfd_create("bloomery", MFD_CLOEXEC)) {
    if (fd_ < 0) refuse("cannot keep it in memory", errno);
  }
  ~memory_file() { ::close(fd_); }
  memory_file(const memory_file&) = delete;

  void append(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) refuse("cannot keep it in memory", errno);
      bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
  }
  result<input_file> open() const {
    return input_file::open(fmt::format("/proc/self/fd/{}", fd_).c_str());
  }

 private:
  int fd_;
};

result<input_file> read_whole() {
  memory_file copy;
  std::vector<std::byte> block(std::size_t{1} << 18);
  std::size_t got = read_some(std::span(block).first(header_size));
  const bool is_container = has_container_magic(std::span(block).first(got));
  const std::uint64_t max = max_bytes(std::span(block).first(got));
  std::uint64_t whole = 0;
  while (got != 0) {
    copy.append(std::span(block).first(got));
    whole += got;
    if (whole > max) break;
    const auto room = std::min<std::uint64_t>(block.size(), max + 1 - whole);
    got = read_some(std::span(block).first(static_cast<std::size_t>(room)));
  }
  if (whole > max && !is_container)
    throw failure(fmt::format(
        "standard input: more than {}, half of the memory of this machine: save it to a "
        "file and name that",
        size(max)));
  return copy.open();
}

}  // namespace

result<input_file> open_standard_input() {
  static bool was_read = false;
  if (std::exchange(was_read, true))
    throw failure("standard input can be read once: '-' is given for two filters");
  if (::isatty(STDIN_FILENO) == 1)
    throw failure("standard input: is a terminal; pipe a filter into it");
  struct stat info;
  if (::fstat(STDIN_FILENO, &info) != 0) refuse("cannot examine", errno);
  const bool is_at_start =
      S_ISREG(info.st_mode) && ::lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
  if (is_at_start) return input_file::open("/proc/self/fd/0");
  return read_whole();
}

}  // namespace bloomery::cli
