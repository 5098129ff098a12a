// Writes spec/vectors: what every port must compute, as data.
//
//   make_vectors DIR           write every file
//   make_vectors --check DIR   compare; exit 1 if a file differs, is missing or extra
//
// A published vector never changes: a change of bits is a new kind or version.  So this
// program exists to add files, and the tests run --check.
#include "make_vectors.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "test_key.hpp"

namespace bloomery::vectors {
namespace {

std::map<std::string, json> all_files() {
  const auto k = [](std::size_t n) { return testing::numbered("k", n); };
  const auto long_k = [](std::size_t n) { return testing::numbered("key", n); };
  return {
      {"hash.json", hashes()},
      {"block_positions.json", block_positions()},
      {"block_filters.json", block_filters()},
      {"split_block_positions.json", split_block_positions()},
      {"split_block_filters.json", split_block_filters()},
      {"bloom_positions.json", bloom_positions()},
      {"bloom_filters.json", bloom_filters()},
      {"dialects.json", dialects()},
      {"containers.json", containers()},
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

int check(const std::filesystem::path& folder, const std::map<std::string, json>& files) {
  int wrong = 0;
  for (const auto& [name, file] : files) {
    std::ifstream in(folder / name, std::ios::binary);
    const std::string found{std::istreambuf_iterator<char>(in), {}};
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
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace bloomery::vectors

int main(int argc, char** argv) {
  using namespace bloomery::vectors;
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() == 2 && args[0] == "--check") return check(args[1], all_files());
  if (args.size() != 1) {
    std::fprintf(stderr, "usage: make_vectors [--check] DIR\n");
    return 2;
  }
  for (const auto& [name, file] : all_files())
    std::ofstream(std::filesystem::path(args[0]) / name, std::ios::binary)
        << printed(file);
  return 0;
}
