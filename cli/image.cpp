#include "image.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "command.hpp"
#include "messages.hpp"

namespace bloomery::cli {
namespace {

namespace fs = std::filesystem;

// Larger files are mapped, so that a few keys are answered at once; smaller ones are
// read, so that nobody changes them meanwhile.
constexpr std::uint64_t most_read = std::uint64_t{16} << 20;

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw failure(describe(path, error{errc::io, what, 0, static_cast<double>(errno)}));
}

class input {
 public:
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  explicit input(const std::string& path)
      : path_(path), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (fd_ < 0) fail(path, "cannot open");
    struct stat info;
    if (::fstat(fd_, &info) != 0) fail(path, "cannot examine");
    if (!S_ISREG(info.st_mode))
      throw failure(fmt::format("{}: is not a regular file", path));
    size_ = static_cast<std::uint64_t>(info.st_size);
  }
  ~input() {
    if (fd_ >= 0) ::close(fd_);
  }
  input(const input&) = delete;

  std::uint64_t size() const { return size_; }
  int fd() const { return fd_; }

  void read(std::span<std::byte> out) const {
    while (!out.empty()) {
      const ssize_t n = ::read(fd_, out.data(), out.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail(path_, "cannot read");
      if (n == 0) throw failure(fmt::format("{}: shrank while it was read", path_));
      out = out.subspan(static_cast<std::size_t>(n));
    }
  }

 private:
  const std::string& path_;
  int fd_;
  std::uint64_t size_ = 0;
};

pages must(const std::string& path, result<pages> made) {
  if (!made) throw failure(describe(path, made.error()));
  return *std::move(made);
}

std::optional<std::uint64_t> last_number(const std::string& name) {
  const auto end = name.find_last_of("0123456789");
  if (end == std::string::npos) return std::nullopt;
  const auto before = name.find_last_not_of("0123456789", end);
  const auto begin = before == std::string::npos ? 0 : before + 1;
  std::uint64_t n = 0;
  const auto [_, ec] = std::from_chars(name.data() + begin, name.data() + end + 1, n);
  return ec == std::errc{} ? std::optional(n) : std::nullopt;
}

// The files of a dump, in the order they belong.
std::vector<std::string> files_of_dump(const std::string& folder) {
  std::vector<std::string> headers;
  std::vector<std::pair<std::uint64_t, std::string>> chunks;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = entry.path().filename().string();
    if (name == "header" || name.ends_with(".header")) {
      headers.push_back(entry.path().string());
      continue;
    }
    const auto number = last_number(name);
    if (!number)
      throw failure(
          fmt::format("{}: the name of {} has no number that tells its place "
                      "in a dump",
                      folder, name));
    chunks.emplace_back(*number, entry.path().string());
  }
  if (headers.size() != 1)
    throw failure(fmt::format(
        "{}: is a directory, not a filter; a dump has one file named header or *.header, "
        "this has {}",
        folder, headers.size()));
  std::ranges::sort(chunks);
  for (auto& [_, name] : chunks) headers.push_back(std::move(name));
  return headers;
}

pages dump_of(const std::string& folder) {
  const auto files = files_of_dump(folder);
  std::uint64_t size = 0;
  for (const std::string& file : files) size += input(file).size();
  pages image = must(folder, pages::make(static_cast<std::size_t>(size)));
  std::span<std::byte> rest = image.bytes();
  for (const std::string& file : files) {
    const input in(file);
    if (in.size() > rest.size())
      throw failure(fmt::format("{}: grew while it was read", file));
    in.read(rest.first(static_cast<std::size_t>(in.size())));
    rest = rest.subspan(static_cast<std::size_t>(in.size()));
  }
  return image;
}

}  // namespace

pages image_of(const std::string& path) {
  std::error_code failed;
  if (fs::is_directory(path, failed) && !failed) return dump_of(path);
  const input in(path);
  const auto size = static_cast<std::size_t>(in.size());
  if (in.size() > most_read) return must(path, pages::map(in.fd(), size));
  pages image = must(path, pages::make(size));
  in.read(image.bytes());
  return image;
}

}  // namespace bloomery::cli
