// Double hashing: the exact rate of given bits against a plain enumeration, and the
// closed form of its excess against the exact rate.
#include <bloomery/model.hpp>

#include <cmath>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "sigma.hpp"
#include "test_key.hpp"
#include "textbook.hpp"

namespace bloomery {
namespace {

std::vector<std::byte> random_bits(std::uint64_t seed, std::uint64_t bits, double fill) {
  testing::random from(seed);
  std::vector<std::byte> out((bits + 7) / 8);
  for (std::uint64_t i = 0; i < bits; ++i)
    if (from.unit() < fill) out[i / 8] |= std::byte{1} << (i % 8);
  return out;
}

double enumerated(const std::vector<std::byte>& array, std::uint64_t bits,
                  std::uint32_t hashes) {
  std::uint64_t hits = 0;
  for (std::uint64_t start = 0; start < bits; ++start)
    for (std::uint64_t step = 0; step < bits; ++step) {
      std::uint32_t i = 0;
      for (std::uint64_t at = start; i < hashes; ++i, at = (at + step) % bits)
        if ((static_cast<unsigned>(array[at / 8]) >> (at % 8) & 1u) == 0) break;
      hits += i == hashes;
    }
  return static_cast<double>(hits) / static_cast<double>(bits * bits);
}

TEST(ModelDoubleHashing, ExactIsTheEnumerationOfStartsAndSteps) {
  for (std::uint64_t m = 1; m <= 140; ++m)
    for (const std::uint32_t k : {1u, 2u, 3u, 5u, 8u, 31u})
      for (const double fill : {0.5, 0.9}) {
        const auto array = random_bits(m * k, m, fill);
        ASSERT_EQ(model::double_hashing_fpr_exact(array, m, k), enumerated(array, m, k))
            << "m=" << m << " k=" << k << " fill=" << fill;
      }
}

TEST(ModelDoubleHashing, ExactAroundWholeWords) {
  for (const std::uint64_t m : {191u, 192u, 193u, 511u, 512u, 513u, 1000u})
    for (const std::uint32_t k : {1u, 4u, 7u, 33u}) {
      const auto array = random_bits(m + k, m, 0.8);
      ASSERT_EQ(model::double_hashing_fpr_exact(array, m, k), enumerated(array, m, k))
          << "m=" << m << " k=" << k;
    }
}

TEST(ModelDoubleHashing, ExactOfEmptyFullAndPaddedBits) {
  for (const std::uint64_t m : {1u, 7u, 8u, 63u, 64u, 65u, 2000u}) {
    const std::vector<std::byte> none((m + 7) / 8), all((m + 7) / 8, std::byte{0xff});
    for (const std::uint32_t k : {1u, 7u, 0xffffffffu}) {
      EXPECT_EQ(model::double_hashing_fpr_exact(none, m, k), 0);
      EXPECT_EQ(model::double_hashing_fpr_exact(all, m, k), 1);  // padding set too
    }
  }
}

// At the largest size it takes; enumerating is out of reach, sampling is not.
TEST(ModelDoubleHashing, ExactAgreesWithSamplingAtItsLimit) {
  for (const std::uint64_t m : {65536u, 65535u}) {
    testing::textbook_bloom f(m, 7);
    for (const key k : testing::keys(m, 7000)) f.insert(k);
    std::size_t hits = 0;
    constexpr std::size_t trials = 500'000;
    for (const key k : testing::keys(m + 1, trials)) hits += f.may_contain(k);
    EXPECT_TRUE(testing::within_5_sigma(
        hits, trials, model::double_hashing_fpr_exact(f.bytes(), m, 7)));
  }
}

struct shape {
  std::uint32_t hashes;
  double bits_per_key;
};
// Half full, as sized by rate from 5 % to 1e-9, and one with bits to spare.
constexpr shape shapes[] = {{4, 6.2},   {7, 9.6},   {7, 20}, {10, 14.4},
                            {13, 19.2}, {20, 28.8}, {30, 43}};

// Mean exact rate of `filters` random filters.
double mean_exact(std::uint64_t m, std::uint32_t k, std::size_t n, int filters) {
  double sum = 0;
  for (int f = 0; f < filters; ++f) {
    testing::textbook_bloom bits(m, k);
    for (const key x : testing::keys(m * 1000 + static_cast<unsigned>(f), n))
      bits.insert(x);
    sum += model::double_hashing_fpr_exact(bits.bytes(), m, k);
  }
  return sum / filters;
}

void expect_closed_form_holds(std::uint64_t m, std::span<const shape> of, int filters,
                              double part) {
  for (const auto [k, c] : of) {
    const double n = std::floor(static_cast<double>(m) / c);
    const double mean = mean_exact(m, k, static_cast<std::size_t>(n), filters);
    const double fill = -std::expm1(k * n * std::log1p(-1 / static_cast<double>(m)));
    const double closed = model::classic_fpr(static_cast<double>(m), k, n) +
                          model::double_hashing_excess(m, k, n, fill);
    EXPECT_TRUE(testing::within_part(closed, mean, part)) << "m=" << m << " k=" << k;
  }
}

// The numbers of filters leave the means a standard error near 1 %.
TEST(ModelDoubleHashing, ExcessHoldsForSizesWithFewDivisors) {
  expect_closed_form_holds(2053, shapes, 100, 0.05);  // primes, and twice a prime
  expect_closed_form_holds(4006, shapes, 50, 0.05);
  expect_closed_form_holds(9587, shapes, 12, 0.05);
  expect_closed_form_holds(39'989, std::span(shapes).last(2), 3, 0.05);
}

// Steps of a small order walk in small subgroups, where stored keys meet queries often.
// The closed form leaves out those whose order is k or a little more: hence 9 %.
TEST(ModelDoubleHashing, ExcessHoldsForSizesWithManyDivisors) {
  expect_closed_form_holds(2100, shapes, 100, 0.09);
  expect_closed_form_holds(5040, shapes, 40, 0.09);
  expect_closed_form_holds(10'080, shapes, 12, 0.09);
  expect_closed_form_holds(40'000, std::span(shapes).last(2), 3, 0.09);
}

TEST(ModelDoubleHashing, ExcessVanishesWithSizeAndIsNotNegative) {
  for (const std::uint32_t k : {1u, 2u, 7u, 30u, 5000u, 0xffffffffu})
    for (const double fill : {0.0, 0.01, 0.5, 0.99, 1.0}) {
      const double e = model::double_hashing_excess(1'000'000'007, k, 1e7, fill);
      EXPECT_GE(e, 0);
      EXPECT_LT(e, 1e-6) << k << " " << fill;
    }
}

}  // namespace
}  // namespace bloomery
