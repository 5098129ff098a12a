// redisbloom_chain against the dialect in one piece: the same bytes and answers.
#include <cstdlib>
#include <cstring>
#include <memory>
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

bytes header_of(const redisbloom_chain& f) {
  bytes header(f.header_size());
  f.encode_header(header);
  return header;
}

bytes dump(const redisbloom_chain& f) {
  bytes all = header_of(f);
  for (std::uint64_t at = 0; at < f.size_in_bytes();) {
    const auto some = f.bytes_at(at);
    if (some.empty()) break;
    all.insert(all.end(), some.begin(), some.end());
    at += some.size();
  }
  return all;
}

// Loads the bits behind a header in pieces of at most `piece` bytes of one link.
redisbloom_chain loaded(std::span<const std::byte> image, std::size_t header,
                        std::size_t piece) {
  auto f = must(redisbloom_chain::from_header(image.first(header)));
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < f.links(); ++i)
    for (std::uint64_t left = f.link(i).bytes; left != 0;) {
      EXPECT_FALSE(f.is_loaded());
      EXPECT_TRUE(f.may_contain("a key that was never added"));
      const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left, piece));
      must(f.load(at, image.subspan(header + static_cast<std::size_t>(at), n)));
      at += n;
      left -= n;
    }
  EXPECT_TRUE(f.is_loaded());
  return f;
}

struct shape {
  std::uint64_t keys;
  double fpr;
  std::uint32_t growth;
  bool grows;
  int inserted;
};

const shape shapes[] = {
    {1, 0.01, 2, true, 600},    {10, 0.01, 1, true, 300},   {100, 0.01, 2, true, 5000},
    {100, 0.001, 4, true, 999}, {50, 0.9, 2, true, 400},    {1000, 0.01, 2, false, 1000},
    {7, 1e-9, 32, true, 3000},  {64, 0.25, 3, false, 5000},
};

TEST(RedisBloomChain, HasTheBytesAndAnswersOfTheDialect) {
  for (const shape& s : shapes) {
    SCOPED_TRACE(::testing::Message() << s.keys << " keys at " << s.fpr);
    foreign_params p;
    p.keys = s.keys;
    p.fpr = s.fpr;
    p.growth = s.growth;
    p.variant = s.grows ? "scaling" : "nonscaling";
    auto one = must(foreign_filter::make("redisbloom", p));
    auto two = must(redisbloom_chain::make(
        {.keys = s.keys, .fpr = s.fpr, .growth = s.growth, .grows = s.grows}));
    auto three = must(two.clone());
    const auto keys = numbered("k", static_cast<std::size_t>(s.inserted));
    std::vector<std::string_view> views(keys.begin(), keys.end());
    std::size_t refused = 0;
    for (const std::string& k : keys) {
      const bool was = one.may_contain(k);
      const auto in = one.insert(k);
      const auto added = two.insert_if_absent(k);
      ASSERT_EQ(in.has_value(), added.has_value());
      if (added) {
        ASSERT_EQ(*added, !was);
      } else {
        ASSERT_EQ(added.error().code, errc::full);
        ++refused;
      }
    }
    count_cases("keys in two implementations of RedisBloom", keys.size());
    const auto written = must(one.encode());
    ASSERT_EQ(to_hex(dump(two)), to_hex(written.bytes()));

    // A batch is inserted like its keys, up to the first that is refused.
    const auto absent = std::make_unique<bool[]>(views.size());
    const auto done = three.insert_if_absent(views, {absent.get(), views.size()});
    EXPECT_EQ(done.refused.has_value(), refused != 0);
    if (refused == 0) {
      EXPECT_EQ(done.keys, views.size());
      EXPECT_EQ(to_hex(dump(three)), to_hex(written.bytes()));
    }

    // Lookups, one by one and together.
    std::vector<std::string> asked = numbered("k", 2 * keys.size());
    std::vector<std::string_view> all(asked.begin(), asked.end());
    const auto out = std::make_unique<bool[]>(all.size());
    two.may_contain(all, {out.get(), all.size()});
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_EQ(out[i], one.may_contain(all[i])) << all[i];
      ASSERT_EQ(out[i], two.may_contain(all[i])) << all[i];
    }

    // A dump, loaded in pieces of any size.
    for (const std::size_t piece : {1u, 7u, 64u, 100'000u}) {
      if (piece == 1 && written.size() > 2000) continue;
      const auto back = loaded(written.bytes(), two.header_size(), piece);
      ASSERT_EQ(to_hex(dump(back)), to_hex(written.bytes()));
      EXPECT_DOUBLE_EQ(back.realised_fpr(), two.realised_fpr());
    }
  }
}

