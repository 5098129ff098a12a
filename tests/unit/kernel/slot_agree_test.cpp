// Lookups of fuse filters by vector instructions answer as slot_table::has.
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/detail/probe/slot_table.hpp>
#include <bloomery/fuse.hpp>

#include "cases.hpp"
#include "kernel/slot.hpp"
#include "must.hpp"
#include "slot_filters.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::keys;
using testing::must;

TEST(FuseKernel, AnswersAsTheDefinition) {
  const kernel::slot_query fast = kernel::fuse_query();
  if (fast == nullptr) GTEST_SKIP() << "no vector instructions here";
  for (const std::size_t n : {1025u, 4000u, 20'000u, 150'000u}) {
    const auto in = keys(n, n), out = keys(n + 1, 400);
    const fuse f = must(fuse::build(in, slot_request{8}, hasher::xxh3()));
    ASSERT_EQ(f.shape().layout, slot_layout::three);
    // Half of them present; the round is not that of the filter alone.
    std::vector<key> ks(in.begin(), in.begin() + 400);
    ks.insert(ks.end(), out.begin(), out.end());
    for (const std::uint64_t round : {0u, 1u, 11u}) {
      auto bytes = std::vector<std::byte>(f.bytes().begin(), f.bytes().end());
      bytes.resize(bytes.size() + 8);
      bytes[static_cast<std::size_t>(f.shape().rounds_at())] = std::byte(round);
      const slot_table<segment_slots<3>, whole_slot_width<std::uint8_t>, one_shard> table(
          bytes.data(), f.shape(), segment_slots<3>(f.shape()));
      for (const bool far : {false, true})
        for (const std::size_t count : {0u, 1u, 3u, 4u, 31u, 800u}) {
          const auto answers = std::make_unique<bool[]>(ks.size());
          const std::size_t done =
              fast(bytes.data(), f.shape(), ks.data(), count, answers.get(), far);
          ASSERT_EQ(done, count / 4 * 4);
          for (std::size_t i = 0; i < done; ++i)
            ASSERT_EQ(answers[i], table.has(ks[i])) << n << " " << i;
          testing::count_cases("lookups", done);
        }
    }
  }
}

TEST(FuseKernel, AnswersAsTheDefinitionInManyShards) {
  const kernel::slot_query fast = kernel::fuse_query();
  if (fast == nullptr) GTEST_SKIP() << "no vector instructions here";
  const slot_shape shape{20 * 64, 23, 8, slot_layout::three, 6};
  const auto in = keys(8, 23 * 800);
  const fuse f = testing::filter_of_shape<fuse>(shape, in);
  auto bytes = std::vector<std::byte>(f.bytes().begin(), f.bytes().end());
  bytes.resize(bytes.size() + 8);
  for (std::uint32_t shard = 0; shard < shape.shards; ++shard)
    bytes[static_cast<std::size_t>(shape.rounds_at()) + shard] ^= std::byte(shard % 3);
  const slot_table<segment_slots<3>, whole_slot_width<std::uint8_t>, many_shards> table(
      bytes.data(), shape, segment_slots<3>(shape));
  for (const bool far : {false, true}) {
    const auto answers = std::make_unique<bool[]>(in.size());
    ASSERT_EQ(fast(bytes.data(), shape, in.data(), in.size(), answers.get(), far),
              in.size());
    for (std::size_t i = 0; i < in.size(); ++i)
      ASSERT_EQ(answers[i], table.has(in[i])) << i;
    testing::count_cases("lookups", in.size());
  }
}

TEST(FuseKernel, LeavesOtherLayoutsToTheDefinition) {
  const kernel::slot_query fast = kernel::fuse_query();
  if (fast == nullptr) GTEST_SKIP() << "no vector instructions here";
  const auto ks = keys(1, 5000);
  bool answers[64];
  for (const slot_request r : {slot_request{8, 4}, slot_request{9}, slot_request{16}}) {
    const fuse f = must(fuse::build(ks, r, hasher::xxh3()));
    EXPECT_EQ(fast(f.bytes().data(), f.shape(), ks.data(), 64, answers, false), 0u);
  }
}

}  // namespace
}  // namespace bloomery
