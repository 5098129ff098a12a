#include "files/dump.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include <bloomery/container.hpp>

#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

namespace fs = std::filesystem;

// The last number in the name of a file of a dump: its place.
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
  std::uint64_t size;  // when the folder was listed
};

// The files of a dump, in the order they belong.
struct dump {
  dump_file header;
  std::vector<dump_file> chunks;
};

void check_order(const std::string& folder, const std::vector<dump_file>& chunks) {
  const auto same = std::ranges::adjacent_find(
      chunks, {}, [](const dump_file& f) { return f.place.number; });
  if (same != chunks.end())
    throw failure(
        fmt::format("{}: {} and {} have the same last number in their names, so their "
                    "order is unknown; a directory must hold one dump",
                    folder, same->name, std::next(same)->name));
}

dump dump_in(const std::string& folder) {
  std::vector<dump_file> headers;
  dump d;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') || !entry.is_regular_file()) continue;
    const dump_file file{{}, entry.path().string(), name, entry.file_size()};
    if (name == "header" || name.ends_with(".header")) {
      headers.push_back(file);
      continue;
    }
    const auto place = place_by(name);
    if (!place)
      throw failure(
          fmt::format("{}: the name of {} has no number, so its place in the dump is "
                      "unknown",
                      folder, name));
    d.chunks.push_back(file);
    d.chunks.back().place = *place;
  }
  if (headers.size() != 1)
    throw failure(fmt::format(
        "{}: is a directory, not a filter; a dump has one file named header or *.header, "
        "this directory has {}",
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

// Fills the front of `rest` with the file, and takes it off.
void append_file(const dump_file& file, std::span<std::byte>& rest) {
  const auto in = input_file::open(file.path.c_str());
  if (!in) throw failure(describe(file.path, in.error()));
  const auto got = in->read_at(0, rest.first(static_cast<std::size_t>(file.size)));
  if (!got) throw failure(describe(file.path, got.error()));
  if (in->size() != file.size || *got != file.size)
    throw failure(fmt::format("{}: {} while it was read", file.path,
                              in->size() > file.size ? "grew" : "shrank"));
  rest = rest.subspan(*got);
}

}  // namespace

pages read_dump(const std::string& folder) {
  const dump d = dump_in(folder);
  std::uint64_t data = 0;
  for (const dump_file& file : d.chunks) {
    data += file.size;
    check_iterator(folder, file, data);
  }
  auto image = pages::make(static_cast<std::size_t>(d.header.size + data));
  if (!image) throw failure(describe(folder, image.error(), context::reading_bare));
  std::span<std::byte> rest = image->bytes();
  append_file(d.header, rest);
  for (const dump_file& file : d.chunks) append_file(file, rest);
  return *std::move(image);
}

}  // namespace bloomery::cli
