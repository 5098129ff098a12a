// spec/vectors/cuckoo_*.json against the library.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/cuckoo.hpp>

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

TEST(CuckooVectors, Positions) {
  const json cases = testing::vectors("cuckoo_positions.json").at("cases");
  EXPECT_GE(cases.size(), 300u);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    const std::uint64_t h = testing::u64_from_hex(row.at("hash"));
    if (row.contains("text")) {
      EXPECT_EQ(hash::xxh3(row.at("text").get<std::string>(), 0), h);
    }
    const cuckoo_probe probe(row.at("buckets"), row.at("tag_bits"));
    const auto p = probe.start(key::from_bits(h));
    EXPECT_EQ(p.tag, row.at("tag").get<std::uint32_t>());
    EXPECT_EQ(p.first, row.at("first").get<std::uint64_t>());
    EXPECT_EQ(p.second, row.at("second").get<std::uint64_t>());
    EXPECT_EQ(probe.other(p.second, p.tag), p.first);
    EXPECT_NE(p.first, p.second);
  }
}

TEST(CuckooVectors, Filters) {
  const json cases = testing::vectors("cuckoo_filters.json").at("cases");
  EXPECT_GE(cases.size(), 40u);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    auto f = must(cuckoo::make(cuckoo_layout{row.at("buckets"), row.at("tag_bits")}));
    const auto strings =
        testing::numbered(row.at("prefix").get<std::string>(), row.at("inserted"));
    const auto others = testing::numbered("x", 1000);
    const auto texts = testing::views(strings), absent = testing::views(others);
    EXPECT_EQ(f.try_insert(std::span<const std::string_view>(texts)), texts.size());
    EXPECT_EQ(testing::to_hex(f.bytes()), row.at("hex"));
    EXPECT_EQ(f.ones(), row.at("ones").get<std::uint64_t>());
    EXPECT_EQ(f.occupied(), row.at("occupied").get<std::uint64_t>());
    EXPECT_EQ(std::round(f.realised_fpr() * static_cast<double>(f.buckets()) *
                         (std::exp2(f.tag_bits()) - 1)),
              row.at("classes").get<double>());
    EXPECT_EQ(testing::count_maybe(testing::ask(f, absent)),
              row.at("maybe").get<std::size_t>());
    EXPECT_EQ(testing::count_maybe(testing::ask(f, texts)), texts.size());
  }
}

}  // namespace
}  // namespace bloomery
