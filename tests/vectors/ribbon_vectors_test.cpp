// spec/vectors/ribbon_*.json against the library, and against the page itself.
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/ribbon.hpp>

#include "ask.hpp"
#include "format/filter_access.hpp"
#include "hash/xxh.hpp"
#include "hex.hpp"
#include "kind/ribbon/kernel/last.hpp"
#include "must.hpp"
#include "ribbon_oracle.hpp"
#include "test_key.hpp"
#include "vectors.hpp"

namespace bloomery {
namespace {

using nlohmann::json;
using testing::must;
using testing::ribbon_oracle;

ribbon_shape shape_of(const json& row) {
  ribbon_shape s;
  s.width = row.at("width");
  s.columns = row.at("columns");
  s.narrow = row.at("narrow");
  s.buckets = row.at("buckets").get<std::array<std::uint32_t, 4>>();
  s.rest = row.at("rest");
  s.seed = row.at("seed");
  s.keeps_hashes = row.at("kept") == 1;
  return s;
}

TEST(RibbonVectors, Positions) {
  const json cases = testing::vectors("ribbon_positions.json").at("cases");
  EXPECT_GE(cases.size(), 100u);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    std::uint64_t h = testing::u64_from_hex(row.at("hash"));
    if (row.contains("text")) {
      EXPECT_EQ(hash::xxh3(row.at("text").get<std::string>(), 0), h);
    }
    const ribbon_shape s = shape_of(row);
    const ribbon_oracle page(s, {});
    const ribbon_layout all(s);
    ASSERT_EQ(row.at("layers").size(), all.layers);
    for (std::size_t i = 0; i < all.layers; ++i, h = ribbon_oracle::next(h)) {
      const json& layer = row.at("layers")[i];
      EXPECT_EQ(testing::to_hex(h), layer.at("hash"));
      const std::uint64_t slot = page.slot(i, h);
      const auto l = page.of(i);
      EXPECT_EQ(slot / (l.q * l.B), layer.at("segment").get<std::uint64_t>());
      EXPECT_EQ(slot % (l.q * l.B), layer.at("start").get<std::uint64_t>());
      EXPECT_EQ(slot / l.B, layer.at("bucket").get<std::uint64_t>());
      EXPECT_EQ(slot % l.B, layer.at("position").get<std::uint64_t>());
      EXPECT_EQ(slot / s.width, layer.at("block").get<std::uint64_t>());
      EXPECT_EQ(slot % s.width, layer.at("shift").get<std::uint64_t>());
      EXPECT_EQ(s.columns - (slot / s.width < l.X),
                layer.at("columns").get<std::uint32_t>());
      const auto e = ribbon_oracle::equation_of(h, s.width);
      EXPECT_EQ(e.f, layer.at("fingerprint").get<std::uint32_t>());
      const std::string low = testing::to_hex(static_cast<std::uint64_t>(e.c));
      EXPECT_EQ(layer.at("coefficients"),
                s.width == 64
                    ? low
                    : testing::to_hex(static_cast<std::uint64_t>(e.c >> 64)) + low);
    }
    ASSERT_EQ(row.contains("last"), all.last_slots != 0);
    if (all.last_slots == 0) continue;
    const json& last = row.at("last");
    h = ribbon_oracle::next(h + s.seed);
    EXPECT_EQ(testing::to_hex(h), last.at("hash"));
    const auto start = static_cast<std::uint64_t>(
        (static_cast<ribbon_oracle::u128>(h) * page.last_starts()) >> 64);
    EXPECT_EQ(start, last.at("start").get<std::uint64_t>());
    EXPECT_EQ(s.columns - (start < page.last_narrow()),
              last.at("columns").get<std::uint32_t>());
    const auto e = ribbon_oracle::equation_of(h, 64);
    EXPECT_EQ(e.f, last.at("fingerprint").get<std::uint32_t>());
    auto c = static_cast<std::uint64_t>(e.c);
    if (s.rest < 64) c &= (std::uint64_t{1} << s.rest) - 1;
    EXPECT_EQ(testing::to_hex(c), last.at("coefficients"));
  }
}

TEST(RibbonVectors, Filters) {
  const json cases = testing::vectors("ribbon_filters.json").at("cases");
  EXPECT_GE(cases.size(), 40u);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump().substr(0, 300));
    const auto bytes = testing::from_hex(row.at("hex").get<std::string>());
    const ribbon_shape s = shape_of(row);
    ASSERT_EQ(ribbon_layout(s).size_in_bytes, bytes.size());
    auto store = must(pages::make(bytes.size()));
    std::ranges::copy(bytes, store.bytes().begin());
    const auto f = format::filter_access::make<ribbon>(s, 0u, hasher::xxh3(),
                                                       std::move(store), damage_set());
    EXPECT_EQ(f.ones(), row.at("ones").get<std::uint64_t>());
    EXPECT_NEAR(f.realised_fpr(), row.at("realised").get<double>(),
                1e-12 * f.realised_fpr());
    const auto strings =
        testing::numbered(row.at("prefix").get<std::string>(), row.at("inserted"));
    const auto others = testing::numbered("x", 1000);
    const auto texts = testing::views(strings), absent = testing::views(others);
    EXPECT_EQ(testing::count_maybe(testing::ask(f, texts)), texts.size());
    EXPECT_EQ(testing::count_maybe(testing::ask(f, absent)),
              row.at("maybe").get<std::size_t>());
    const ribbon_oracle page(s, bytes);
    for (const auto& some : {texts, absent})
      for (const std::string_view t : some) {
        const key k = hasher::xxh3().hash(t);
        ASSERT_EQ(f.may_contain(k), page.may_contain(k.bits())) << t;
      }
  }
}

}  // namespace
}  // namespace bloomery
