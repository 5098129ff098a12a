// The C++ implementation's side of the conformance kit (spec/conformance.md).
//
//   conform script FILE [--files DIR]
//   conform vectors DIR
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "interpreter.hpp"
#include "make_vectors/folder.hpp"

namespace bloomery::conform {
namespace {

int run_script(const std::string& path, const std::string& files) {
  std::ifstream in(path);
  if (!in) {
    std::fprintf(stderr, "conform: cannot read %s\n", path.c_str());
    return 2;
  }
  interpreter m(files);
  unsigned number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    if (text.empty() || text[0] == '#') continue;
    try {
      std::printf("%u %s\n", number, m.run(parse(text)).c_str());
    } catch (const bad_script& e) {
      std::fprintf(stderr, "conform: %s:%u: %s\n", path.c_str(), number, e.what());
      return 2;
    }
  }
  return 0;
}

}  // namespace
}  // namespace bloomery::conform

int main(int argc, char** argv) {
  using namespace bloomery;
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() == 2 && args[0] == "vectors") return vectors::report(args[1]);
  if (args.size() >= 2 && args[0] == "script") {
    if (args.size() == 2) return conform::run_script(args[1], ".");
    if (args.size() == 4 && args[2] == "--files")
      return conform::run_script(args[1], args[3]);
  }
  std::fprintf(stderr,
               "usage: conform script FILE [--files DIR]\n"
               "       conform vectors DIR\n");
  return 2;
}
