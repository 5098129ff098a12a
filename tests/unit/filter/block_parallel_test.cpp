// Law: both ways to fill a block filter with several threads set the bits of one thread,
// at any size, though the library uses dealing for large filters only.
#include "filter/block_parallel.hpp"

#include <algorithm>
#include <span>

#include <gtest/gtest.h>

#include <bloomery/pages.hpp>

#include "base/cpu.hpp"
#include "block_oracle.hpp"
#include "full.hpp"
#include "kernel/block.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::keys;
using testing::must;

class BlockParallel : public ::testing::TestWithParam<block_profile> {
 protected:
  static pages empty(block_shape s) { return must(pages::make(s.size_in_bytes())); }

  static pages by_one_thread(block_shape s, std::span<const key> ks) {
    pages p = empty(s);
    kernel::block_kernels().front()->of(s.profile).insert({p.data(), s.blocks, true},
                                                          ks.data(), ks.size());
    return p;
  }

  static void hold(block_shape s, std::span<const key> ks, bool uniform) {
    const pages want = by_one_thread(s, ks);
    for (const unsigned threads : {1u, 2u, 3u, 5u, 8u, 33u, 70u}) {
      if (testing::sanitized && (threads == 8 || threads == 33)) continue;
      SCOPED_TRACE(::testing::Message() << "blocks=" << s.blocks << " keys=" << ks.size()
                                        << " threads=" << threads);
      pages picked = empty(s);
      insert_by_picking(s, picked.data(), ks, threads);
      ASSERT_TRUE(std::ranges::equal(picked.bytes(), want.bytes()));
      pages dealt = empty(s);
      const bool done = insert_by_dealing(s, dealt.data(), ks, threads);
      EXPECT_TRUE(done || !uniform);
      if (done) {
        ASSERT_TRUE(std::ranges::equal(dealt.bytes(), want.bytes()));
      } else {  // some may be in, but nothing else
        for (std::size_t i = 0; i < want.bytes().size(); ++i)
          ASSERT_EQ(dealt.bytes()[i] & ~want.bytes()[i], std::byte{0});
      }
    }
  }
};

TEST_P(BlockParallel, UniformKeys) {
  const std::uint64_t beyond_l2 =
      base::caches().l2 / block_shape{1, GetParam()}.block_bytes() + 7;
  for (const std::uint64_t blocks : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{7},
                                     std::uint64_t{1000}, beyond_l2})
    for (const std::size_t n : {1u, 7u, 2047u, 2049u, 40'000u})
      hold({blocks, GetParam()}, keys(blocks, n), true);
}

// More keys than are dealt at once.
TEST_P(BlockParallel, InSeveralPortions) {
  hold({30'011, GetParam()}, keys(1, 600'000), true);
}

// Sorted, equal, or all in the first or last block: piles overflow.
TEST_P(BlockParallel, KeysThatAreNotUniform) {
  auto sorted = keys(2, 50'000);
  std::ranges::sort(sorted, {}, &key::bits);
  hold({10'007, GetParam()}, sorted, false);
  hold({10'007, GetParam()}, std::vector<key>(50'000, key::from_bits(12345)), false);
  testing::random from(3);
  for (const std::uint64_t high : {std::uint64_t{0}, 0xffffffff00000000}) {
    std::vector<key> ks(50'000);
    for (key& k : ks) k = key::from_bits(high | (from.next() >> 32));
    hold({10'007, GetParam()}, ks, false);
  }
}

// The first and the last hash of every block: where one thread's range meets the next's.
TEST_P(BlockParallel, KeysAtTheEdgesOfBlocks) {
  __extension__ using u128 = unsigned __int128;
  for (const std::uint64_t blocks : {3u, 7u, 64u, 1009u}) {
    std::vector<key> ks;
    for (std::uint64_t b = 0; b <= blocks; ++b) {
      const auto first =
          static_cast<std::uint64_t>(((u128{b} << 64) + blocks - 1) / blocks);
      for (const std::uint64_t h :
           {first - 1, first, first + 1, first >> 32 << 32, (first >> 32 << 32) - 1})
        ks.push_back(key::from_bits(h));
    }
    hold({blocks, GetParam()}, ks, false);
  }
}

INSTANTIATE_TEST_SUITE_P(Profiles, BlockParallel,
                         ::testing::ValuesIn(testing::all_profiles),
                         [](const auto& p) { return testing::test_name(p.param); });

}  // namespace
}  // namespace bloomery
