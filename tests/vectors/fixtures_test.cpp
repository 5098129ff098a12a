// Files that other programs wrote: reproduced byte for byte, and read.
#include <sstream>
#include <string>
#include <unordered_map>

#include <gtest/gtest.h>

#include <bloomery/portable_bloom.hpp>

#include "all_filters.hpp"
#include "ask.hpp"
#include "fixtures.hpp"
#include "hash/fnv1a.hpp"
#include "hash/murmur.hpp"
#include "hash/siphash.hpp"
#include "hash/xxh.hpp"
#include "hex.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

struct portable_file {
  const char* name;
  const char* prefix;
  std::size_t keys;
  double fpr;
  int maybe;  // of x0 .. x9999, as its writer counted; -1 where it did not
};

constexpr portable_file portable_files[] = {
    {"db-lab/k1000_n1000_p0.001.bin", "k", 1000, 0.001, 9},
    {"db-lab/k1000_n1000_p0.01.bin", "k", 1000, 0.01, 94},
    {"db-lab/k10_n10_p0.01.bin", "k", 10, 0.01, 280},
    {"db-lab/key1000_n1000_p0.01.bin", "key", 1000, 0.01, -1},
};

class PortableFixture : public ::testing::TestWithParam<portable_file> {};

TEST_P(PortableFixture, IsReproducedAndRead) {
  const portable_file& p = GetParam();
  BLOOMERY_NEEDS_FIXTURE(p.name);
  const auto bytes = bytes_of(fixture(p.name));
  const auto strings = numbered(p.prefix, p.keys), others = numbered("x", 10'000);
  const auto texts = views(strings), absent = views(others);

  auto made = must(portable_bloom::make({.keys = p.keys, .fpr = p.fpr}));
  made.insert(std::span<const std::string_view>(texts));
  EXPECT_EQ(to_hex(encoded(made)), to_hex(bytes));

  const auto read = must(portable_bloom::load(fixture(p.name).c_str()));
  EXPECT_TRUE(read == made);
  EXPECT_TRUE(read.padding_is_clear());
  EXPECT_EQ(to_hex(encoded(read)), to_hex(bytes));
  EXPECT_EQ(count_maybe(ask(read, texts)), texts.size());
  if (p.maybe >= 0) {
    EXPECT_EQ(count_maybe(ask(read, absent)), static_cast<std::size_t>(p.maybe));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, PortableFixture, ::testing::ValuesIn(portable_files));

// A table with one row for each EDGE65 input and one column for each hash.
TEST(HashFixture, EveryHashOfEveryLength) {
  constexpr const char* name = "hashes/edge65_hash_vectors.tsv";
  BLOOMERY_NEEDS_FIXTURE(name);
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, '\t');) cells.push_back(cell);
    return cells;
  };
  std::istringstream table(text_of(fixture(name)));
  std::string line;
  std::getline(table, line);
  const auto columns = split(line);
  const auto inputs = edge65();
  std::size_t rows = 0;
  for (; std::getline(table, line); ++rows) {
    SCOPED_TRACE(rows);
    const auto cells = split(line);
    ASSERT_EQ(cells.size(), columns.size());
    std::unordered_map<std::string, std::string> row;
    for (std::size_t i = 0; i < cells.size(); ++i) row[columns[i]] = cells[i];
    const std::string& s = inputs.at(rows);
    ASSERT_EQ(row.at("len"), std::to_string(s.size()));
    ASSERT_EQ(row.at("key_hex"), to_hex(s));
    EXPECT_EQ(row.at("fnv1a64"), to_hex(hash::fnv1a64(s)));
    EXPECT_EQ(row.at("fnv1a64_splitmix64"), to_hex(hash::fnv1a_splitmix(s)));
    EXPECT_EQ(row.at("xxh64_s0"), to_hex(hash::xxh64(s, 0)));
    EXPECT_EQ(row.at("xxh64_s1"), to_hex(hash::xxh64(s, 1)));
    EXPECT_EQ(row.at("murmur3_x64_128_h1"), to_hex(hash::murmur3_x64_128(s, 0).first));
    EXPECT_EQ(row.at("murmur3_x64_128_h2"), to_hex(hash::murmur3_x64_128(s, 0).second));
    EXPECT_EQ(row.at("murmur64A_s0"), to_hex(hash::murmur64a(s, 0)));
    EXPECT_EQ(row.at("murmur64A_s_c6a4a7935bd1e995"),
              to_hex(hash::murmur64a(s, 0xc6a4a7935bd1e995)));
    EXPECT_EQ(row.at("siphash13_key000102..0f"),
              to_hex(hash::siphash13(s, 0x0706050403020100, 0x0f0e0d0c0b0a0908)));
  }
  EXPECT_EQ(rows, inputs.size());
}

}  // namespace
}  // namespace bloomery::testing
