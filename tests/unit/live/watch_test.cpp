// What a watch makes of the filters it looks at.
#include <bloomery/live/live_watch.hpp>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/live/live_filter.hpp>
#include <bloomery/live/rekeyable_filter.hpp>
#include <bloomery/live/window_filter.hpp>

#include "allocations.hpp"
#include "must.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::allocation_watch;
using testing::keys;
using testing::must;
using testing::temp_dir;
using filter = concurrent<block_bloom>;
using live = live_filter<filter>;

filter sized_for(std::uint64_t n) { return must(filter::make({.keys = n})); }
live live_for(std::uint64_t n) {
  return must(live::make(sized_for(n), {.threads = 4, .name = "users"}));
}

TEST(LiveWatch, TellsWhatTheStatusAndTheBitsTell) {
  live users = live_for(10'000);
  for (const key k : keys(1, 5000)) users.insert(k);
  std::size_t maybes = 0;
  for (const key k : keys(2, 100)) maybes += users.may_contain(k);
  live_watch watch({.kind = "block_bloom", .asked_fpr = 0.01});
  must(watch.sample(users, 0));
  const live_metrics m = watch.metrics(users);
  EXPECT_EQ(m.name, "users");
  EXPECT_EQ(m.kind, "block_bloom");
  EXPECT_EQ(m.generation, 1);
  EXPECT_EQ(m.capacity_keys, 10'000);
  EXPECT_EQ(m.inserts, 5000);
  EXPECT_EQ(m.lookups.maybes, maybes);
  EXPECT_EQ(m.lookups.negatives, 100 - maybes);
  EXPECT_EQ(m.asked_fpr, 0.01);
  const auto hold = users.read();
  EXPECT_EQ(m.size_bytes, hold.filter().size_in_bytes());
  EXPECT_EQ(m.fill, hold.filter().fill());
  EXPECT_EQ(m.estimated_keys, hold.filter().estimated_keys());
  EXPECT_EQ(m.realised_fpr, hold.filter().realised_fpr());
}

TEST(LiveWatch, DoesNotKnowWhatWasNotSampled) {
  live users = live_for(1000);
  users.kill();
  live_watch watch({});
  const live_metrics m = watch.metrics(users);
  EXPECT_TRUE(m.killed);
  EXPECT_FALSE(m.fill);
  EXPECT_FALSE(m.estimated_keys);
  EXPECT_FALSE(m.realised_fpr);
  EXPECT_FALSE(m.asked_fpr);
  EXPECT_FALSE(m.exceeded_in_seconds);
  for (double second = 0; second < 20; ++second) must(watch.sample(users, second));
  EXPECT_EQ(watch.metrics(users).fill, 0);
  EXPECT_FALSE(watch.metrics(users).exceeded_in_seconds) << "no rate was asked for";
  EXPECT_EQ(watch.forecast().state, forecast_state::too_few_samples);
}

TEST(LiveWatch, ForgetsTheFiguresOfAGenerationThatWasReplaced) {
  live users = live_for(1000);
  live_watch watch({.asked_fpr = 0.01});
  for (const key k : keys(1, 1000)) users.insert(k);
  must(watch.sample(users, 0));
  // Every lookup is counted as wrong here, and none in the next generation.
  for (const key k : keys(1, 100)) users.may_contain(k), users.confirm(k, false);
  EXPECT_EQ(watch.metrics(users).observed.rate, 1);

  must(users.swap(sized_for(1000)));
  EXPECT_EQ(watch.metrics(users).generation, 2);
  EXPECT_FALSE(watch.metrics(users).fill);
  EXPECT_FALSE(watch.metrics(users).observed.rate);
  must(watch.sample(users, 0));  // its forecast starts anew, so the time may
  EXPECT_EQ(watch.metrics(users).fill, 0);
  for (const key k : keys(2, 100)) users.may_contain(k);
  EXPECT_EQ(watch.metrics(users).observed.rate, 0);
  EXPECT_EQ(watch.metrics(users).lookups.confirmed_absent, 100) << "a counter stays";
}

TEST(LiveWatch, ForecastsWhenTheRateIsExceeded) {
  live users = live_for(100'000);
  live_watch watch({.asked_fpr = 0.01});
  const std::vector<key> all = keys(1, 60'000);
  for (unsigned second = 0; second < 30; ++second) {
    users.insert(std::span(all).subspan(2000 * second, 2000));
    must(watch.sample(users, second));
    const auto left = watch.metrics(users).exceeded_in_seconds;
    ASSERT_EQ(left.has_value(), second + 1 >= growth_forecast::fewest) << second;
  }
  // 60,000 of 100,000 keys at 2,000 a second.
  EXPECT_NEAR(*watch.metrics(users).exceeded_in_seconds, 20, 1);
  EXPECT_EQ(watch.forecast().state, forecast_state::expected);

  for (const key k : keys(2, 60'000)) users.insert(k);
  must(watch.sample(users, 30));
  EXPECT_EQ(watch.metrics(users).exceeded_in_seconds, 0);

  must(users.swap(sized_for(200'000)));
  must(watch.sample(users, 31));
  EXPECT_FALSE(watch.metrics(users).exceeded_in_seconds) << "too few samples again";
}

TEST(LiveWatch, RefusesASampleThatIsNoLater) {
  live users = live_for(1000);
  live_watch watch({.asked_fpr = 0.01});
  must(watch.sample(users, 5));
  for (const key k : keys(1, 500)) users.insert(k);
  const auto refused = watch.sample(users, 5);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::invalid_argument);
  EXPECT_EQ(watch.metrics(users).fill, 0);
}

TEST(LiveWatch, CountsTheSnapshotsThatSucceed) {
  const temp_dir folder;
  const std::string path = folder / "users.bloom";
  live users = live_for(1000);
  for (const key k : keys(1, 1000)) users.insert(k);
  live_watch watch({.asked_fpr = 0.01});
  must(watch.save_snapshot(users, path.c_str()));
  const auto failed = watch.save_snapshot(users, (folder / "no/such").c_str());
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, errc::io);
  const live_metrics m = watch.metrics(users);
  EXPECT_EQ(m.snapshots, 1);
  EXPECT_GT(m.last_snapshot_seconds, 0);
  EXPECT_EQ(must(inspect(path.c_str())).asked_fpr, 0.01);
  EXPECT_EQ(must(block_bloom::load(path.c_str())),
            must(users.read().filter().snapshot()));
  watch.note_snapshot(std::chrono::milliseconds(1500));
  EXPECT_EQ(watch.metrics(users).snapshots, 2);
  EXPECT_EQ(watch.metrics(users).last_snapshot_seconds, 1.5);
}

TEST(LiveWatch, TellsTheDamageOfTheGenerationThatHasIt) {
  live users = live_for(1000);
  live_watch watch({});
  EXPECT_EQ(watch.metrics(users).damaged_chunks, 0);
  read_report found;
  found.damaged_chunks = 3;
  watch.note_loaded(found);
  EXPECT_EQ(watch.metrics(users).damaged_chunks, 3);
  must(users.clear());
  EXPECT_EQ(watch.metrics(users).damaged_chunks, 0);
  watch.note_loaded(found, 2);
  EXPECT_EQ(watch.metrics(users).damaged_chunks, 3);
}

TEST(LiveWatch, LooksAtARekeyableFilter) {
  const temp_dir folder;
  const std::string path = folder / "users.bloom";
  auto users = must(rekeyable_filter<filter>::make(sized_for(1000), {.threads = 4}));
  users.insert("alice");
  live_watch watch({.name = "users", .asked_fpr = 0.01});
  must(watch.sample(users, 0));
  EXPECT_EQ(watch.metrics(users).name, "users");
  EXPECT_NEAR(*watch.metrics(users).estimated_keys, 1, 0.01);
  must(watch.save_snapshot(users, path.c_str()));
  EXPECT_TRUE(must(block_bloom::load(path.c_str())).may_contain("alice"));
}

TEST(LiveWatch, LooksAtAWindow) {
  auto seen = must(window_filter<filter>::make(
      {.params = {.keys = 1000}, .retention = 2, .first_epoch = 7, .threads = 4}));
  for (const key k : keys(1, 1000)) seen.insert(k);
  live_watch watch({.name = "seen", .asked_fpr = 0.03});
  must(watch.sample(seen, 0));
  live_metrics m = watch.metrics(seen);
  EXPECT_EQ(m.name, "seen");
  EXPECT_EQ(m.generation, 7);
  EXPECT_EQ(m.inserts, 1000);
  EXPECT_EQ(m.realised_fpr, seen.realised_fpr());
  EXPECT_FALSE(m.fill);
  EXPECT_FALSE(m.exceeded_in_seconds);
  must(seen.advance(8));
  m = watch.metrics(seen);
  EXPECT_EQ(m.generation, 8);
  EXPECT_FALSE(m.realised_fpr) << "that was of epoch 7";
  must(watch.sample(seen, 1));
  EXPECT_EQ(watch.metrics(seen).realised_fpr, seen.realised_fpr());
}

// A live filter that is replaced between the two questions of a sample.
struct replaced_in_between {
  live* real;
  filter* next;
  bool* done;

  live_status status() const noexcept { return real->status(); }
  live::reader read() const noexcept {
    if (!std::exchange(*done, true)) static_cast<void>(real->swap(std::move(*next)));
    return real->read();
  }
};

TEST(LiveWatch, KnowsWhoseBitsItRead) {
  live users = live_for(1000);
  filter next = sized_for(1000);
  next.insert(keys(1, 1000));
  bool done = false;
  live_watch watch({.asked_fpr = 0.01});
  must(watch.sample(replaced_in_between{&users, &next, &done}, 0));
  const live_metrics m = watch.metrics(users);
  EXPECT_EQ(m.generation, 2);
  EXPECT_EQ(m.fill, users.read().filter().fill());
}

class TagWatch : public ::testing::Test {
 protected:
  // `wrong` of 10,000 lookups are false positives, all confirmed.
  void ask(unsigned tenant, std::uint64_t wrong) {
    rates_.lookups(tenant, wrong, 10'000 - wrong);
    for (std::uint64_t i = 0; i < wrong; ++i) rates_.confirm(tenant, false);
  }

  static constexpr std::string_view names[] = {"acme", "beta", "mallory"};
  tenant_rates rates_ = must(tenant_rates::make(3, 2));
  tenant_watch tenants_ = must(tenant_watch::make(rates_, names));
};

TEST_F(TagWatch, NeedsANameForEachTag) {
  const auto refused = tenant_watch::make(rates_, std::span(names).first(2));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, errc::invalid_argument);
}

TEST_F(TagWatch, RefusedAnyOfItsMemoryIsAnError) {
  std::uint64_t refused = 0;
  for (bool made = false; !made; refused += !made) {
    const allocation_watch memory(refused + 1);
    const auto one = tenant_watch::make(rates_, names);
    made = one.has_value();
    ASSERT_TRUE(made || one.error().code == errc::out_of_memory);
  }
  EXPECT_EQ(refused, 5);
}

TEST_F(TagWatch, TakesNoMemoryLater) {
  live users = live_for(1000);
  live_watch watch({.asked_fpr = 0.01, .tenants = &tenants_});
  const allocation_watch memory;
  for (double second = 0; second < 20; ++second) {
    static_cast<void>(watch.sample(users, second));
    watch.metrics(users);
  }
  EXPECT_EQ(memory.calls(), 0);
}

TEST_F(TagWatch, SeesALateAttackAndItsEnd) {
  for (int minute = 0; minute < 50; ++minute) {
    for (unsigned tenant = 0; tenant < 3; ++tenant) ask(tenant, 100);
    tenants_.mark();
  }
  tenants_.rows(0.01);
  EXPECT_EQ(tenants_.alarms(), 0);

  ask(0, 100), ask(1, 100), ask(2, 900);  // hardly 3 % in all
  const auto rows = tenants_.rows(0.01);
  ASSERT_EQ(rows.size(), 3);
  EXPECT_EQ(tenants_.alarms(), 1);
  EXPECT_TRUE(rows[2].alarm);
  EXPECT_FALSE(rows[0].alarm || rows[1].alarm);
  EXPECT_EQ(rows[2].tenant, "mallory");
  EXPECT_EQ(rows[2].lookups.confirmed_absent, 50 * 100 + 900) << "a counter stays";
  EXPECT_NEAR(*rows[2].observed.rate, 0.05, 1e-9) << "of the last interval and this one";

  for (int minute = 0; minute < 2; ++minute) tenants_.mark();
  for (unsigned tenant = 0; tenant < 3; ++tenant) ask(tenant, 100);
  EXPECT_FALSE(tenants_.rows(0.01)[2].alarm);
}

TEST_F(TagWatch, RaisesNoAlarmBelowTwiceTheFiltersOwnRate) {
  ask(0, 100), ask(1, 100), ask(2, 900);
  EXPECT_TRUE(tenants_.rows(0.01)[2].alarm);
  EXPECT_FALSE(tenants_.rows(0.05)[2].alarm);
}

TEST_F(TagWatch, IsPartOfTheMetrics) {
  live users = live_for(1000);
  live_watch watch({.tenants = &tenants_});
  ask(0, 100), ask(1, 100), ask(2, 900);
  ASSERT_EQ(watch.metrics(users).tenants.size(), 3);
  EXPECT_TRUE(watch.metrics(users).tenants[2].alarm);
  must(watch.sample(users, 0));
  must(watch.sample(users, 1));  // two intervals ended
  EXPECT_FALSE(watch.metrics(users).tenants[2].alarm);
}

}  // namespace
}  // namespace bloomery
