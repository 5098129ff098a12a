#include "files/image.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

namespace fs = std::filesystem;

// Larger files are mapped, so that a few keys are answered at once; smaller ones are
// read, so that nobody changes them meanwhile.
constexpr std::uint64_t max_read = std::uint64_t{16} << 20;

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
  if (!made) throw failure(describe(path, made.error(), context::reading_bare));
  return *std::move(made);
}

// The last number in the name of a file of a dump, which tells its place.
struct place_in_dump {
  std::uint64_t number;
  bool is_iterator;  // "iter145", "pos145": 1 and the bytes up to the end of this file
};

std::optional<place_in_dump> place_by(std::string_view name) {
  constexpr std::string_view digits = "0123456789";
  const auto end = name.find_last_of(digits);
  if (end == std::string_view::npos) return std::nullopt;
  const auto before = name.find_last_not_of(digits, end);
  const auto begin = before == std::string_view::npos ? 0 : before + 1;
  place_in_dump p{};
  const auto [_, ec] =
      std::from_chars(name.data() + begin, name.data() + end + 1, p.number);
  if (ec != std::errc{}) return std::nullopt;
  const std::string_view front = name.substr(0, begin);
  p.is_iterator = front.ends_with("iter") || front.ends_with("pos");
  return p;
}

struct dump_file {
  place_in_dump place;
  std::string path;
  std::string name;
};

// The files of a dump, in the order they belong.
struct dump {
  std::string header;
  std::vector<dump_file> chunks;
};

void check_order(const std::string& folder, const std::vector<dump_file>& chunks) {
  const auto same = std::ranges::adjacent_find(
      chunks, {}, [](const dump_file& f) { return f.place.number; });
  if (same != chunks.end())
    throw failure(
        fmt::format("{}: {} and {} have the same last number in their names, which does "
                    "not tell which is first; a directory holds one dump",
                    folder, same->name, std::next(same)->name));
}

dump dump_in(const std::string& folder) {
  std::vector<std::string> headers;
  dump d;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') || !entry.is_regular_file()) continue;
    if (name == "header" || name.ends_with(".header")) {
      headers.push_back(entry.path().string());
      continue;
    }
    const auto place = place_by(name);
    if (!place)
      throw failure(
          fmt::format("{}: the name of {} has no number that tells its place "
                      "in a dump",
                      folder, name));
    d.chunks.push_back({*place, entry.path().string(), name});
  }
  if (headers.size() != 1)
    throw failure(fmt::format(
        "{}: is a directory, not a filter; a dump has one file named header or *.header, "
        "this has {}",
        folder, headers.size()));
  d.header = headers.front();
  std::ranges::sort(d.chunks, {},
                    [](const dump_file& f) { return std::tie(f.place.number, f.name); });
  check_order(folder, d.chunks);
  return d;
}

// An iterator says how many bytes there are up to it: a piece that is missing, or of
// another dump, shows.
void check_iterator(const std::string& folder, const dump_file& file,
                    std::uint64_t bytes) {
  if (!file.place.is_iterator || file.place.number == bytes + 1) return;
  throw failure(
      fmt::format("{}: {} ends after {} bytes of data, where its name should say {}, not "
                  "{}: a piece is missing, cut or of another dump",
                  folder, file.name, bytes, bytes + 1, file.place.number));
}

void append_file(const std::string& file, std::span<std::byte>& rest) {
  const input in(file);
  if (in.size() > rest.size())
    throw failure(fmt::format("{}: grew while it was read", file));
  in.read(rest.first(static_cast<std::size_t>(in.size())));
  rest = rest.subspan(static_cast<std::size_t>(in.size()));
}

pages image_of_dump(const std::string& folder) {
  const dump d = dump_in(folder);
  std::uint64_t data = 0;
  for (const dump_file& file : d.chunks) {
    data += input(file.path).size();
    check_iterator(folder, file, data);
  }
  const std::uint64_t all = input(d.header).size() + data;
  pages image = must(folder, pages::make(static_cast<std::size_t>(all)));
  std::span<std::byte> rest = image.bytes();
  append_file(d.header, rest);
  for (const dump_file& file : d.chunks) append_file(file.path, rest);
  if (!rest.empty()) throw failure(fmt::format("{}: shrank while it was read", folder));
  return image;
}

}  // namespace

pages image_of(const std::string& path) {
  std::error_code failed;
  if (fs::is_directory(path, failed) && !failed) return image_of_dump(path);
  const input in(path);
  const auto size = static_cast<std::size_t>(in.size());
  if (in.size() > max_read) return must(path, pages::map(in.fd(), size));
  pages image = must(path, pages::make(size));
  in.read(image.bytes());
  return image;
}

}  // namespace bloomery::cli
