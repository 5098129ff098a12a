// Every kind of filter that threads share can be live, and can be a window.
#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/live/live_filter.hpp>
#include <bloomery/live/rekeyable_filter.hpp>
#include <bloomery/live/window_filter.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "filter_types.hpp"
#include "live_samples.hpp"

namespace bloomery::testing {
namespace {

template <class F>
class LiveKinds : public ::testing::Test {};
using live_kinds = concurrent_types::apply<::testing::Types>;
TYPED_TEST_SUITE(LiveKinds, live_kinds);

TYPED_TEST(LiveKinds, Rebuilds) {
  const auto old = keys(1, 1000), more = keys(2, 5000);
  auto f = must(live_filter<TypeParam>::make(must(TypeParam::make({.keys = 1000}))));
  f.insert(std::span<const key>(old));
  must(f.rebuild({.params = {.keys = more.size()}}, source_of(more)));
  EXPECT_EQ(count_denied(f, more), 0u);
  EXPECT_GT(count_denied(f, old), 900u) << "not in the source, so not in the new one";
  EXPECT_LE(f.read().filter().realised_fpr(), 0.015);
  must(f.clear());
  EXPECT_EQ(count_denied(f, more), more.size());
  EXPECT_TRUE(f.insert_if_absent(more[0]));
  EXPECT_FALSE(f.insert_if_absent(more[0]));
}

TYPED_TEST(LiveKinds, Rekeys) {
  auto f = must(rekeyable_filter<TypeParam>::make(must(TypeParam::make({.keys = 100}))));
  const auto names = numbered("user", 1000);
  typename TypeParam::params p{.keys = names.size()};
  if constexpr (requires { p.hasher; }) p.hasher = hasher::xxh3(1);
  must(f.rebuild({.params = p}, [&](auto& put) -> result<void> {
    for (const auto& n : names) put(n);
    return {};
  }));
  for (const auto& n : names) ASSERT_TRUE(f.may_contain(n)) << n;
}

TYPED_TEST(LiveKinds, MovesOn) {
  auto f =
      must(window_filter<TypeParam>::make({.params = {.keys = 1000}, .retention = 1}));
  const auto first = keys(1, 1000);
  f.insert(std::span<const key>(first));
  must(f.advance(1));
  EXPECT_EQ(count_denied(f, first), 0u);
  must(f.advance(2));
  EXPECT_EQ(count_denied(f, first), first.size()) << "nothing was inserted since";
}

}  // namespace
}  // namespace bloomery::testing
