// Counting filters beside more threads than the writer bound, and merged meanwhile.
#include <bloomery/concurrent.hpp>

#include <span>

#include <gtest/gtest.h>

#include "crew.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

// More threads than the writer bound of 4-bit cells, all on a few keys: every cell
// saturates, and nothing overflows into a neighbour.
TEST(ErasingCounting, ManyThreadsSaturate) {
  for (const unsigned bits : {4u, 8u}) {
    auto f = must(concurrent<counting_bloom>::make({.keys = 200, .cell_bits = bits}));
    auto plain = must(counting_bloom::make({.keys = 200, .cell_bits = bits}));
    const auto ks = keys(3, 20);
    with_threads(12, [&](std::size_t) {
      for (int i = 0; i < 30; ++i)
        for (const key k : ks) f.insert(k);
    });
    for (int i = 0; i < 12 * 30; ++i)
      for (const key k : ks) plain.insert(k);
    EXPECT_GT(f.stuck_cells(), 0u);
    EXPECT_TRUE(must(f.snapshot()) == plain);
    EXPECT_TRUE(std::move(f).release() == plain);
  }
}

TEST(ErasingCounting, MergesWhileOthersInsert) {
  for (const unsigned bits : {4u, 8u, 32u}) {
    const counting_bloom::params p{.keys = 4000, .cell_bits = bits};
    auto f = must(concurrent<counting_bloom>::make(p));
    auto other = must(counting_bloom::make(p)), want = must(counting_bloom::make(p));
    const auto mine = keys(1, 2000), theirs = keys(2, 2000);
    other.insert(std::span<const key>(theirs));
    with_threads(3, [&](std::size_t t) {
      if (t == 0) f.insert(std::span<const key>(mine));
      if (t != 0) must(f.merge(other));
    });
    want.insert(std::span<const key>(mine));
    must(want.merge(other));
    must(want.merge(other));
    EXPECT_TRUE(must(f.snapshot()) == want);
    EXPECT_EQ(f.merge(must(counting_bloom::make({.keys = 7}))).error().code,
              errc::incompatible);
  }
}

}  // namespace
}  // namespace bloomery::testing
