// Runs a fuzz target's body over files: every corpus entry, in the normal tests.
//
//   replay TARGET DIRECTORY
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

// BLOOMERY_FUZZ_TARGETS: X(fuzz_block) X(fuzz_container) ... (CMakeLists.txt)
#define X(name) int name(const std::uint8_t* data, std::size_t size);
BLOOMERY_FUZZ_TARGETS
#undef X

namespace {

struct fuzz_target {
  const char* name;
  int (*body)(const std::uint8_t* data, std::size_t size);
};

constexpr fuzz_target targets[] = {
#define X(name) {#name, name},
    BLOOMERY_FUZZ_TARGETS
#undef X
};

}  // namespace

int main(int argc, char** argv) {
  const auto* target = std::ranges::find_if(targets, [&](const fuzz_target& t) {
    return argc == 3 && std::strcmp(t.name, argv[1]) == 0;
  });
  if (target == std::end(targets)) {
    std::fprintf(stderr, "usage: replay TARGET DIRECTORY\n");
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[2]))
    files.push_back(entry.path());
  std::ranges::sort(files);
  for (const auto& path : files) {
    std::printf("%s\n", path.filename().c_str());
    std::fflush(stdout);  // the last name printed is the one that failed
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(in), {}};
    // Exactly as large as the input: the sanitizer sees a byte too far.
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    target->body(bytes.data(), bytes.size());
  }
  std::printf("cases: inputs %zu\n", files.size());
  return files.empty() ? 1 : 0;  // an empty corpus tests nothing
}
