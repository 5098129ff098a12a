// A filter for a whole table of 100,000 keys, in a file of its own that is mapped.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "bloomery_leveldb/table_filter.hpp"
#include "engines/leveldb/sections.hpp"
#include "kit/latency.hpp"

namespace bloomery::bench {
namespace {

constexpr std::uint64_t keys = 100'000;

template <class T>
T must(result<T> r) {
  if (!r) throw std::runtime_error(r.error().what);
  return *std::move(r);
}

// Nanoseconds of single checks of texts, hashing included.
percentiles checks(const bloomery_leveldb::table_filter<>& f, std::uint64_t first) {
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < keys; ++i) texts.push_back(leveldb_key(first + i));
  const std::vector<key> any(keys);
  std::size_t at = 0;
  return percentiles_of(
      ticks_of_each(any, [&](key) { return f.may_contain(texts[at++]); }));
}

}  // namespace

std::string table_file_section(const leveldb_request& r) {
  const std::string path = (std::filesystem::path(r.folder) / "table.bloom").string();
  bloomery_leveldb::table_filter_builder builder;
  for (std::uint64_t i = 0; i < keys; ++i)
    if (const auto ok = builder.add(leveldb_key(i)); !ok)
      throw std::runtime_error(ok.error().what);
  if (const auto ok = builder.save(path.c_str(), {.bits_per_key = 10}); !ok)
    throw std::runtime_error(ok.error().what);

  std::vector<double> opened;
  for (int i = 0; i < 101; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const auto f = must(bloomery_leveldb::table_filter<>::open(path));
    if (!f.may_contain(leveldb_key(7))) throw std::runtime_error("a false negative");
    opened.push_back(std::chrono::duration<double, std::micro>(
                         std::chrono::steady_clock::now() - start)
                         .count());
  }
  std::ranges::sort(opened);
  const auto f = must(bloomery_leveldb::table_filter<>::open(path));
  if (f.verify_all() != 0) throw std::runtime_error("damaged");
  const percentiles present = checks(f, 0), absent = checks(f, absent_from);
  return fmt::format(
      "One filter of {} keys at 10 bits: {} bytes of filter, {} of file. Mapped and "
      "first answer: "
      "{:.0f} us.\nOne check of a key of 16 bytes, hash included, nothing overlapping: "
      "p50 {:.0f} ns "
      "absent, {:.0f} ns present;\np99 {:.0f} and {:.0f} ns.\n",
      keys, f.size_in_bytes(), std::filesystem::file_size(path),
      opened[opened.size() / 2], absent.p50, present.p50, absent.p99, present.p99);
}

}  // namespace bloomery::bench
