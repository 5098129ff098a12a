// Large block filters, and low rates: measured against the model.  Keys are streamed, so
// that the filter is all the memory these take.
#include <bloomery/block_bloom.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

#include <gtest/gtest.h>

#include "full.hpp"
#include "must.hpp"
#include "sigma.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::must;
using testing::within_part;

// Calls use(some) until `n` keys of the stream `seed` were handed out.
template <class Use>
void stream(std::uint64_t seed, std::uint64_t n, Use use) {
  testing::random from(seed);
  std::vector<key> some(std::min<std::uint64_t>(n, 1 << 20));
  for (std::uint64_t done = 0; done < n; done += some.size()) {
    some.resize(std::min<std::uint64_t>(some.size(), n - done));
    for (key& k : some) k = key::from_bits(from.next());
    use(std::span<const key>(some));
  }
}

std::uint64_t maybes(const block_bloom& f, std::uint64_t seed, std::uint64_t n) {
  const auto out = std::make_unique<bool[]>(1 << 20);
  std::uint64_t maybe = 0;
  stream(seed, n, [&](std::span<const key> some) {
    f.may_contain(some, std::span<bool>(out.get(), some.size()));
    maybe +=
        static_cast<std::uint64_t>(std::count(out.get(), out.get() + some.size(), true));
  });
  return maybe;
}

void print(const char* what, double measured, const block_bloom& f, std::uint64_t n) {
  std::printf("%s: measured %.6g, realised %.6g, expected %.6g, %.3f bits a key\n", what,
              measured, f.realised_fpr(), f.expected_fpr(n),
              static_cast<double>(f.bits()) / static_cast<double>(n));
}

void measured_is_expected(const char* what, std::uint64_t n) {
  auto f = must(block_bloom::make({.keys = n, .fpr = 0.01}));
  stream(1, n, [&](std::span<const key> some) { f.insert(some); });
  constexpr std::uint64_t asked = 10'000'000;
  const double measured = static_cast<double>(maybes(f, 2, asked)) / asked;
  print(what, measured, f, n);
  EXPECT_TRUE(within_part(measured, f.expected_fpr(n), 0.02));
  EXPECT_TRUE(within_part(f.realised_fpr(), f.expected_fpr(n), 0.02));
  EXPECT_LE(f.expected_fpr(n), 0.01);
  EXPECT_TRUE(within_part(f.estimated_keys(), static_cast<double>(n), 0.005));
  EXPECT_EQ(maybes(f, 1, 10'000'000), 10'000'000u);  // none is lost
}

TEST(BlockBloomFull, AHundredMillionKeys) {
  BLOOMERY_FULL_ONLY();
  measured_is_expected("10^8 keys at 1 %", 100'000'000);
}

TEST(BlockBloomFull, ABillionKeys) {
  BLOOMERY_FULL_ONLY();
  if (testing::sanitized) GTEST_SKIP() << "too slow under a sanitizer";
  measured_is_expected("10^9 keys at 1 %", 1'000'000'000);
}

TEST(BlockBloomFull, AHundredMillionQuestionsAtOneInTenThousand) {
  BLOOMERY_FULL_ONLY();
  constexpr std::uint64_t n = 1'000'000, asked = 100'000'000;
  auto f = must(block_bloom::make({.keys = n, .fpr = 1e-4}));
  stream(3, n, [&](std::span<const key> some) { f.insert(some); });
  const std::uint64_t maybe = maybes(f, 4, asked);
  print("10^6 keys at 0.01 %", static_cast<double>(maybe) / asked, f, n);
  EXPECT_TRUE(testing::within_5_sigma(maybe, asked, f.realised_fpr()));
}

}  // namespace
}  // namespace bloomery
