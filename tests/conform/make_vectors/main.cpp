// Writes spec/vectors: what every port must compute, as data.
//
//   make_vectors DIR           write every file
//   make_vectors --check DIR   compare; exit 1 if a file differs, is missing or extra
//
// A published vector never changes: a change of bits is a new kind or version.  So this
// program exists to add files, and the tests run --check.
#include <cstdio>
#include <string>
#include <vector>

#include "make_vectors/folder.hpp"

int main(int argc, char** argv) {
  using namespace bloomery::vectors;
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() == 2 && args[0] == "--check") return differences(args[1]) == 0 ? 0 : 1;
  if (args.size() != 1) {
    std::fprintf(stderr, "usage: make_vectors [--check] DIR\n");
    return 2;
  }
  write_all(args[0]);
  return 0;
}
