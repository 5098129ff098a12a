// bench_leveldb: our policy for LevelDB beside its own.
//
//   bench_leveldb                                      1M keys; minutes, 1 GiB of disk
//   bench_leveldb --keys 100000 --rounds 7 --dir /tmp  smaller
//   bench_leveldb --write adapters/leveldb/README.md   into the document
//
// The same loops over the same keys for every policy, in turn; minima and medians.
// --write refuses above a load average of 0.5.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

#include "engines/leveldb/sections.hpp"
#include "kit/document.hpp"
#include "kit/machine.hpp"

namespace bloomery::bench {

std::vector<contender> contenders() {
  using bloomery_leveldb::new_filter_policy;
  std::vector<contender> all;
  all.push_back({"none", nullptr});
  all.push_back({"built-in Bloom, 10 bits", std::unique_ptr<const leveldb::FilterPolicy>(
                                                leveldb::NewBloomFilterPolicy(10))});
  all.push_back({"ours, 10 bits", new_filter_policy({.bits_per_key = 10})});
  all.push_back({"ours, 9 bits", new_filter_policy({.bits_per_key = 9})});
  all.push_back({"ours, 8 bits", new_filter_policy({.bits_per_key = 8})});
  return all;
}

namespace {

int run(leveldb_request r, const std::string& document) {
  namespace fs = std::filesystem;
  const fs::path root = r.folder.empty() ? fs::temp_directory_path() : fs::path(r.folder);
  const fs::path folder = root / fmt::format("bench_leveldb-{}", r.keys);
  fs::remove_all(folder);
  fs::create_directories(folder);
  r.folder = folder.string();
  if (!document.empty()) require_idle(load_average());
  const std::string machine = describe_machine();
  const std::string tables =
      gets_section(r) + "\n" + probes_section(r) + "\n" + table_file_section(r);
  const std::string text = machine + describe_load_at_end() + "\n" + tables;
  fs::remove_all(folder);
  fmt::print("{}", text);
  if (!document.empty()) write_between_markers(document, "leveldb", text);
  return 0;
}

}  // namespace
}  // namespace bloomery::bench

int main(int argc, char** argv) {
  bloomery::bench::leveldb_request r;
  std::string document;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    const char* const value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (value != nullptr && name == "--keys")
      r.keys = std::strtoull(value, nullptr, 10);
    else if (value != nullptr && name == "--rounds")
      r.rounds = static_cast<unsigned>(std::strtoul(value, nullptr, 10));
    else if (value != nullptr && name == "--dir")
      r.folder = value;
    else if (value != nullptr && name == "--write")
      document = value;
    else {
      std::fputs("bench_leveldb [--keys N] [--rounds N] [--dir FOLDER] [--write FILE]\n",
                 stderr);
      return 2;
    }
  }
  if (r.keys == 0 || r.rounds == 0) return std::fputs("at least 1\n", stderr), 2;
  try {
    return bloomery::bench::run(r, document);
  } catch (const std::exception& e) {
    fmt::print(stderr, "bench_leveldb: {}\n", e.what());
    return 1;
  }
}
