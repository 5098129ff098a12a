// Filters that erase keys: the rate of the model, the one a filter reports from its state
// and the one it has, for 44 configurations in one table.  Half of the counting filters
// had as many keys again inserted and erased.
//
// BLOOMERY_TEST_FULL=1 filter_test --gtest_filter=ErasingRates.* prints the table of
// docs/model.md.
#include <memory>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include <bloomery/counting_bloom.hpp>
#include <bloomery/cuckoo.hpp>

#include "ask.hpp"
#include "full.hpp"
#include "must.hpp"
#include "rate_row.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::expect_rates;
using testing::keys;
using testing::must;

void expect_cuckoo(std::uint32_t tag_bits, std::size_t n) {
  const auto buckets =
      static_cast<std::uint64_t>(cuckoo_buckets_for(static_cast<double>(n)));
  auto f = must(cuckoo::make(cuckoo_layout{buckets, tag_bits}, n));
  ASSERT_EQ(f.try_insert(keys(tag_bits, n)), n);
  expect_rates(f, "tags of " + std::to_string(tag_bits) + " bits", n);
}

struct counting_configuration {
  cell_layout layout;
  unsigned width;
  double fpr;
};

void expect_counting(const counting_configuration& c, bool churned) {
  const std::size_t n = 50'000;
  auto f = must(counting_bloom::make(
      {.keys = n, .fpr = c.fpr, .cell_bits = c.width, .layout = c.layout}));
  const auto ks = keys(1, n);
  f.insert(std::span<const key>(ks));
  if (churned) {
    // Half of them at a time, so that it is never much fuller than it was sized for.
    for (const std::uint64_t seed : {2u, 3u}) {
      const auto others = keys(seed, n / 2);
      f.insert(std::span<const key>(others));
      const auto erased = std::make_unique<bool[]>(others.size());
      EXPECT_EQ(must(f.erase_present(others, std::span(erased.get(), others.size()))),
                others.size());
    }
  }
  EXPECT_LE(f.expected_fpr(n), c.fpr);
  expect_rates(f,
               std::string(name_of(c.layout)) + ", cells of " + std::to_string(c.width) +
                   " bits" + (churned ? ", keys erased" : ""),
               n);
  EXPECT_EQ(testing::count_maybe(testing::ask(f, ks)), n);
}

TEST(ErasingRates, AreTheModels) {
  BLOOMERY_STATISTICS();
  testing::print_rate_columns();
  for (const std::uint32_t f : {6u, 8u, 9u, 10u, 12u, 13u, 16u, 20u, 24u, 32u})
    for (const std::size_t n : {1000u, 100'000u}) expect_cuckoo(f, n);
  using enum cell_layout;
  for (const counting_configuration& c : {counting_configuration{line, 4, 0.3},
                                          {line, 4, 0.1},
                                          {line, 4, 0.03},
                                          {line, 4, 0.01},
                                          {line, 4, 0.003},
                                          {line, 4, 0.001},
                                          {line, 8, 0.01},
                                          {line, 32, 0.01},
                                          {flat, 4, 0.1},
                                          {flat, 4, 0.01},
                                          {flat, 4, 1e-3},
                                          {flat, 8, 1e-4}})
    for (const bool churned : {false, true}) expect_counting(c, churned);
}

}  // namespace
}  // namespace bloomery
