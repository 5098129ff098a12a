// Live filters of every kind that is only built: a block list, replaced while threads
// query it.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include <bloomery/live/live_filter.hpp>
#include <bloomery/live/rekeyable_filter.hpp>

#include "filter_types.hpp"
#include "live_samples.hpp"

namespace bloomery::testing {
namespace {

TEST(LiveStatic, RebuildsSwapsAndClears) {
  for_each_type(static_types{}, []<class F>(std::type_identity<F>) {
    SCOPED_TRACE(F::kind.name);
    const auto old = keys(1, 1000), more = keys(2, 5000);
    auto f = must(live_filter<F>::make(must(F::build(old))));
    EXPECT_EQ(count_denied(f, old), 0u);
    must(f.rebuild({.params = {.keys = more.size(), .fpr = 0.01}}, source_of(more)));
    EXPECT_EQ(count_denied(f, more), 0u);
    EXPECT_GT(count_denied(f, old), 900u);
    EXPECT_LE(f.read().filter().realised_fpr(), 0.0101);
    EXPECT_EQ(f.status().generation, 2u);
    must(f.clear());
    EXPECT_EQ(count_denied(f, more), more.size());
    (void)must(f.swap(must(F::build(old))));
    EXPECT_EQ(count_denied(f, old), 0u);
  });
}

TEST(LiveStatic, Rekeys) {
  for_each_type(static_types{}, []<class F>(std::type_identity<F>) {
    SCOPED_TRACE(F::kind.name);
    auto f = must(rekeyable_filter<F>::make(must(F::build(keys(1, 10)))));
    const auto names = numbered("user", 1000);
    typename F::params p;
    p.keys = names.size();
    p.hasher = hasher::xxh3(1);
    must(f.rebuild({.params = p}, [&](auto& put) -> result<void> {
      for (const auto& n : names) put(n);
      return {};
    }));
    for (const auto& n : names) ASSERT_TRUE(f.may_contain(n)) << n;
  });
}

// Keys that every generation has are found at every moment.
TEST(LiveStatic, NoKeyIsDeniedWhileGenerationsChange) {
  for_each_type(static_types{}, []<class F>(std::type_identity<F>) {
    SCOPED_TRACE(F::kind.name);
    const auto always = keys(1, 200);
    auto f = must(live_filter<F>::make(must(F::build(always))));
    std::atomic<bool> ended{false};
    std::atomic<std::size_t> denied{0};
    std::thread reader([&] {
      while (!ended.load()) denied += count_denied(f, always);
    });
    for (std::size_t day = 1; day <= 20; ++day) {
      auto list = keys(1 + day, 300 * day);
      list.insert(list.end(), always.begin(), always.end());
      must(f.rebuild({.params = {.keys = list.size()}}, source_of(list)));
    }
    ended = true;
    reader.join();
    EXPECT_EQ(denied, 0u);
    EXPECT_EQ(f.status().generation, 21u);
  });
}

}  // namespace
}  // namespace bloomery::testing
