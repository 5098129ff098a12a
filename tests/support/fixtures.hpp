// Files written by other programs, kept outside this repository.
//
// Looked for in BLOOMERY_FIXTURES, then beside the project.  Without them a test skips
// and says so: the vectors in spec/vectors hold the same facts in our own words.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace bloomery::testing {

inline std::filesystem::path fixture(const std::string& name) {
  const char* set = std::getenv("BLOOMERY_FIXTURES");
  return std::filesystem::path(set != nullptr ? set : BLOOMERY_FIXTURES_DIR) / name;
}

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline std::vector<std::byte> bytes_of(const std::filesystem::path& path) {
  const std::string text = text_of(path);
  const auto* p = reinterpret_cast<const std::byte*>(text.data());
  return {p, p + text.size()};
}

}  // namespace bloomery::testing

#define BLOOMERY_NEEDS_FIXTURE(name)                                             \
  if (!std::filesystem::exists(::bloomery::testing::fixture(name)))              \
  GTEST_SKIP() << "no " << name << " under " << ::bloomery::testing::fixture("") \
               << ": set BLOOMERY_FIXTURES to the directory that holds it"
