// spec/vectors/scalable_*.json against the library and against the words of the page.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/scalable_bloom.hpp>

#include "ask.hpp"
#include "block_oracle.hpp"
#include "hash/xxh.hpp"
#include "hex.hpp"
#include "must.hpp"
#include "test_key.hpp"
#include "vectors.hpp"

namespace bloomery {
namespace {

using nlohmann::json;
using testing::must;

scalable_shape chain_of(const json& row) {
  scalable_shape s;
  s.lines = row.at("lines");
  s.growth = row.at("growth");
  s.line_from = row.at("line_from");
  s.two_lines_from = row.at("two_lines_from");
  return s;
}

// The words of spec/hash.md, section 1, and of spec/filters.md, 12.1.
std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}
struct worded_level {
  block_shape shape;
  std::uint64_t offset;
};
worded_level worded(const json& row, unsigned level) {
  std::uint64_t lines = row.at("lines"), offset = 0;
  for (unsigned i = 0; i < level; ++i) {
    offset += 64 * lines;
    lines *= row.at("growth").get<std::uint64_t>();
  }
  if (level < row.at("line_from").get<unsigned>())
    return {{2 * lines, block_profile::half_line}, offset};
  if (level < row.at("two_lines_from").get<unsigned>())
    return {{lines, block_profile::line}, offset};
  return {{lines, block_profile::two_lines}, offset};
}

TEST(ScalableVectors, Positions) {
  const json cases = testing::vectors("scalable_positions.json").at("cases");
  EXPECT_GE(cases.size(), 30u);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    const std::uint64_t h = testing::u64_from_hex(row.at("hash"));
    if (row.contains("text")) {
      EXPECT_EQ(hash::xxh3(row.at("text").get<std::string>(), 0), h);
    }
    const scalable_shape s = chain_of(row);
    const unsigned levels = row.at("levels");
    ASSERT_EQ(row.at("positions").size(), levels);
    for (unsigned i = 0; i < levels; ++i) {
      const worded_level w = worded(row, i);
      EXPECT_EQ(s.level(i), w.shape);
      EXPECT_EQ(s.offset(i), w.offset);
      auto want = testing::oracle_positions(w.shape, splitmix64(h));
      for (std::uint64_t& at : want) at += 8 * w.offset;
      EXPECT_EQ(row.at("positions")[i].get<std::vector<std::uint64_t>>(), want);
    }
  }
}

TEST(ScalableVectors, Filters) {
  const json cases = testing::vectors("scalable_filters.json").at("cases");
  EXPECT_GE(cases.size(), 28u);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    scalable_shape s = chain_of(row);
    s.fpr = row.at("fpr");
    for (const auto p :
         {growth_policy::equal, growth_policy::geometric, growth_policy::dynamic})
      if (row.at("policy") == name_of(p)) s.policy = p;
    s.max_levels = row.at("max_levels");
    auto f = must(scalable_bloom::make(s));
    const auto strings =
        testing::numbered(row.at("prefix").get<std::string>(), row.at("inserted"));
    const auto others = testing::numbered("x", 1000);
    const auto texts = testing::views(strings), absent = testing::views(others);
    f.insert(std::span<const std::string_view>(texts));
    EXPECT_EQ(f.levels(), row.at("levels").get<unsigned>());
    EXPECT_EQ(testing::to_hex(f.bytes()), row.at("hex"));
    EXPECT_EQ(f.ones(), row.at("ones").get<std::uint64_t>());
    char rate[32];
    std::snprintf(rate, sizeof rate, "%.9g", f.realised_fpr());
    EXPECT_EQ(rate, row.at("realised").get<std::string>());
    EXPECT_EQ(testing::count_maybe(testing::ask(f, absent)),
              row.at("maybe").get<std::size_t>());
    EXPECT_EQ(testing::count_maybe(testing::ask(f, texts)), texts.size());
  }
}

}  // namespace
}  // namespace bloomery
