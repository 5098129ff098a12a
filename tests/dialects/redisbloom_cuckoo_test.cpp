// redisbloom_cuckoo against the dialect that reads its dumps, and against a plain model
// of RedisBloom's rules.
#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "cases.hpp"
#include "foreign.hpp"
#include "hex.hpp"
#include "must.hpp"

namespace bloomery::testing::redisbloom {
namespace {

using bytes = std::vector<std::byte>;

bytes cuckoo_header(const redisbloom_cuckoo& f) {
  bytes header(f.header_size());
  f.encode_header(header);
  return header;
}

bytes cuckoo_dump(const redisbloom_cuckoo& f) {
  bytes all = cuckoo_header(f);
  for (std::uint64_t at = 0;;) {
    const auto some = f.bytes_at(at);
    if (some.empty()) return all;
    all.insert(all.end(), some.begin(), some.end());
    at += some.size();
  }
}

redisbloom_cuckoo cuckoo_loaded(std::span<const std::byte> image, std::size_t piece) {
  auto f = must(redisbloom_cuckoo::from_header(image.first(38)));
  std::uint64_t at = 0;
  while (!f.is_loaded()) {
    EXPECT_TRUE(f.may_contain("a key that was never added"));
    std::size_t n = piece;
    while (!f.load(
        at, image.subspan(38 + static_cast<std::size_t>(at),
                          std::min(n, image.size() - 38 - static_cast<std::size_t>(at)))))
      n = n / 2 + (n == 1 ? 0 : n % 2);  // it would go into the next sub-filter
    at = f.loaded_bytes();
  }
  return f;
}

const redisbloom_cuckoo::params cuckoo_shapes[] = {
    {.keys = 16},
    {.keys = 1024},
    {.keys = 128, .growth = 2},
    {.keys = 1000, .slots = 4, .kicks = 500},
    {.keys = 4, .slots = 1, .kicks = 1, .growth = 4},
    {.keys = 700, .slots = 7, .kicks = 3, .growth = 3},
    {.keys = 510, .slots = 255},
    {.keys = 300, .growth = 0},
};

TEST(RedisBloomCuckoo, TheVectorOfTenKeys) {
  auto f = must(redisbloom_cuckoo::make({.keys = 16}));
  for (const auto& k : numbered("k", 10)) must(f.try_insert(k));
  EXPECT_EQ(to_hex(cuckoo_dump(f)),
            "0a000000000000000800000000000000000000000000000001000000000000000200140001"
            "002f007692d0004c8922000000e86b3200");
}

TEST(RedisBloomCuckoo, IsReadByTheDialect) {
  for (const auto& shape : cuckoo_shapes) {
    SCOPED_TRACE(shape.keys);
    auto f = must(redisbloom_cuckoo::make(shape));
    const auto keys = numbered("k", 1000);
    std::size_t in = 0;
    for (const auto& k : keys) {
      if (f.try_insert(k)) {
        ++in;
      } else {
        ASSERT_EQ(shape.growth, 0);
        break;
      }
      ASSERT_TRUE(f.may_contain(k));
    }
    EXPECT_EQ(f.keys(), in);
    const bytes image = cuckoo_dump(f);
    const auto read = must(foreign_filter::decode("redisbloom", image, as("cuckoo")));
    EXPECT_EQ(read.parts(), f.links());
    const auto asked = numbered("k", 2000);
    std::vector<std::string_view> views(asked.begin(), asked.end());
    const auto out = std::make_unique<bool[]>(views.size());
    f.may_contain(views, {out.get(), views.size()});
    for (std::size_t i = 0; i < views.size(); ++i) {
      ASSERT_EQ(out[i], read.may_contain(views[i]));
      ASSERT_EQ(out[i], f.may_contain(views[i]));
      ASSERT_TRUE(i >= in || out[i]);
    }
    for (const std::size_t piece : {3u, 100u, 1'000'000u})
      EXPECT_EQ(to_hex(cuckoo_dump(cuckoo_loaded(image, piece))), to_hex(image));
    EXPECT_EQ(to_hex(cuckoo_dump(must(f.clone()))), to_hex(image));
    count_cases("keys in cuckoo filters of RedisBloom", in);
  }
}

// What was inserted, and only that, is erased: the counts agree with a multiset of
// fingerprints, whatever grows and is compacted meanwhile.
TEST(RedisBloomCuckoo, ErasesCountsAndCompacts) {
  for (const auto& shape : cuckoo_shapes) {
    SCOPED_TRACE(shape.keys);
    auto f = must(redisbloom_cuckoo::make(shape));
    std::mt19937 random(7);
    std::vector<std::string> held;
    for (int i = 0; i < 1500; ++i) {
      if (held.empty() || random() % 5 < 3) {
        const std::string k = "k" + std::to_string(random() % 900);
        if (f.try_insert(k)) held.push_back(k);
      } else {
        const std::size_t which = random() % held.size();
        must(f.erase_present(held[which]));
        held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
      }
      if (i % 300 == 299) {
        must(f.compact());
        EXPECT_EQ(f.erased(), 0u);
      }
      ASSERT_EQ(f.keys(), held.size());
      if (i % 50 == 0) {
        for (const auto& k : held)
          ASSERT_GE(f.count(k),
                    static_cast<std::uint64_t>(std::count(held.begin(), held.end(), k)));
      }
    }
    for (const auto& k : held) must(f.erase_present(k));
    EXPECT_EQ(f.keys(), 0u);
    must(f.compact());
    EXPECT_EQ(f.links(), 1u);
    const auto slots = f.bytes_at(0);
    EXPECT_EQ(std::count(slots.begin(), slots.end(), std::byte{0}),
              static_cast<std::ptrdiff_t>(slots.size()));
    const auto none = f.erase_present("none");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, errc::not_present);
  }
}

// A refused insert has undone every kick.
TEST(RedisBloomCuckoo, ARefusedInsertChangesNothing) {
  auto f = must(redisbloom_cuckoo::make({.keys = 300, .growth = 0}));
  int refused = 0;
  for (const auto& k : numbered("k", 700)) {
    const bytes before = cuckoo_dump(f);
    if (const auto in = f.try_insert(k); !in) {
      ++refused;
      ASSERT_EQ(in.error().code, errc::full);
      ASSERT_EQ(cuckoo_dump(f), before);
    }
  }
  EXPECT_GT(refused, 100);
  auto g = must(redisbloom_cuckoo::make({.keys = 16}));
  std::size_t in = 0;
  for (const auto& k : numbered("k", 100)) {
    const bytes before = cuckoo_dump(g);
    if (const auto done = g.try_insert(k, 64); done) {
      ++in;
    } else {
      ASSERT_EQ(done.error().code, errc::too_large);
      ASSERT_EQ(cuckoo_dump(g), before);
    }
  }
  EXPECT_GT(in, 40u);
  EXPECT_LE(g.size_in_bytes(), 64u);
}

TEST(RedisBloomCuckoo, SlotsComeInOrderAndStayAsTheyAre) {
  auto whole = must(redisbloom_cuckoo::make({.keys = 64}));
  for (const auto& k : numbered("k", 200)) must(whole.try_insert(k));
  const bytes image = cuckoo_dump(whole);
  const auto slots = std::span(image).subspan(38);
  auto f = must(redisbloom_cuckoo::from_header(cuckoo_header(whole)));
  const auto refused = [&](std::uint64_t at, std::span<const std::byte> some) {
    const auto in = f.load(at, some);
    return !in && in.error().code == errc::invalid_argument;
  };
  EXPECT_TRUE(refused(1, slots.first(3)));
  EXPECT_TRUE(refused(0, slots.first(65)));
  EXPECT_TRUE(refused(slots.size(), slots.first(1)));
  EXPECT_TRUE(refused(~std::uint64_t{0}, slots.first(1)));
  EXPECT_FALSE(f.try_insert("x"));
  EXPECT_FALSE(f.erase_present("x"));
  EXPECT_FALSE(f.compact());
  must(f.load(0, slots.first(64)));
  must(f.load(0, slots.first(10)));  // again
  EXPECT_TRUE(f.bytes_at(64).empty());
  EXPECT_FALSE(must(f.clone()).is_loaded());
  for (std::uint64_t at = 64; at < slots.size(); at += 64)
    must(f.load(at, slots.subspan(static_cast<std::size_t>(at), 64)));
  EXPECT_EQ(cuckoo_dump(f), image);
  // Slots that have changed are not overwritten.
  const auto before = numbered("k", 200);
  must(f.erase_present(before[3]));
  bool all_as_before = true;
  for (std::uint64_t at = 0; at < f.size_in_bytes(); at += 64)
    all_as_before &=
        f.load(at, slots.subspan(static_cast<std::size_t>(at), 64)).has_value();
  EXPECT_FALSE(all_as_before);
}

TEST(RedisBloomCuckoo, FalseHeadersAreRefused) {
  const bytes good = cuckoo_header(must(redisbloom_cuckoo::make({.keys = 64})));
  for (std::size_t n = 0; n < good.size(); ++n)
    EXPECT_FALSE(redisbloom_cuckoo::from_header(std::span(good).first(n)));
  const auto with = [&](std::size_t at, std::size_t width, std::uint64_t v) {
    bytes b = good;
    std::memcpy(&b[at], &v, width);
    return redisbloom_cuckoo::from_header(b, std::uint64_t{1} << 40);
  };
  EXPECT_FALSE(with(0, 8, 65));  // more items than slots
  for (const std::uint64_t v : {0ull, 3ull, ~0ull, 1ull << 63})
    EXPECT_FALSE(with(8, 8, v));
  for (const std::uint64_t v : {0ull, 65536ull, ~0ull}) EXPECT_FALSE(with(24, 8, v));
  for (const std::uint64_t v : {0u, 256u, 65535u}) EXPECT_FALSE(with(32, 2, v));
  for (const std::uint64_t v : {3u, 65535u}) EXPECT_FALSE(with(36, 2, v));
  bytes b = good;  // 60 doublings
  std::memcpy(&b[24], "\x3c", 1);
  std::memcpy(&b[36], "\x02", 1);
  const auto large = redisbloom_cuckoo::from_header(b);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, errc::too_large);
  EXPECT_FALSE(redisbloom_cuckoo::make({.keys = 3}));
  EXPECT_FALSE(redisbloom_cuckoo::make({.slots = 0}));
  EXPECT_FALSE(redisbloom_cuckoo::make({.keys = 1024, .max_bytes = 1023}));
  EXPECT_FALSE(redisbloom_cuckoo::make({.keys = std::uint64_t{1} << 40}));
}

}  // namespace
}  // namespace bloomery::testing::redisbloom
