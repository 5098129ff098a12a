#include "dialects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <vector>

#include <bloomery/portable_format.hpp>
#include <bloomery/provisional_format.hpp>

#include "command.hpp"
#include "messages.hpp"

namespace bloomery::cli {
namespace {

template <class F>
result<any_filter> load_as(const char* path) {
  auto f = F::load(path);
  if (!f) return f.error();
  return any_filter(*std::move(f));
}

result<void> save_any(const any_filter& filter, const char* path) {
  return filter.visit([path](const auto& f) { return f.save(path); });
}

result<pages> encode_any(const any_filter& filter) {
  return filter.visit([](const auto& f) { return f.encode(); });
}

bool could_be_portable(std::span<const std::byte> head, std::uint64_t file_size) {
  return inspect_portable(head, file_size).has_value();
}

using file_head = std::array<std::byte, 64>;

// By its magic alone: a damaged file is then refused for what is wrong with it.  Filled
// up with zeros, a head fails at byte 0 only if the magic is missing.
bool could_be_provisional(std::span<const std::byte> head, std::uint64_t) {
  file_head whole{};
  std::ranges::copy(head.first(std::min(head.size(), whole.size())), whole.begin());
  const auto kind = inspect_provisional(whole);
  return kind || kind.error().at != 0;
}

// Nothing, if it cannot be read.
std::vector<std::byte> head_of(const char* path) {
  std::ifstream in(path, std::ios::binary);
  file_head head{};
  in.read(reinterpret_cast<char*>(head.data()), head.size());
  const auto got = in.bad() || !in.is_open() ? 0 : in.gcount();
  return {head.begin(), head.begin() + got};
}

bool is_regular(const char* path) {
  std::error_code failed;
  return std::filesystem::is_regular_file(path, failed) && !failed;
}

result<any_filter> load_provisional(const char* path) {
  // A pipe must not be opened; the loader tells what is wrong with it.
  const auto kind =
      inspect_provisional(is_regular(path) ? head_of(path) : std::vector<std::byte>{});
  if (kind && *kind == provisional_kind::split_block)
    return load_as<split_block_bloom>(path);
  if (kind && *kind == provisional_kind::bloom) return load_as<bloom>(path);
  return load_as<block_bloom>(path);
}

constexpr std::array table{
    dialect{"provisional", "block, split-block and bloom filters, until the container",
            "header, its checksum and length agree", "no checksum of the bits",
            could_be_provisional, true, load_provisional, save_any, encode_any},
    dialect{"portable", "12-byte header, FNV-1a64 + SplitMix64: C++, Go, Rust, Python",
            "header and length agree", "no checksum", could_be_portable, false,
            load_as<portable_bloom>, save_any, encode_any},
};

// Dialects that this version cannot read but whose bytes may look like one it can.
std::string lookalikes(const dialect& d) {
  return d.name == "portable" ? "portable or nori (not read by this version)"
                              : std::string(d.name);
}

std::string names() {
  std::vector<std::string_view> all;
  for (const dialect& d : table) all.push_back(d.name);
  return fmt::format("{}", fmt::join(all, ", "));
}

const dialect& recognise(const std::string& path) {
  // Whatever is no readable file is told by the loader, which knows why.
  if (!is_regular(path.c_str())) return table.front();
  std::error_code failed;
  const auto file_size = std::filesystem::file_size(path, failed);
  const auto head = head_of(path.c_str());
  if (failed || (head.empty() && file_size != 0)) return table.front();
  std::vector<std::string> candidates;
  for (const dialect& d : table) {
    if (!d.could_be(head, file_size)) continue;
    if (d.has_magic) return d;
    candidates.push_back(lookalikes(d));
  }
  if (candidates.empty())
    throw failure(
        fmt::format("{}: not a filter this tool recognises; if you know what it "
                    "is, name it: --dialect {}",
                    path, names()));
  throw failure(
      fmt::format("{}: could be {}: its bytes do not tell; name it, for example "
                  "--dialect portable",
                  path, fmt::join(candidates, " or ")));
}

}  // namespace

std::span<const dialect> dialects() { return table; }

const dialect& dialect_named(std::string_view name) {
  const auto* found = std::ranges::find(table, name, &dialect::name);
  if (found == table.end())
    throw failure(
        fmt::format("unknown dialect '{}'; this version knows: {}", name, names()));
  return *found;
}

opened open_filter(const std::string& path, std::string_view name) {
  const dialect& d = name.empty() ? recognise(path) : dialect_named(name);
  auto filter = d.load(path.c_str());
  if (!filter) throw failure(describe(path, filter.error()));
  opened result{&d, *std::move(filter), std::nullopt};
  if (!result.filter.padding_is_clear())
    result.damage =
        "bits beyond the last one are set, which no writer of this format does: the file "
        "is damaged or of another dialect";
  return result;
}

}  // namespace bloomery::cli
