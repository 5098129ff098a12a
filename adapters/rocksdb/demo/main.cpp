// RocksDB with and without our filters: absent and present Gets, bytes of filters, and
// what a budget across levels is worth.
//
//   demo_rocksdb                  100,000 keys, the most important rows: some seconds
//   demo_rocksdb 1000000 15       a million keys, 15 rounds, every row: five minutes
#include <cstdio>
#include <cstdlib>

#include "demo.hpp"

int main(int argc, char** argv) {
  const bool is_short = argc < 2;
  const std::uint64_t keys = is_short ? 100'000 : std::strtoull(argv[1], nullptr, 10);
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
  if (keys < 10'000 || rounds < 1) {
    std::fputs("usage: demo_rocksdb [KEYS [ROUNDS]], at least 10000 keys\n", stderr);
    return 2;
  }
  std::string name =
      (std::filesystem::temp_directory_path() / "bloomery-rocksdb-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    std::perror(name.c_str());
    return 1;
  }
  const std::filesystem::path folder = name;
  std::puts("RocksDB");
  demo::measure_gets(folder, keys, rounds, is_short);
  demo::measure_budget(folder, keys, is_short);
  std::filesystem::remove_all(folder);
  return 0;
}