TEST(RedisBloomChain, ReadsAndGrowsOldData) {
  for (const char* variant : {"legacy32", "legacy64"}) {
    SCOPED_TRACE(variant);
    foreign_params p;
    p.keys = 100;
    p.fpr = 0.01;
    p.variant = variant;
    auto one = must(foreign_filter::make("redisbloom", p));
    for (const auto& k : numbered("old", 90)) must(one.insert(k));
    auto two = loaded(one.bytes(), 73, 1000);
    EXPECT_EQ(two.hash_bits(), variant == std::string_view("legacy32") ? 32u : 64u);
    for (const auto& k : numbered("new", 500)) {
      must(one.insert(k));
      must(two.insert_if_absent(k));
    }
    EXPECT_GT(two.links(), 1u);
    EXPECT_EQ(to_hex(dump(two)), to_hex(one.bytes()));
  }
}

// Links beyond the nearest caches take another path: the same answers.
TEST(RedisBloomChain, LargeLinksInBatches) {
  auto f = must(redisbloom_chain::make({.keys = 120'000, .fpr = 0.001}));
  const auto keys = numbered("k", 130'000);
  std::vector<std::string_view> views(keys.begin(), keys.end());
  const auto out = std::make_unique<bool[]>(views.size());
  const auto done = f.insert_if_absent(views, {out.get(), views.size()});
  EXPECT_EQ(done.keys, views.size());
  EXPECT_EQ(f.links(), 2u);
  f.may_contain(views, {out.get(), views.size()});
  for (std::size_t i = 0; i < views.size(); ++i) ASSERT_TRUE(out[i]);
  const auto absent = numbered("absent", 20'000);
  views.assign(absent.begin(), absent.end());
  f.may_contain(views, {out.get(), views.size()});
  for (std::size_t i = 0; i < views.size(); ++i)
    ASSERT_EQ(out[i], f.may_contain(views[i]));
}

struct peak_source {
  memory_source source{[](std::size_t size, void* self) noexcept -> void* {
                         auto& s = *static_cast<peak_source*>(self);
                         s.taken += size;
                         return std::aligned_alloc(64, size);
                       },
                       [](void* p, void*) noexcept { std::free(p); }, this};
  std::size_t taken = 0;
};

void put(bytes& b, std::size_t at, std::uint64_t v) { std::memcpy(&b[at], &v, 8); }

// What a header claims is not taken before it comes.
TEST(RedisBloomChain, AClaimTakesNoMemory) {
  bytes header = header_of(must(redisbloom_chain::make({.keys = 10})));
  for (const int log : {20, 33, 40}) {
    const std::uint64_t size = std::uint64_t{1} << log;
    put(header, 20, size);
    put(header, 28, 8 * size);
    peak_source from;
    const memory_scope scope(from.source);
    auto f = must(redisbloom_chain::from_header(header));
    EXPECT_EQ(f.size_in_bytes(), size);
    EXPECT_LT(from.taken, 1024u);
    must(f.load(0, bytes(100)));
    EXPECT_LE(from.taken, (1u << 20) + 2048);
    EXPECT_TRUE(f.may_contain("anything"));
    const auto added = f.insert_if_absent("anything");
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().code, errc::unsupported);
    EXPECT_EQ(f.realised_fpr(), 1);
    const auto limited = redisbloom_chain::from_header(header, size - 1);
    ASSERT_FALSE(limited);
    EXPECT_EQ(limited.error().code, errc::too_large);
    EXPECT_EQ(limited.error().asked, static_cast<double>(size));
  }
}

TEST(RedisBloomChain, BitsComeInOrderAndStayInsideTheirLink) {
  auto whole = must(redisbloom_chain::make({.keys = 100}));
  for (const auto& k : numbered("k", 400)) must(whole.insert_if_absent(k));
  const bytes image = dump(whole);
  const std::span<const std::byte> bits = std::span(image).subspan(whole.header_size());
  auto f = must(redisbloom_chain::from_header(header_of(whole)));
  const auto refused = [&](std::uint64_t at, std::span<const std::byte> some) {
    const auto loaded = f.load(at, some);
    return !loaded && loaded.error().code == errc::invalid_argument;
  };
  EXPECT_TRUE(refused(1, bits.subspan(1, 10)));                  // a gap
  EXPECT_TRUE(refused(0, bits.first(whole.link(0).bytes + 1)));  // into the next
  EXPECT_TRUE(refused(bits.size(), bits.first(1)));              // behind the end
  EXPECT_TRUE(refused(~std::uint64_t{0}, bits.first(1)));        // far behind
  EXPECT_EQ(f.loaded_bytes(), 0u);
  must(f.load(0, bits.first(whole.link(0).bytes)));
  must(f.load(0, bits.first(10)));  // again
  EXPECT_TRUE(f.bytes_at(whole.link(0).bytes).empty());
  const auto copy = must(f.clone());  // of what is there
  EXPECT_FALSE(copy.is_loaded());
  EXPECT_EQ(copy.loaded_bytes(), f.loaded_bytes());
}

// A chunk that is sent again does not delete what was added since.
TEST(RedisBloomChain, LoadingAgainLosesNothing) {
  auto whole = must(redisbloom_chain::make({.keys = 1000}));
  for (const auto& k : numbered("k", 500)) must(whole.insert_if_absent(k));
  const bytes image = dump(whole);
  const auto bits = std::span(image).subspan(whole.header_size());
  for (const auto& k : numbered("later", 300)) must(whole.insert_if_absent(k));
  must(whole.load(0, bits));
  for (const auto& k : numbered("later", 300)) EXPECT_TRUE(whole.may_contain(k));
}

TEST(RedisBloomChain, IsRefusedBeyondItsBytes) {
  const auto made = redisbloom_chain::make({.keys = 1000, .max_bytes = 1000});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, errc::too_large);
  EXPECT_EQ(made.error().asked, 1384);
  EXPECT_EQ(made.error().possible, 1000);
  auto f = must(redisbloom_chain::make({.keys = 1000}));
  const auto keys = numbered("k", 3000);
  std::vector<std::string_view> views(keys.begin(), keys.end());
  const auto absent = std::make_unique<bool[]>(views.size());
  const auto done = f.insert_if_absent(views, {absent.get(), views.size()}, 4000);
  ASSERT_TRUE(done.refused);
  EXPECT_EQ(done.refused->code, errc::too_large);
  EXPECT_GE(done.keys, 1000u);
  EXPECT_LT(done.keys, 1100u);
  for (std::size_t i = 0; i < done.keys; ++i) EXPECT_TRUE(f.may_contain(views[i]));
  EXPECT_EQ(f.links(), 1u);
}

TEST(RedisBloomChain, FalseHeadersAreRefused) {
  const bytes good = header_of(must(redisbloom_chain::make({.keys = 10})));
  for (std::size_t n = 0; n < good.size(); ++n)
    EXPECT_FALSE(redisbloom_chain::from_header(std::span(good).first(n)));
  bytes longer = good;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(redisbloom_chain::from_header(longer));
  for (const std::size_t at : {0u, 8u, 20u, 28u, 36u, 44u, 60u, 72u}) {
    for (const std::uint64_t v :
         {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 62}) {
      bytes b = good;
      std::memcpy(&b[at], &v, std::min<std::size_t>(8, b.size() - at));
      count_cases("false headers of RedisBloom", 1);
      if (auto f = redisbloom_chain::from_header(b)) {
        (void)f->load(0, bytes(16));
        (void)f->may_contain("k");
        (void)f->insert_if_absent("k", 1 << 20);
      }
    }
  }
}

}  // namespace
}  // namespace bloomery::testing::redisbloom
