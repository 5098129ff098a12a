// spec/vectors/quotient_*.json against the library.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/quotient.hpp>

#include "ask.hpp"
#include "hash/xxh.hpp"
#include "hex.hpp"
#include "must.hpp"
#include "quotient_files.hpp"
#include "quotient_oracle.hpp"
#include "test_key.hpp"
#include "vectors.hpp"

namespace bloomery {
namespace {

using nlohmann::json;
using testing::must;

TEST(QuotientVectors, Positions) {
  const json cases = testing::vectors("quotient_positions.json").at("cases");
  EXPECT_GE(cases.size(), 250u);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    const std::uint64_t h = testing::u64_from_hex(row.at("hash"));
    if (row.contains("text")) {
      EXPECT_EQ(hash::xxh3(row.at("text").get<std::string>(), 0), h);
    }
    const auto l = quotient_layout_of(row.at("quotients"), row.at("remainder_bits"));
    const std::uint64_t f = l.fingerprint(key::from_bits(h));
    EXPECT_EQ(f, testing::u64_from_hex(row.at("fingerprint")));
    EXPECT_EQ(f >> l.remainder_bits, row.at("quotient").get<std::uint64_t>());
    EXPECT_EQ(f % (std::uint64_t{1} << l.remainder_bits),
              row.at("remainder").get<std::uint64_t>());
    EXPECT_EQ(l.fingerprint(l.key_of(f)), f);
  }
}

TEST(QuotientVectors, Filters) {
  const json cases = testing::vectors("quotient_filters.json").at("cases");
  EXPECT_GE(cases.size(), 50u);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump().substr(0, 200));
    const quotient_layout l{row.at("quotients"), row.at("remainder_bits"),
                            row.at("blocks")};
    testing::multiset list;
    for (const json& pair : row.at("list")) list[pair[0]] = pair[1];
    const auto bytes = must(testing::quotient_bytes(l, list));
    EXPECT_EQ(testing::to_hex(bytes), row.at("hex"));
    const quotient read = testing::quotient_of_bytes(l, bytes);
    const auto others = testing::numbered("x", 1000);
    EXPECT_EQ(testing::count_maybe(testing::ask(read, testing::views(others))),
              row.at("maybe").get<std::size_t>());
    EXPECT_EQ(read.census().used_slots, row.at("used").get<std::uint64_t>());
    testing::multiset found;
    read.for_each([&](std::uint64_t f, std::uint64_t n) { found[f] = n; });
    EXPECT_EQ(found, list);
    if (row.contains("what")) continue;
    auto f = must(quotient::make(l));
    const std::size_t inserted = row.at("inserted");
    const auto texts = testing::numbered(row.at("prefix").get<std::string>(),
                                         inserted + row.at("erased").get<std::size_t>());
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (unsigned n = 0; n < (i < inserted ? row.at("copies").get<unsigned>() : 1); ++n)
        must(f.try_insert(std::string_view(texts[i])));
    for (std::size_t i = inserted; i < texts.size(); ++i)
      must(f.erase_present(std::string_view(texts[i])));
    EXPECT_EQ(testing::to_hex(f.bytes()), row.at("hex"));
    EXPECT_EQ(f.ones(), row.at("ones").get<std::uint64_t>());
    const auto ten = testing::numbered(row.at("prefix").get<std::string>(), 10);
    for (std::size_t i = 0; i < 10; ++i)
      EXPECT_EQ(f.count(std::string_view(ten[i])), row.at("counts")[i]);
  }
}

}  // namespace
}  // namespace bloomery
