#include "dialects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <vector>

#include <bloomery/portable_format.hpp>

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

constexpr std::array table{
    dialect{"portable", "12-byte header, FNV-1a64 + SplitMix64: C++, Go, Rust, Python",
            could_be_portable, load_as<portable_bloom>, save_any, encode_any},
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
  std::error_code failed;
  const auto file_size = std::filesystem::file_size(path, failed);
  // Whatever is no readable file is told by the loader, which knows why.
  if (failed || !std::filesystem::is_regular_file(path, failed)) return table.front();
  std::ifstream in(path, std::ios::binary);
  std::array<char, 64> head{};
  in.read(head.data(), head.size());
  if (in.bad() || !in.is_open()) return table.front();
  const auto got =
      std::as_bytes(std::span(head)).first(static_cast<std::size_t>(in.gcount()));
  std::vector<std::string> candidates;
  for (const dialect& d : table)
    if (d.could_be(got, file_size)) candidates.push_back(lookalikes(d));
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
  const bool clear =
      result.filter.visit([](const auto& f) { return f.padding_is_clear(); });
  if (!clear)
    result.damage =
        "bits beyond the last one are set, which no writer of this format does: the file "
        "is damaged or of another dialect";
  return result;
}

}  // namespace bloomery::cli
