// What needs no memory takes none, and what is refused some leaves the old one serving.
#include <optional>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/live/window_filter.hpp>

#include "allocations.hpp"
#include "cases.hpp"
#include "live_samples.hpp"

namespace bloomery::testing {
namespace {

using filter_in_use = concurrent<block_bloom>;
using served = live_filter<filter_in_use>;

served full_of(const std::vector<key>& ks) {
  auto f = must(served::make(must(filter_in_use::make({.keys = ks.size()}))));
  f.insert(std::span<const key>(ks));
  return f;
}

// `call` is refused its first piece of memory, its second ... until it needs no more.
template <class Call, class After>
std::uint64_t refuse_each(Call call, After after) {
  for (std::uint64_t n = 1; n < 100; ++n) {
    std::optional<allocation_watch> watch(std::in_place, n);
    const auto got = call();
    const std::uint64_t calls = watch->calls();
    watch.reset();
    after();
    if (got) {
      EXPECT_LT(calls, n) << "a refusal went unnoticed";
      count_cases("refusals", n - 1);
      return n - 1;
    }
    EXPECT_EQ(got.error().code, errc::out_of_memory) << got.error().what;
  }
  return 0;
}

TEST(LiveMemory, ARebuildWithoutMemoryLeavesTheOldOneServing) {
  // The larger one is mapped.
  for (const std::size_t n : {std::size_t{1000}, std::size_t{2'500'000}}) {
    const auto ks = keys(1, 1000);
    auto f = full_of(ks);
    std::uint64_t refused = 0;
    refused = refuse_each(
        [&] {
          std::size_t at = 0;
          return f.rebuild({.params = {.keys = n}, .min_keys = ks.size()},
                           [&](std::span<key> out) -> result<std::size_t> {
                             if (at != 0) return 0;
                             std::copy_n(ks.begin(), at = ks.size(), out.begin());
                             return at;
                           });
        },
        [&] { EXPECT_EQ(count_denied(f, ks), 0u); });
    EXPECT_GE(refused, 4u) << "bits, locks, room for a batch, a generation";
    EXPECT_EQ(f.status().rebuild.rolled_back, refused);
    EXPECT_EQ(f.status().rebuild.succeeded, 1u);
  }
}

TEST(LiveMemory, ClearAndSwapWithoutMemoryChangeNothing) {
  const auto ks = keys(1, 1000);
  auto f = full_of(ks);
  const auto nothing_changed = [&] {
    const bool cleared = f.status().generation == 2;
    EXPECT_EQ(count_denied(f, ks), cleared ? ks.size() : 0u);
  };
  EXPECT_GE(refuse_each([&] { return f.clear(); }, nothing_changed), 2u);
  auto next = must(filter_in_use::make({.keys = 7}));
  EXPECT_EQ(refuse_each([&] { return f.swap(std::move(next)); }, [] {}), 1u);
  EXPECT_EQ(f.status().capacity, 7u) << "what was refused was not lost";
}

TEST(LiveMemory, MakingOneWithoutMemoryIsAResult) {
  EXPECT_GE(refuse_each(
                [] {
                  auto first = filter_in_use::make({.keys = 100});
                  if (!first) return result<served>(first.error());
                  return served::make(*std::move(first));
                },
                [] {}),
            4u);
  EXPECT_GE(refuse_each(
                [] {
                  return window_filter<filter_in_use>::make(
                      {.params = {.keys = 100}, .retention = 3});
                },
                [] {}),
            10u);
}

TEST(LiveMemory, ServingTakesNone) {
  const auto ks = keys(1, 1000);
  auto f = full_of(ks);
  const auto out = std::make_unique<bool[]>(ks.size());
  const allocation_watch watch;
  f.insert("alice");
  f.insert_if_absent("bob");
  f.insert(std::span<const key>(ks));
  f.may_contain(ks, std::span(out.get(), ks.size()));
  f.kill();
  EXPECT_TRUE(f.may_contain("nobody"));
  f.revive();
  f.stop_rebuild();
  f.confirm("alice", true);
  const auto s = f.status();
  EXPECT_EQ(watch.calls(), 0u);
  EXPECT_EQ(s.counts.inserted, 2002u);
}

}  // namespace
}  // namespace bloomery::testing
