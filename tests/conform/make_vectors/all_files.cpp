// The files of spec/vectors, and how a folder of them compares.
#include "make_vectors/folder.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "make_vectors/make_vectors.hpp"
#include "test_key.hpp"

namespace bloomery::vectors {
namespace {

// By name.
std::map<std::string, json> all_files() {
  const auto k = [](std::size_t n) { return testing::numbered("k", n); };
  const auto long_k = [](std::size_t n) { return testing::numbered("key", n); };
  return {
      {"hash.json", hashes()},
      {"hash_long.json", hashes_long()},
      {"receipts.json", receipts()},
      {"block_positions.json", block_positions()},
      {"block_filters.json", block_filters()},
      {"lanes16_positions.json", lanes16_positions()},
      {"lanes16_filters.json", lanes16_filters()},
      {"counting_positions.json", counting_positions()},
      {"counting_filters.json", counting_filters()},
      {"split_block_positions.json", split_block_positions()},
      {"split_block_filters.json", split_block_filters()},
      {"bloom_positions.json", bloom_positions()},
      {"bloom_filters.json", bloom_filters()},
      {"partitioned_positions.json", partitioned_positions()},
      {"partitioned_filters.json", partitioned_filters()},
      {"cuckoo_positions.json", cuckoo_positions()},
      {"cuckoo_filters.json", cuckoo_filters()},
      {"ribbon_positions.json", ribbon_positions()},
      {"ribbon_filters.json", ribbon_filters()},
      {"fuse_positions.json", fuse_positions()},
      {"fuse_filters.json", fuse_filters()},
      {"xor_positions.json", xor_positions()},
      {"xor_filters.json", xor_filters()},
      {"scalable_positions.json", scalable_positions()},
      {"scalable_filters.json", scalable_filters()},
      {"stable_positions.json", stable_positions()},
      {"stable_filters.json", stable_filters()},
      {"window_filters.json", window_filters()},
      {"quotient_positions.json", quotient_positions()},
      {"quotient_filters.json", quotient_filters()},
      {"dialects.json", dialects()},
      {"containers.json", containers()},
      {"container_hostile.json", container_hostile()},
      {"dialect_files.json", dialect_files()},
      {"dialect_hostile.json", dialect_hostile()},
      {"portable_model.json", portable_model()},
      {"portable_positions.json", positions()},
      {"portable_sizing.json", sizing()},
      {"portable_verdicts.json", verdicts()},
      {"portable_hostile.json", hostile()},
      {"portable_empty_n10_p0.01.json", whole_file("No keys.", {}, 10, 0.01)},
      {"portable_k10_n10_p0.01.json", whole_file("Keys: k0 .. k9.", k(10), 10, 0.01)},
      {"portable_key4_n4_p0.05.json",
       whole_file("Keys: key0 .. key3.", long_k(4), 4, 0.05)},
      {"portable_k1000_n1000_p0.01.json",
       whole_file("Keys: k0 .. k999.", k(1000), 1000, 0.01)},
      {"portable_k1000_n1000_p0.001.json",
       whole_file("Keys: k0 .. k999.", k(1000), 1000, 0.001)},
      {"portable_key1000_n1000_p0.01.json",
       whole_file("Keys: key0 .. key999.", long_k(1000), 1000, 0.01)},
      {"portable_edge65_n65_p0.01.json",
       whole_file("Keys: the 65 inputs of edge65 in hash.json, the empty one included.",
                  testing::edge65(), 65, 0.01)},
  };
}

// Readable: one line for each member, and for each row of an array of objects.
std::string printed(const json& file) {
  std::string out = "{";
  const char* before = "\n";
  for (const auto& [name, value] : file.items()) {
    out += before + ("  " + json(name).dump() + ": ");
    before = ",\n";
    const bool rows = value.is_array() && (value[0].is_object() || name == "_comment");
    if (!rows) {
      out += value.dump();
      continue;
    }
    const char* between = "[\n    ";
    for (const json& row : value) out += between + row.dump(), between = ",\n    ";
    out += "\n  ]";
  }
  return out + "\n}\n";
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Rows of its arrays, or 1 for a file that is one case.
std::size_t cases_of(const json& file) {
  std::size_t n = 0;
  for (const auto& [name, value] : file.items())
    if (value.is_array() && name != "_comment" && value[0].is_object()) n += value.size();
  return n == 0 ? 1 : n;
}

}  // namespace

void write_all(const std::filesystem::path& folder) {
  for (const auto& [name, file] : all_files())
    std::ofstream(folder / name, std::ios::binary) << printed(file);
}

int differences(const std::filesystem::path& folder) {
  const auto files = all_files();
  int wrong = 0;
  for (const auto& [name, file] : files) {
    const std::string found = text_of(folder / name);
    if (found == printed(file)) continue;
    std::fprintf(stderr, "make_vectors: %s %s\n", name.c_str(),
                 found.empty() ? "is missing" : "differs");
    ++wrong;
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (!files.contains(entry.path().filename().string())) {
      std::fprintf(stderr, "make_vectors: %s is not made here\n", entry.path().c_str());
      ++wrong;
    }
  std::printf("cases: files %zu\n", files.size());
  return wrong;
}

int report(const std::filesystem::path& folder) {
  const auto files = all_files();
  std::map<std::string, bool> there;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") there[entry.path().filename().string()];
  int failed = 0;
  for (const auto& [name, unused] : there) {
    const auto at = files.find(name);
    const bool good = at != files.end() && text_of(folder / name) == printed(at->second);
    failed += !good;
    std::printf("%s passed=%zu skipped=0 failed=%d\n", name.c_str(),
                good ? cases_of(at->second) : 0, good ? 0 : 1);
    if (!good)
      std::printf("  %s\n", at == files.end() ? "not a file that this program knows"
                                              : "this program computes another file");
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace bloomery::vectors
