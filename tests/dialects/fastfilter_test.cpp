#include <array>
#include <bit>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "format/dialect/fastfilter_rank.hpp"
#include "hash/mix.hpp"
#include "hash/xxh.hpp"
#include "hostile_image.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

using slots = std::array<std::size_t, 3>;

void put(std::vector<std::byte>& out, std::uint64_t v, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i)
    out.push_back(static_cast<std::byte>(v >> (8 * i) & 0xff));
}

// Fingerprints of these hashes, by peeling slots that only one key has left; none if a
// core remains.  Small sets: a quadratic search will do.
std::optional<std::vector<unsigned>> assign(
    const std::vector<std::uint64_t>& hashes, std::size_t count,
    const std::function<slots(std::uint64_t)>& at) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  std::map<std::uint64_t, slots> left;
  for (const auto h : hashes) left[h] = at(h);
  while (!left.empty()) {
    std::vector<unsigned> users(count);
    for (const auto& [h, s] : left)
      for (const auto i : s) ++users[i];
    const auto before = left.size();
    std::erase_if(left, [&](const auto& one) {
      for (const auto i : one.second)
        if (users[i] == 1) {
          order.emplace_back(one.first, i);
          return true;
        }
      return false;
    });
    if (left.size() == before) return {};
  }
  std::vector<unsigned> out(count);
  for (auto one = order.rbegin(); one != order.rend(); ++one) {
    unsigned sum = static_cast<unsigned>(one->first ^ one->first >> 32) & 0xffff;
    for (const auto i : at(one->first)) sum ^= i == one->second ? 0 : out[i];
    out[one->second] = sum;
  }
  return out;
}

std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  __extension__ using u128 = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<u128>(a) * b >> 64);
}

std::vector<std::uint64_t> numbers_of(const std::vector<std::string>& keys) {
  std::vector<std::uint64_t> out;
  for (const auto& k : keys) out.push_back(hash::xxh64(k, 0));
  return out;
}

// The bytes of a filter of these numbers, in any variant.
std::vector<std::byte> built(std::string_view variant,
                             const std::vector<std::uint64_t>& numbers,
                             std::size_t segment, std::size_t segments) {
  const bool is_xor = variant.starts_with("xor");
  const std::size_t width = variant.ends_with("16") ? 2 : 1;
  const std::size_t count = is_xor ? 3 * segment : (segments + 2) * segment;
  const auto at = [&](std::uint64_t h) -> slots {
    if (is_xor) {
      const auto r = [&](int by) {
        return static_cast<std::size_t>((std::rotl(h, by) & 0xffffffff) * segment >> 32);
      };
      return {r(0), segment + r(21), 2 * segment + r(42)};
    }
    const std::size_t first = high_product(h, segments * segment);
    return {first, (first + segment) ^ (h >> 18 & (segment - 1)),
            (first + 2 * segment) ^ (h & (segment - 1))};
  };
  for (std::uint64_t seed = 0x6df6b22537d23467;; ++seed) {
    std::vector<std::uint64_t> hashes;
    for (const auto n : numbers) hashes.push_back(hash::fmix64(n + seed));
    const auto prints = assign(hashes, count, at);
    if (!prints) continue;
    std::vector<std::byte> out;
    put(out, seed, 8);
    if (is_xor) {
      put(out, segment, 8);
    } else {
      put(out, numbers.size(), 4);
      if (variant == "packed8") {
        std::vector<std::byte> map((count + 7) / 8), some;
        for (std::size_t i = 0; i < count; ++i) {
          if (((*prints)[i] & 0xff) == 0) continue;
          map[i / 8] |= static_cast<std::byte>(1u << (i % 8));
          put(some, (*prints)[i], 1);
        }
        out.insert(out.end(), map.begin(), map.end());
        out.insert(out.end(), some.begin(), some.end());
        return out;
      }
      for (const std::size_t n : {segment, segments, segments * segment, count})
        put(out, n, 4);
    }
    for (const unsigned p : *prints) put(out, p, width);
    return out;
  }
}

foreign_options reading(std::string_view variant, key_form form = key_form::bytes) {
  foreign_options o;
  o.variant = variant;
  o.form = form;
  return o;
}

// 65 keys: two segments of 32 and two more, as the owner would have it.
constexpr std::string_view variants[] = {"fuse8", "fuse16", "packed8", "xor8", "xor16"};
std::vector<std::byte> edges_in(std::string_view variant) {
  const auto numbers = numbers_of(edge65());
  return variant.starts_with("xor") ? built(variant, numbers, 37, 0)
                                    : built(variant, numbers, 32, 2);
}

TEST(FastFilter, FindsKeysOfEveryLength) {
  for (const auto variant : variants) {
    const auto bytes = edges_in(variant);
    const auto f = must(foreign_filter::decode("fastfilter", bytes));
    EXPECT_EQ(f.variant(), variant);
    for (const auto& k : edge65()) EXPECT_TRUE(f.may_contain(k)) << variant << k.size();
    const double rate = variant.ends_with("16") ? 0x1p-16 : 0x1p-8;
    EXPECT_NEAR(f.realised_fpr(), rate, rate / 4) << variant;
    EXPECT_NEAR(f.estimated_keys(), 65, 1) << variant;
    EXPECT_EQ(f.seed() >> 16, 0x6df6b22537d2u);
  }
}

TEST(FastFilter, AsksForNumbers) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < 60; ++i) numbers.push_back(i * 1'000'003);
  const auto f =
      must(foreign_filter::decode("fastfilter", built("fuse16", numbers, 32, 3),
                                  reading("fuse16", key_form::integer)));
  unsigned others = 0;
  for (const auto n : numbers) {
    std::vector<std::byte> key, other;
    put(key, n, 8);
    put(other, n + 1, 8);
    const auto text = [](const auto& v) {
      return std::string_view(reinterpret_cast<const char*>(v.data()), v.size());
    };
    EXPECT_TRUE(f.may_contain(text(key)));
    others += f.may_contain(text(other));
  }
  EXPECT_LT(others, 3u);
  EXPECT_TRUE(f.may_contain("short"));  // not a number: nothing is known
}

