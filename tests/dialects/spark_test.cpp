#include <chrono>

#include <gtest/gtest.h>

#include "hostile_image.hpp"

namespace bloomery::testing::spark {
namespace {

constexpr const char* ten_v1 = "000000010000000700000002829ac3e4a5541b049a3803c8f041b5b9";
constexpr const char* ten_v2 =
    "00000002000000070000000000000002b7921f5522158a027028476746c48348";
constexpr const char* ten_v2_seed42 =
    "00000002000000070000002a000000029cd1e119289464429226da0a61b7594b";

foreign_params seeded(std::uint64_t seed, std::string_view variant = {}) {
  auto p = sized(10, 0.01, variant);
  p.seed = seed;
  return p;
}

TEST(Spark, WritesWhatItsOwnerWrote) {
  const auto k10 = numbered("k", 10);
  EXPECT_EQ(to_hex(written("spark", sized(10, 0.01, "v1"), k10)), ten_v1);
  EXPECT_EQ(to_hex(written("spark", sized(10, 0.01), k10)), ten_v2);
  EXPECT_EQ(to_hex(written("spark", seeded(42), k10)), ten_v2_seed42);
}

TEST(Spark, ReadsWhatItsOwnerWrote) {
  for (const char* hex : {ten_v1, ten_v2, ten_v2_seed42}) {
    const auto f = must(foreign_filter::decode("spark", from_hex(hex)));
    EXPECT_EQ(f.bits(), 128u);
    EXPECT_EQ(f.hashes(), 7u);
    EXPECT_EQ(f.variant(), hex == ten_v1 ? "v1" : "v2");
    EXPECT_EQ(f.seed(), hex == ten_v2_seed42 ? 42u : 0u);
    for (const std::string& k : numbered("k", 10)) EXPECT_TRUE(f.may_contain(k));
  }
}

TEST(Spark, SeedsAreSigned32BitNumbers) {
  const auto k10 = numbered("k", 10);
  const auto minus7 = static_cast<std::uint64_t>(-7);
  EXPECT_EQ(to_hex(written("spark", seeded(minus7), k10)),
            to_hex(written("spark", seeded(0xfffffff9), k10)));
  EXPECT_EQ(must(foreign_filter::make("spark", seeded(minus7))).seed(), 0xfffffff9u);
  EXPECT_FALSE(foreign_filter::make("spark", seeded(0x100000000)));
  EXPECT_FALSE(foreign_filter::make("spark", seeded(1, "v1"))) << "v1 has no seed";
  EXPECT_TRUE(foreign_filter::make("spark", seeded(0, "v1")));
}

TEST(Spark, FindsKeysOfEveryLength) {
  for (const char* variant : {"v1", "v2"}) {
    expect_finds_edge_keys("spark", sized(65, 0.01, variant));
    auto integers = sized(65, 0.01, variant);
    integers.form = key_form::integer;
    expect_finds_edge_keys("spark", integers);
  }
}

TEST(Spark, RefusesEachField) {
  const auto one = from_hex(ten_v1), two = from_hex(ten_v2);
  expect_refused("spark", std::span(one).first(3), errc::corrupt, 3);
  expect_refused("spark", std::span(one).first(11), errc::corrupt, 11);
  expect_refused("spark", std::span(two).first(15), errc::corrupt, 15);
  expect_refused("spark", patched(one, 0, "00000003"), errc::unsupported, 0);
  expect_refused("spark", patched(one, 0, "00000000"), errc::unsupported, 0);
  expect_refused("spark", patched(one, 4, "00000000"), errc::corrupt, 4);
  expect_refused("spark", patched(two, 4, "80000000"), errc::corrupt, 4);
  expect_refused("spark", patched(one, 8, "00000000"), errc::corrupt, 8);
  expect_refused("spark", patched(two, 12, "80000000"), errc::corrupt, 12);
  expect_refused("spark", patched(one, 8, "7fffffff"), errc::corrupt, 28);
  expect_refused("spark", patched(two, 12, "00000001"), errc::corrupt, 24);
  expect_refused("spark", two, errc::invalid_argument, 0, as("v1"));
}

TEST(Spark, SurvivesDamage) {
  expect_survives("spark", from_hex(ten_v1));
  expect_survives("spark", from_hex(ten_v2_seed42));
}

// Two thousand million hashes of 128 bits, all set: asked no longer than it takes to see
// each of them, and not added to.
TEST(Spark, AHostileNumberOfHashesIsAnsweredQuickly) {
  for (const char* hex : {ten_v1, ten_v2}) {
    const auto small = from_hex(hex);
    auto image = patched(small, 4, "7fffffff");
    for (std::size_t i = image.size() - 16; i < image.size(); ++i)
      image[i] = std::byte{0xff};
    auto f = must(foreign_filter::decode("spark", image));
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string& k : numbered("x", 100)) EXPECT_TRUE(f.may_contain(k));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
    EXPECT_EQ(f.insert("x").error().code, errc::unsupported);
  }
}

}  // namespace
}  // namespace bloomery::testing::spark
