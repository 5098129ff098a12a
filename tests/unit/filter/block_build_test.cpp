// Law: the bits of a filter do not depend on how many threads inserted its keys.
#include <span>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "base/cpu.hpp"
#include "block_oracle.hpp"
#include "full.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::keys;
using testing::must;

class BlockBuild : public ::testing::TestWithParam<block_profile> {
 protected:
  // make(blocks): an empty filter of the profile, whichever class has it.
  template <class Use>
  static void with_filter(Use use) {
    if (GetParam() == block_profile::split)
      use([](std::uint64_t blocks) { return must(split_block_bloom::make(blocks)); });
    else
      use([](std::uint64_t blocks) {
        return must(block_bloom::make({blocks, GetParam()}));
      });
  }

  static void hold(std::uint64_t blocks, const std::vector<key>& ks) {
    SCOPED_TRACE(::testing::Message() << "blocks=" << blocks << " keys=" << ks.size());
    with_filter([&](auto make) {
      auto want = make(blocks);
      want.insert(std::span<const key>(ks));
      for (const unsigned threads : {1u, 2u, 3u, 5u, 8u}) {
        if (testing::sanitized && threads > 3) continue;  // for the sake of time
        auto f = make(blocks);
        f.insert(std::span<const key>(ks), threads);
        ASSERT_TRUE(f == want) << threads;
      }
    });
  }

  static std::uint64_t beyond_l2() {
    return 2 * base::caches().l2 / block_shape{1, GetParam()}.block_bytes() + 7;
  }
};

TEST_P(BlockBuild, OfFewAndManyKeys) {
  for (const std::size_t n : {0u, 1u, 100u, 32'767u, 32'768u, 100'000u})
    for (const std::uint64_t blocks :
         {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{10'007}, beyond_l2()})
      hold(blocks, keys(n, n));
}

// More keys than are dealt out at once.
TEST_P(BlockBuild, InSeveralPortions) { hold(50'021, keys(1, 1'200'000)); }

TEST_P(BlockBuild, OfRepeatedKeys) {
  auto ks = keys(2, 100'000);
  for (std::size_t i = 0; i < ks.size(); ++i) ks[i] = ks[i % 1000];
  hold(beyond_l2(), ks);
}

// All in one block, or in the last one: one range gets everything.
TEST_P(BlockBuild, OfClusteredKeys) {
  testing::random from(3);
  for (const std::uint64_t high : {std::uint64_t{0}, 0xffffffff00000000}) {
    std::vector<key> ks(40'000);
    for (key& k : ks) k = key::from_bits(high | (from.next() >> 32));
    hold(beyond_l2(), ks);
  }
}

TEST_P(BlockBuild, KeepsWhatWasThere) {
  const auto first = keys(4, 50'000), second = keys(5, 50'000);
  with_filter([&](auto make) {
    auto f = make(5003), want = make(5003);
    for (const auto* ks : {&first, &second}) {
      want.insert(std::span<const key>(*ks));
      f.insert(std::span<const key>(*ks), 3);
    }
    EXPECT_TRUE(f == want);
  });
}

TEST_P(BlockBuild, ByAnAbsurdNumberOfThreads) {
  const auto ks = keys(6, 40'000);
  with_filter([&](auto make) {
    auto f = make(5003), want = make(5003);
    want.insert(std::span<const key>(ks));
    f.insert(std::span<const key>(ks), 1000);
    EXPECT_TRUE(f == want);
  });
}

INSTANTIATE_TEST_SUITE_P(Profiles, BlockBuild, ::testing::ValuesIn(testing::all_profiles),
                         [](const auto& p) { return testing::test_name(p.param); });

TEST(BlockBuildCall, IsTheSameForAnyNumberOfThreads) {
  const auto ks = keys(7, 100'000);
  for (const double fpr : {0.05, 0.01, 0.0001}) {
    const auto want = must(block_bloom::build(ks, {.fpr = fpr}));
    for (const unsigned threads : {2u, 5u})
      EXPECT_TRUE(must(block_bloom::build(ks, {.fpr = fpr}, threads)) == want);
  }
  EXPECT_TRUE(must(split_block_bloom::build(ks, {.fpr = 0.01}, 3)) ==
              must(split_block_bloom::build(ks, {.fpr = 0.01})));
}

}  // namespace
}  // namespace bloomery