TEST(FastFilter, IsOnlyRead) {
  foreign_params p;
  p.keys = 10;
  EXPECT_EQ(foreign_filter::make("fastfilter", p).error().code, errc::unsupported);
  auto f = must(foreign_filter::decode("fastfilter", edges_in("fuse8")));
  EXPECT_EQ(f.insert("a").error().code, errc::unsupported);
  EXPECT_EQ(f.merge(f).error().code, errc::unsupported);
}

TEST(FastFilter, RefusesNumbersThatDoNotFit) {
  // The offset that is blamed if 4 bytes at `at` become `value`.
  const auto refused = [](std::string_view variant, std::size_t at, std::uint64_t value) {
    auto bytes = edges_in(variant);
    for (std::size_t i = 0; i < 4; ++i)
      bytes[at + i] = static_cast<std::byte>(value >> (8 * i) & 0xff);
    const auto f = foreign_filter::decode("fastfilter", bytes, reading(variant));
    EXPECT_FALSE(f) << variant << " " << at << " " << value;
    if (f) return ~std::uint64_t{0};
    EXPECT_EQ(f.error().code, errc::corrupt);
    return f.error().at;
  };
  for (const std::uint64_t bad : {0u, 3u, 33u, 0xffffffffu})
    EXPECT_EQ(refused("fuse8", 12, bad), 12u);
  EXPECT_EQ(refused("fuse8", 16, 0), 16u);
  EXPECT_EQ(refused("fuse8", 16, 4), 20u);
  EXPECT_EQ(refused("fuse8", 16, 0x80000002), 20u);  // equal modulo 2^32
  EXPECT_EQ(refused("fuse8", 20, 97), 20u);
  EXPECT_EQ(refused("fuse8", 24, 161), 24u);
  EXPECT_EQ(refused("fuse16", 24, 0xffffffff), 24u);
  EXPECT_EQ(refused("xor8", 8, 0), 8u);
  EXPECT_EQ(refused("xor8", 12, 1), 8u);            // 2^32 and more
  EXPECT_EQ(refused("xor8", 8, 36), 16 + 3 * 36u);  // trailing bytes
  EXPECT_EQ(refused("xor8", 8, 38), 16 + 3 * 37u);  // truncated: the end
  EXPECT_EQ(refused("packed8", 8, 0xffffffff), 8u);
  EXPECT_EQ(refused("packed8", 8, 100'000), edges_in("packed8").size());
  for (const auto variant : variants)
    EXPECT_EQ(
        foreign_filter::decode("fastfilter", std::vector<std::byte>(3), reading(variant))
            .error()
            .at,
        3u);
}

// A fuse filter of 4 slots for 65 keys, which nobody wrote, has the length of a packed
// one whose bitmap is the same numbers.
TEST(FastFilter, BytesThatFitSeveralVariantsNeedOne) {
  std::vector<std::byte> bytes;
  put(bytes, 0, 8);
  for (const unsigned n : {65, 1, 2, 2, 4}) put(bytes, n, 4);
  bytes.resize(28 + 4);
  EXPECT_EQ(foreign_filter::decode("fastfilter", bytes).error().code,
            errc::invalid_argument);
  for (const auto variant : {"fuse8", "packed8"})
    EXPECT_EQ(
        must(foreign_filter::decode("fastfilter", bytes, reading(variant))).variant(),
        variant);
}

TEST(FastFilter, RanksAreSumsOfOnes) {
  random from(7);
  for (const std::size_t size : {1u, 2u, 7u, 8u, 9u, 47u, 48u, 49u, 64u, 100u, 1000u}) {
    std::vector<std::byte> map(size);
    for (auto& b : map) b = static_cast<std::byte>(from.next() & 0xff);
    const std::uint64_t bits = 8 * size - from.below(8);
    std::uint64_t sums[format::sampled_rank::samples], ones = 0;
    const auto all = format::sampled_rank::sample(map, bits, sums);
    const format::sampled_rank rank(map, bits, sums);
    for (std::uint64_t i = 0; i < bits; ++i) {
      ASSERT_EQ(rank.before(i), ones) << size << " " << i;
      ones += static_cast<unsigned>(map[i / 8]) >> (i % 8) & 1;
    }
    EXPECT_EQ(all, ones);
  }
}

TEST(FastFilter, DamageIsAnsweredWithPerhaps) {
  for (const auto variant : variants) {
    auto f = must(foreign_filter::decode("fastfilter", edges_in(variant)));
    std::uint64_t chunks[1] = {};
    for (std::size_t at = 64; at < f.size_in_bytes(); at += 16)
      chunks[0] |= std::uint64_t{1} << (at / 16);
    must(f.endure(chunks, 4));
    for (const auto& k : edge65()) EXPECT_TRUE(f.may_contain(k));
    EXPECT_GT(f.realised_fpr(), 0.5) << variant;
    chunks[0] = 1;
    EXPECT_EQ(f.endure(chunks, 4).error().code, errc::corrupt);
  }
}

TEST(FastFilter, SurvivesAbuse) {
  for (const auto variant : variants) {
    expect_survives("fastfilter", edges_in(variant), reading(variant));
    expect_survives("fastfilter", edges_in(variant));
    expect_survives("fastfilter", edges_in(variant), reading(variant, key_form::integer));
  }
}

}  // namespace
}  // namespace bloomery::testing
