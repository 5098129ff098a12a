// Keys within a memory limit, against sorting them all in memory.
#include <bloomery/detail/format/key_spool.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "cases.hpp"
#include "full.hpp"
#include "must.hpp"
#include "temp_dir.hpp"

namespace bloomery {
namespace {

using testing::must;
using testing::temp_dir;

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

key_spool spool_in(const temp_dir& dir, std::uint64_t limit = mib) {
  return must(key_spool::make({.memory_limit = limit, .directory = dir.path()}));
}

std::vector<key> drawn(std::size_t n,
                       const std::function<std::uint64_t(std::size_t)>& draw) {
  std::vector<key> keys;
  for (std::size_t i = 0; i < n; ++i) keys.push_back(key::from_bits(draw(i)));
  return keys;
}

std::vector<std::uint64_t> distinct(std::span<const key> keys) {
  std::vector<std::uint64_t> all;
  for (const key k : keys) all.push_back(k.bits());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void add_in_pieces(key_spool& to, std::span<const key> keys) {
  for (std::size_t i = 0, n = 1; i < keys.size(); i += n, n = (n * 7 + 3) % 9973)
    must(to.add(keys.subspan(i, std::min(n, keys.size() - i))));
}

// All keys in `ranges` ranges of equal width.
std::vector<std::uint64_t> taken(sorted_keys& from, std::uint64_t ranges) {
  std::vector<std::uint64_t> all;
  const std::uint64_t width = ~std::uint64_t{0} / ranges + 1;
  for (std::uint64_t i = 1; i <= ranges; ++i) {
    const std::uint64_t end = i == ranges ? 0 : i * width;
    const auto some = must(from.take_below(end));
    if (some.empty()) continue;
    EXPECT_TRUE(end == 0 || some.back().bits() < end);
    EXPECT_GE(some.front().bits(), (i - 1) * width);
    for (const key k : some) all.push_back(k.bits());
  }
  EXPECT_TRUE(must(from.take_below(0)).empty());
  return all;
}

void expect_all(key_spool& spool, const std::vector<std::uint64_t>& oracle,
                unsigned threads = 1) {
  ASSERT_EQ(must(spool.count(threads)), oracle.size());
  for (const std::uint64_t ranges : {1u, 3u, 1000u}) {
    auto all = must(spool.sorted());
    EXPECT_EQ(all.size(), oracle.size());
    ASSERT_EQ(taken(all, ranges), oracle) << ranges;
  }
  std::vector<std::uint64_t> smallest;
  for (const key k : spool.smallest().all()) smallest.push_back(k.bits());
  const auto first =
      std::span(oracle).first(std::min(oracle.size(), sentinel_picker::max_keys));
  EXPECT_TRUE(std::ranges::equal(smallest, first));
}

TEST(KeySpool, NoKeys) {
  const temp_dir dir;
  key_spool spool = spool_in(dir);
  expect_all(spool, {});
}

TEST(KeySpool, StaysInMemoryWhileItCan) {
  const temp_dir dir;
  std::mt19937_64 random(1);
  const auto keys = drawn(30'000, [&](std::size_t) { return random(); });
  key_spool spool = spool_in(dir);
  for (int copies = 0; copies < 20; ++copies) add_in_pieces(spool, keys);
  expect_all(spool, distinct(keys));
  EXPECT_EQ(spool.spilled_bytes(), 0u);
  // Unless something else needs the room.
  auto all = must(spool.sorted(mib - mib / 8));
  EXPECT_EQ(taken(all, 7), distinct(keys));
  EXPECT_EQ(spool.spilled_bytes(), 8 * distinct(keys).size());
}

// Whatever the keys are: spread, sorted, in few clusters, nearly all the same.
TEST(KeySpool, KeysBeyondTheLimit) {
  constexpr std::size_t n = 200'000;  // 63488 at a time
  std::mt19937_64 random(2);
  const std::vector<std::function<std::uint64_t(std::size_t)>> draws{
      [&](std::size_t) { return random(); },
      [&](std::size_t) { return random() % 200'000; },
      [&](std::size_t) { return 0xabcdef0000000000 + random() % 400'000; },
      [&](std::size_t) { return random() % 2 * ~std::uint64_t{0} ^ random() % 300'000; },
      [](std::size_t i) { return std::uint64_t{i}; },
      [](std::size_t i) { return ~(std::uint64_t{i} << 40); },
      [](std::size_t i) { return i % 90'000 * 0x9e3779b97f4a7c15; },
      [](std::size_t i) { return i % 7 == 0 ? std::uint64_t{i} << 32 : 5; }};
  for (std::size_t d = 0; d < draws.size(); ++d)
    for (const unsigned threads : {1u, 3u}) {
      SCOPED_TRACE(d);
      if (threads > 1 && d > 1) continue;
      const temp_dir dir;
      const auto keys = drawn(n, draws[d]);
      key_spool spool = spool_in(dir);
      add_in_pieces(spool, keys);
      expect_all(spool, distinct(keys), threads);
      EXPECT_EQ(dir.files(), 0u);
      testing::count_cases("keys spooled", n);
    }
}

TEST(KeySpool, RangesOfAnySize) {
  const temp_dir dir;
  std::mt19937_64 random(3);
  const auto keys = drawn(200'000, [&](std::size_t) { return random(); });
  const auto oracle = distinct(keys);
  key_spool spool = spool_in(dir);
  add_in_pieces(spool, keys);
  for (int trial = 0; trial < 30; ++trial) {
    auto all = must(spool.sorted(random() % (2 * mib)));
    std::vector<std::uint64_t> seen;
    for (std::uint64_t end = 1; end != 0;) {
      const std::uint64_t step = random() >> (random() % 20);
      end = end + step < end || seen.size() == oracle.size() ? 0 : end + step;
      for (const key k : must(all.take_below(end))) seen.push_back(k.bits());
    }
    ASSERT_EQ(seen, oracle);
  }
}

TEST(KeySpool, MoreKeysAfterCounting) {
  const temp_dir dir;
  std::mt19937_64 random(4);
  std::vector<key> keys;
  key_spool spool = spool_in(dir);
  for (const std::size_t n : {1000u, 1000u, 120'000u, 10u, 120'000u}) {
    const auto more = drawn(n, [&](std::size_t) { return random() >> 40 << 3; });
    keys.insert(keys.end(), more.begin(), more.end());
    add_in_pieces(spool, more);
    expect_all(spool, distinct(keys));
  }
  must(spool.clear());
  expect_all(spool, {});
  add_in_pieces(spool, keys);
  expect_all(spool, distinct(keys));
}

TEST(KeySpool, ReportsProgress) {
  struct calls {
    std::vector<std::uint64_t> done;
    std::uint64_t all = 0;
  } seen;
  const temp_dir dir;
  auto spool = must(key_spool::make(
      {.memory_limit = mib,
       .directory = dir.path(),
       .progress = {[](void* context, std::uint64_t done, std::uint64_t all) {
                      auto& to = *static_cast<calls*>(context);
                      to.done.push_back(done);
                      to.all = all;
                    },
                    &seen}}));
  std::mt19937_64 random(5);
  add_in_pieces(spool, drawn(200'000, [&](std::size_t) { return random(); }));
  EXPECT_TRUE(seen.done.empty());
  auto all = must(spool.sorted());
  (void)taken(all, 10);
  EXPECT_GT(seen.done.size(), 10u);
  EXPECT_TRUE(std::ranges::is_sorted(seen.done));
  EXPECT_EQ(seen.done.back(), seen.all);
}

TEST(KeySpool, Refusals) {
  const temp_dir dir;
  const auto small = key_spool::make({.memory_limit = mib - 1, .directory = dir.path()});
  ASSERT_FALSE(small);
  EXPECT_EQ(small.error().code, errc::invalid_argument);
  EXPECT_EQ(small.error().possible, static_cast<double>(mib));
  const std::string missing = dir / "missing";
  const auto nowhere = key_spool::make({.memory_limit = mib, .directory = missing});
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, errc::io);
  EXPECT_EQ(nowhere.error().path.c_str(), missing);
}

// 1 MiB is enough for 50 million keys; then it says so, and works again when cleared.
TEST(KeySpoolFull, MoreKeysThanTheLimitIsEnoughFor) {
  BLOOMERY_FULL_ONLY();
  const temp_dir dir;
  key_spool spool = spool_in(dir);
  std::mt19937_64 random(6);
  result<void> last{};
  std::uint64_t added = 0;
  for (; last; added += 65536)
    last = spool.add(drawn(65536, [&](std::size_t) { return random(); }));
  EXPECT_EQ(last.error().code, errc::too_large);
  EXPECT_EQ(last.error().possible, 2.0 * mib);
  EXPECT_GT(added, mib * mib / 22000);
  EXPECT_EQ(spool.count().error().code, errc::too_large);
  must(spool.clear());
  must(spool.add(drawn(10, [](std::size_t i) { return i; })));
  EXPECT_EQ(must(spool.count()), 10u);
}

}  // namespace
}  // namespace bloomery
