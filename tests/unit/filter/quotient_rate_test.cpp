// The quotient filter's rates: the model beside what is measured.
#include <bloomery/quotient.hpp>

#include <cmath>
#include <cstdio>

#include <gtest/gtest.h>

#include <bloomery/model.hpp>

#include "full.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::must;

struct configuration {
  std::uint64_t keys;
  double asked;
};

TEST(QuotientRate, MeasuredIsExpectedIsRealised) {
  BLOOMERY_STATISTICS();
  for (const configuration c : {configuration{1000, 0.2},
                                {1000, 0.01},
                                {10'000, 0.1},
                                {10'000, 0.03},
                                {10'000, 0.01},
                                {10'000, 0.003},
                                {50'000, 0.2},
                                {50'000, 0.05},
                                {50'000, 0.02},
                                {50'000, 0.01},
                                {50'000, 0.005},
                                {50'000, 0.001},
                                {200'000, 0.007},
                                {200'000, 0.002},
                                {200'000, 0.0005}}) {
    auto f = must(quotient::make({.keys = c.keys, .fpr = c.asked}));
    EXPECT_EQ(f.try_insert(testing::keys(c.keys, c.keys)), c.keys);
    const double expected = f.expected_fpr(c.keys), realised = f.realised_fpr();
    EXPECT_LE(expected, c.asked);
    // Distinct fingerprints scatter like a Poisson number, and by less.
    EXPECT_NEAR(realised, expected,
                5 * expected * std::sqrt(expected / static_cast<double>(c.keys)) +
                    expected * 1e-3);
    constexpr std::uint64_t asked = 2'000'000;
    std::uint64_t found = 0;
    testing::random from(c.keys + 77);
    for (std::uint64_t i = 0; i < asked; ++i)
      found += f.may_contain(key::from_bits(from.next()));
    const double measured = static_cast<double>(found) / asked;
    EXPECT_NEAR(measured, realised, 5 * std::sqrt(realised / asked));
    std::printf(
        "| %llu | %g | %u | %llu | %.4g | %.4g | %.4g | %.2f |\n",
        static_cast<unsigned long long>(c.keys), c.asked, f.remainder_bits(),
        static_cast<unsigned long long>(f.quotients()), expected, realised, measured,
        8.0 * static_cast<double>(f.size_in_bytes()) / static_cast<double>(c.keys));
  }
}

}  // namespace
}  // namespace bloomery
