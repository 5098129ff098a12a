#include <bloomery/live/live_filter.hpp>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "live_samples.hpp"

namespace bloomery::testing {
namespace {

TEST(LiveFilter, AnswersLikeTheFilterItHolds) {
  auto f = live_of(1000);
  const auto ks = keys(1, 500), others = keys(2, 2000);
  f.insert(ks[0]);
  f.insert(std::span<const key>(ks).subspan(1));
  f.insert("alice");
  const std::string_view both[] = {"bob", "carol"};
  f.insert(std::span<const std::string_view>(both));

  EXPECT_EQ(count_denied(f, ks), 0u);
  EXPECT_GT(count_denied(f, others), 1900u);
  EXPECT_TRUE(f.may_contain("alice") && f.may_contain(f.hash("bob")));
  EXPECT_TRUE(f.read().may_contain(f.hash("carol")));

  const auto out = std::make_unique<bool[]>(others.size());
  f.may_contain(others, std::span(out.get(), others.size()));
  for (std::size_t i = 0; i < others.size(); ++i)
    ASSERT_EQ(out[i], f.may_contain(others[i])) << i;
  bool answers[2];
  f.may_contain(std::span<const std::string_view>(both), answers);
  EXPECT_TRUE(answers[0] && answers[1]);
}

TEST(LiveFilter, ToldFirstOnce) {
  auto f = live_of(1000);
  EXPECT_TRUE(f.insert_if_absent("alice"));
  EXPECT_FALSE(f.insert_if_absent("alice"));
  EXPECT_FALSE(f.insert_if_absent(f.hash("alice")));
}

TEST(LiveFilter, CountsWhatItDid) {
  auto f = live_of(1000);
  const auto ks = keys(1, 10);
  f.insert(std::span<const key>(ks));
  f.insert("alice");
  EXPECT_TRUE(f.may_contain("alice"));
  bool out[10];
  f.may_contain(ks, out);
  EXPECT_FALSE(f.may_contain("nobody"));
  EXPECT_TRUE(f.insert_if_absent("carol"));  // a "no", and an insert
  f.confirm("alice", true);
  f.confirm(ks[0], false);
  f.confirm(ks[1], false);

  const auto c = f.status().counts;
  EXPECT_EQ(c.inserted, 12u);
  EXPECT_EQ(c.lookups.maybes, 11u);
  EXPECT_EQ(c.lookups.negatives, 2u);
  EXPECT_EQ(c.lookups.confirmed_present, 1u);
  EXPECT_EQ(c.lookups.confirmed_absent, 2u);
}

TEST(LiveFilter, CountsOfThreadsWithoutASlotAreNotLost) {
  auto f = live_of(1000, {.threads = 0});
  std::vector<std::thread> team;
  for (int t = 0; t < 4; ++t)
    team.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) f.insert("alice");
    });
  for (auto& t : team) t.join();
  EXPECT_EQ(f.status().counts.inserted, 4000u);
}

TEST(LiveFilter, CountsNothingIfToldSo) {
  auto f = live_of(1000, {.count = false});
  f.insert("alice");
  EXPECT_TRUE(f.may_contain("alice"));
  EXPECT_EQ(f.status().counts.inserted, 0u);
  EXPECT_EQ(f.status().counts.lookups.maybes, 0u);
}

TEST(LiveFilter, KilledAnswersPerhapsAndGoesOnInserting) {
  auto f = live_of(1000);
  f.kill();
  EXPECT_TRUE(f.killed() && f.status().killed);
  EXPECT_TRUE(f.may_contain("nobody"));
  EXPECT_TRUE(f.read().may_contain(f.hash("nobody")));
  const auto ks = keys(1, 3);
  bool out[3] = {};
  f.may_contain(ks, out);
  EXPECT_TRUE(out[0] && out[1] && out[2]);
  const std::string_view text[] = {"nobody"};
  f.may_contain(std::span<const std::string_view>(text), std::span(out).first(1));
  f.insert("alice");
  EXPECT_FALSE(f.insert_if_absent("carol")) << "certain of a \"no\" while killed";
  const auto c = f.status().counts;
  EXPECT_EQ(c.lookups.maybes + c.lookups.negatives, 0u) << "a killed answer is none";
  EXPECT_EQ(c.inserted, 2u);

  f.revive();
  EXPECT_FALSE(f.killed());
  EXPECT_FALSE(f.may_contain("nobody"));
  EXPECT_TRUE(f.may_contain("alice") && f.may_contain("carol"));
}

TEST(LiveFilter, SwapHandsTheOldOneBack) {
  auto f = live_of(1000, {.name = "users"});
  f.insert("alice");
  auto next = must(scripted_filter::make({.keys = 2000}));
  next.insert("bob");
  const auto old = must(f.swap(std::move(next)));
  EXPECT_TRUE(old.may_contain("alice"));
  EXPECT_FALSE(f.may_contain("alice"));
  EXPECT_TRUE(f.may_contain("bob"));

  const auto s = f.status();
  EXPECT_EQ(s.generation, 2u);
  EXPECT_EQ(s.capacity, 2000u);
  EXPECT_STREQ(s.name, "users");
  EXPECT_EQ(s.size_in_bytes, f.read().filter().size_in_bytes());
}

TEST(LiveFilter, SwapKeepsTheHasher) {
  auto f = live_of(1000);
  f.insert("alice");
  auto next = must(scripted_filter::make({.keys = 10, .hasher = hasher::xxh3(7)}));
  const auto refused = f.swap(std::move(next));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::incompatible);
  EXPECT_EQ(next.capacity(), 10u) << "what was refused is still the caller's";
  EXPECT_TRUE(f.may_contain("alice"));
}

TEST(LiveFilter, AThreadThatReadsMustNotWaitForItself) {
  auto f = live_of(1000);
  auto next = must(scripted_filter::make({.keys = 10}));
  {
    const auto r = f.read();
    for (const errc code :
         {f.swap(std::move(next)).error().code, f.clear().error().code,
          f.rebuild({.params = {.keys = 1}}, source_of({})).error().code})
      EXPECT_EQ(code, errc::invalid_argument);
    f.insert("alice");  // writing and asking are no waiting
    EXPECT_TRUE(f.may_contain("alice") && r.may_contain(f.hash("alice")));
  }
  EXPECT_TRUE(f.swap(std::move(next)));
}

TEST(LiveFilter, ClearForgetsAndKeepsTheSize) {
  auto f = live_of(1234);
  const auto size = f.status().size_in_bytes;
  f.insert("alice");
  must(f.clear());
  EXPECT_FALSE(f.may_contain("alice"));
  EXPECT_EQ(f.status().size_in_bytes, size);
  EXPECT_EQ(f.status().capacity, 1234u);
}

TEST(LiveFilter, FreesEveryGeneration) {
  const int before = script::alive;
  {
    auto f = live_of(100);
    auto moved = std::move(f);
    must(moved.clear());
    const auto old = moved.swap(must(scripted_filter::make({.keys = 10})));
    EXPECT_EQ(script::alive, before + 2);
  }
  EXPECT_EQ(script::alive, before);
}

}  // namespace
}  // namespace bloomery::testing
