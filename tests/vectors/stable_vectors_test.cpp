// spec/vectors/stable_*.json and window_filters.json against the library, and stable
// filters against the words of the page.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/stable_bloom.hpp>
#include <bloomery/window_bloom.hpp>

#include "ask.hpp"
#include "hash/xxh.hpp"
#include "hex.hpp"
#include "must.hpp"
#include "stable_oracle.hpp"
#include "test_key.hpp"
#include "vectors.hpp"

namespace bloomery {
namespace {

using nlohmann::json;
using testing::must;

stable_shape stable_shape_of(const json& row) {
  return {row.at("cells"), row.at("cell_bits"), row.at("max"), row.at("hashes"),
          row.at("decrement").get<std::uint64_t>() << 32 |
              row.at("fraction").get<std::uint64_t>()};
}

TEST(StableVectors, Positions) {
  const json cases = testing::vectors("stable_positions.json").at("cases");
  EXPECT_GE(cases.size(), 180u);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    const std::uint64_t h = testing::u64_from_hex(row.at("hash"));
    EXPECT_EQ(hash::xxh3(row.at("text").get<std::string>(), 0), h);
    const testing::stable_insert insert(stable_shape_of(row), row.at("seed"),
                                        testing::u64_from_hex(row.at("inserts")));
    EXPECT_EQ(insert.start(), row.at("start").get<std::uint64_t>());
    EXPECT_EQ(insert.steps(), row.at("steps").get<std::uint64_t>());
    EXPECT_EQ(insert.cells_of(key::from_bits(h)),
              row.at("positions").get<std::vector<std::uint64_t>>());
  }
}

TEST(StableVectors, Filters) {
  const json cases = testing::vectors("stable_filters.json").at("cases");
  EXPECT_GE(cases.size(), 70u);
  const auto others = testing::numbered("x", 1000);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    const stable_shape s = stable_shape_of(row);
    auto f = must(stable_bloom::make(s, 0, hasher::xxh3(), row.at("seed")));
    testing::stable_oracle worded(s, row.at("seed"));
    const auto keys =
        testing::numbered(row.at("prefix").get<std::string>(), row.at("inserted"));
    f.insert(std::span<const std::string_view>(testing::views(keys)));
    for (const std::string& k : keys) worded.insert(f.hash(std::string_view(k)));
    EXPECT_EQ(testing::to_hex(f.bytes()), row.at("hex"));
    EXPECT_EQ(testing::to_hex(worded.bytes()), row.at("hex"));
    EXPECT_EQ(f.nonzero_cells(), row.at("nonzero").get<std::uint64_t>());
    EXPECT_EQ(worded.nonzero(), f.nonzero_cells());
    EXPECT_EQ(f.inserts(), keys.size());
    EXPECT_EQ(testing::count_maybe(testing::ask(f, testing::views(keys))),
              row.at("found").get<std::size_t>());
    EXPECT_EQ(testing::count_maybe(testing::ask(f, testing::views(others))),
              row.at("maybe").get<std::size_t>());
  }
}

// Each generation is the block filter of the keys that it took.
TEST(WindowVectors, Filters) {
  const json cases = testing::vectors("window_filters.json").at("cases");
  EXPECT_GE(cases.size(), 50u);
  const auto others = testing::numbered("x", 1000);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    block_profile profile = block_profile::half_line;
    for (const block_profile p : {block_profile::line, block_profile::two_lines})
      if (row.at("profile") == name_of(p)) profile = p;
    const window_shape s{
        {row.at("blocks"), profile}, row.at("generations"), row.at("generation_keys")};
    auto f = must(window_bloom::make(s));
    std::vector<block_bloom> worded;
    for (unsigned g = 0; g < s.generations; ++g)
      worded.push_back(must(block_bloom::make(s.one)));
    const auto keys = testing::numbered("k", row.at("inserted"));
    const std::size_t every = row.at("rotate_every");
    unsigned current = 0;
    std::uint64_t count = 0;
    const auto rotate = [&] {
      current = (current + 1) % s.generations;
      worded[current].clear();
      count = 0;
    };
    for (std::size_t i = 0; i < keys.size(); ++i) {
      f.insert(std::string_view(keys[i]));
      if (s.generation_keys != 0 && count == s.generation_keys) rotate();
      worded[current].insert(std::string_view(keys[i]));
      ++count;
      if (every == 0 || (i + 1) % every != 0) continue;
      f.rotate();
      rotate();
    }
    EXPECT_EQ(testing::to_hex(f.bytes()), row.at("hex"));
    std::string all;
    for (const block_bloom& g : worded) all += testing::to_hex(g.bytes());
    EXPECT_EQ(all, row.at("hex"));
    EXPECT_EQ(f.current(), row.at("current").get<unsigned>());
    EXPECT_EQ(current, f.current());
    EXPECT_EQ(f.count(), row.at("count").get<std::uint64_t>());
    EXPECT_EQ(count, f.count());
    EXPECT_EQ(f.ones(), row.at("ones").get<std::uint64_t>());
    std::string found;
    for (const std::string& k : keys)
      found += f.may_contain(std::string_view(k)) ? '1' : '0';
    EXPECT_EQ(found, row.at("found"));
    EXPECT_EQ(testing::count_maybe(testing::ask(f, testing::views(others))),
              row.at("maybe").get<std::size_t>());
  }
}

}  // namespace
}  // namespace bloomery
