// Writes the seeds of the fuzzers that read files: an image of every dialect and variant,
// a container of every kind, each under its name.
//
//   make_fuzz_corpus DIRECTORY            DIRECTORY is fuzz/corpus
//   make_fuzz_corpus --check DIRECTORY    compares instead
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "container_samples.hpp"
#include "dialect_input.hpp"

namespace {

using namespace bloomery;
namespace fs = std::filesystem;

class corpus {
 public:
  corpus(fs::path folder, bool check) : folder_(std::move(folder)), check_(check) {}

  void add(const char* target, std::string name, const std::vector<std::byte>& bytes) {
    for (char& c : name)
      if (c == ' ' || c == '-') c = '_';
    const fs::path path = folder_ / target / name;
    if (check_) {
      if (fs::exists(path) && testing::bytes_of(path) == bytes) return;
      std::printf("%s is not what is made today\n", path.c_str());
      ++wrong_;
      return;
    }
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  int wrong() const { return wrong_; }

 private:
  fs::path folder_;
  bool check_;
  int wrong_ = 0;
};

std::size_t row_of(const std::string& dialect) {
  std::size_t i = 0;
  while (dialect_at(i).name != dialect) ++i;
  return i;
}

void add_dialects(corpus& to) {
  for (const auto& s : testing::dialect_samples(10)) {
    to.add("fuzz_dialects", s.name,
           fuzz::write_dialect_input({row_of(s.dialect), s.read, s.image}));
    const auto f = testing::must(foreign_filter::decode(s.dialect, s.image, s.read));
    auto wrapped = testing::bytes_of(testing::must(encode_wrapped(f)));
    wrapped.insert(wrapped.begin(), std::byte{1});
    to.add("fuzz_container", "foreign " + s.name, wrapped);
  }
}

// As they are, and with checksums that follow every mutation; and with a damaged chunk.
void add_containers(corpus& to) {
  constexpr std::size_t payload_at = 128;
  for (auto& s : testing::container_samples()) {
    auto damaged = s.bytes;
    damaged.at(payload_at) ^= std::byte{1};
    damaged.insert(damaged.begin(), std::byte{0});
    to.add("fuzz_container", s.name + " damaged", damaged);
    for (const bool repaired : {false, true}) {
      auto bytes = s.bytes;
      bytes.insert(bytes.begin(), std::byte{repaired});
      const std::string name = s.name + (repaired ? " repaired" : " raw");
      to.add("fuzz_container", name, bytes);
      if (s.name != "foreign") to.add("fuzz_packed", name, bytes);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool check = argc == 3 && std::string_view(argv[1]) == "--check";
  if (argc != 2 && !check) {
    std::fprintf(stderr, "usage: make_fuzz_corpus [--check] DIRECTORY\n");
    return 2;
  }
  corpus to(argv[argc - 1], check);
  add_dialects(to);
  add_containers(to);
  return to.wrong() == 0 ? 0 : 1;
}
