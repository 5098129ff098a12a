// sort_distinct is std::sort and std::unique.
#include "filter/sort_distinct.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "cases.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::must;

void check(std::vector<key> ks) {
  auto want = ks;
  std::ranges::sort(want, {}, &key::bits);
  want.erase(std::unique(want.begin(), want.end()), want.end());
  for (const unsigned threads : {1u, 2u, 5u}) {
    const auto got = must(sort_distinct(ks, threads));
    ASSERT_TRUE(std::ranges::equal(got.keys, want)) << ks.size() << " " << threads;
    testing::count_cases("sorts", 1);
  }
  EXPECT_TRUE(must(sort_distinct(want, 2)).memory.size() == 0);
}

TEST(SortDistinct, SortsAnyKeys) {
  for (const std::size_t n : {0u, 1u, 2u, 31u, 33u, 1000u, 100'000u}) {
    check(testing::keys(n, n));
    auto twice = testing::keys(n, n);
    const auto more = testing::keys(n, n / 2);
    twice.insert(twice.end(), more.begin(), more.end());
    check(twice);
    check(std::vector<key>(n, key::from_bits(7)));
    std::vector<key> descending, low, few;
    testing::random any(n);
    for (std::size_t i = 0; i < n; ++i) {
      descending.push_back(key::from_bits(n - i));
      low.push_back(key::from_bits(any.next() & 0xffffff));
      few.push_back(key::from_bits(any.below(100) * 0x9e3779b97f4a7c15));
    }
    check(descending);
    check(low);
    check(few);
  }
}

}  // namespace
}  // namespace bloomery
