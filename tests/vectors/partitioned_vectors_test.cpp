// spec/vectors/partitioned_*.json against the library and against the words of the page.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/partitioned_bloom.hpp>

#include "ask.hpp"
#include "hash/xxh.hpp"
#include "hex.hpp"
#include "must.hpp"
#include "test_key.hpp"
#include "vectors.hpp"

namespace bloomery {
namespace {

using nlohmann::json;
using testing::must;

std::vector<std::uint64_t> worded(std::uint64_t s, std::uint32_t k, std::uint64_t h) {
  __extension__ using u128 = unsigned __int128;
  std::vector<std::uint64_t> out;
  std::uint64_t x = h | 1;
  for (std::uint32_t j = 0; j < k; ++j) {
    x *= 0xf1357aea2e62a9c5U;
    out.push_back(j * s + static_cast<std::uint64_t>(static_cast<u128>(x) * s >> 64));
  }
  return out;
}

TEST(PartitionedVectors, Positions) {
  const json cases = testing::vectors("partitioned_positions.json").at("cases");
  EXPECT_GE(cases.size(), 40u);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    const std::uint64_t h = testing::u64_from_hex(row.at("hash"));
    if (row.contains("text")) {
      EXPECT_EQ(hash::xxh3(row.at("text").get<std::string>(), 0), h);
    }
    const auto want = row.at("positions").get<std::vector<std::uint64_t>>();
    const std::uint64_t slice = row.at("slice");
    const std::uint32_t hashes = row.at("hashes");
    EXPECT_EQ(worded(slice, hashes, h), want);
    auto w = partitioned_probe(slice, hashes).start(key::from_bits(h));
    for (const std::uint64_t at : want) {
      EXPECT_EQ(w.at, at);
      w.advance(slice);
    }
  }
}

TEST(PartitionedVectors, Filters) {
  const json cases = testing::vectors("partitioned_filters.json").at("cases");
  EXPECT_GE(cases.size(), 20u);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    auto f = must(
        partitioned_bloom::make(partitioned_layout{row.at("slice"), row.at("hashes")}));
    const auto strings =
        testing::numbered(row.at("prefix").get<std::string>(), row.at("inserted"));
    const auto others = testing::numbered("x", 1000);
    const auto texts = testing::views(strings), absent = testing::views(others);
    f.insert(std::span<const std::string_view>(texts));
    EXPECT_EQ(testing::to_hex(f.bytes()), row.at("hex"));
    EXPECT_EQ(f.ones(), row.at("ones").get<std::uint64_t>());
    EXPECT_EQ(testing::count_maybe(testing::ask(f, absent)),
              row.at("maybe").get<std::size_t>());
    EXPECT_EQ(testing::count_maybe(testing::ask(f, texts)), texts.size());
  }
}

}  // namespace
}  // namespace bloomery
