// spec/vectors/counting_*.json against the library and against the words of the page.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/counting_bloom.hpp>
#include <bloomery/filter.hpp>

#include "ask.hpp"
#include "counting_oracle.hpp"
#include "hash/xxh.hpp"
#include "hex.hpp"
#include "must.hpp"
#include "test_key.hpp"
#include "vectors.hpp"

namespace bloomery {
namespace {

using nlohmann::json;
using testing::must;

counting_shape shape_of(const json& row) {
  return {row.at("cells"),
          row.at("profile") == "line" ? cell_layout::line : cell_layout::flat,
          row.at("cell_bits"), row.at("hashes")};
}

TEST(CountingVectors, Positions) {
  const json cases = testing::vectors("counting_positions.json").at("cases");
  EXPECT_GE(cases.size(), 90u);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    const std::uint64_t h = testing::u64_from_hex(row.at("hash"));
    if (row.contains("text")) {
      EXPECT_EQ(hash::xxh3(row.at("text").get<std::string>(), 0), h);
    }
    const counting_shape s = shape_of(row);
    const auto want = row.at("positions").get<std::vector<std::uint64_t>>();
    const auto cells = cell_probe::cells_of(key::from_bits(h), s);
    EXPECT_EQ(std::vector(cells.begin(), cells.end()), want);
    if (s.cells > 1'000'000) continue;
    const auto worded = testing::counting_oracle(s).cells_of(key::from_bits(h));
    EXPECT_EQ(std::set(want.begin(), want.end()), worded);
    EXPECT_EQ(want.size(), worded.size());
  }
}

// As conformance.md says: those in, each so many times; then those inserted and erased.
template <class F>
void make(F& f, const hasher& h, const json& row) {
  const std::size_t in = row.at("inserted"), gone = row.at("erased");
  const auto all =
      testing::numbered(row.at("prefix").template get<std::string>(), in + gone);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (unsigned n = 0; n < (i < in ? row.at("copies").template get<unsigned>() : 1);
         ++n)
      f.insert(h.hash(std::string_view(all[i])));
  for (std::size_t i = in; i < all.size(); ++i)
    if constexpr (erasable<F>)
      must(f.erase_present(h.hash(std::string_view(all[i]))));
    else
      EXPECT_TRUE(f.erase(h.hash(std::string_view(all[i]))));
}

TEST(CountingVectors, Filters) {
  const json cases = testing::vectors("counting_filters.json").at("cases");
  EXPECT_GE(cases.size(), 50u);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    const counting_shape s = shape_of(row);
    auto f = must(counting_bloom::make(s, 0, hasher::xxh3(), row.at("identity")));
    testing::counting_oracle worded(s);
    make(f, f.hasher(), row);
    make(worded, f.hasher(), row);
    EXPECT_EQ(testing::to_hex(f.bytes()), row.at("hex"));
    EXPECT_EQ(testing::to_hex(worded.bytes()), row.at("hex"));
    EXPECT_EQ(f.nonzero_cells(), row.at("nonzero").get<std::uint64_t>());
    EXPECT_EQ(f.stuck_cells(), row.at("stuck").get<std::uint64_t>());
    const auto others = testing::numbered("x", 1000);
    const auto absent = testing::views(others);
    EXPECT_EQ(testing::count_maybe(testing::ask(f, absent)),
              row.at("maybe").get<std::size_t>());
    for (std::size_t i = 0; i < 10; ++i) {
      const json& count = row.at("counts").at(i);
      const key k = f.hash(row.at("prefix").get<std::string>() + std::to_string(i));
      EXPECT_EQ(f.count(k), count.is_string() ? testing::u64_from_hex(count)
                                              : count.get<std::uint64_t>());
    }
    EXPECT_EQ(s.is_line() ? testing::to_hex(must(f.to_block_bloom()).bytes())
                          : testing::to_hex(must(f.to_bloom()).bytes()),
              row.at("bits"));
  }
}

}  // namespace
}  // namespace bloomery
