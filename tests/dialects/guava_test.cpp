#include <gtest/gtest.h>

#include "hostile_image.hpp"

namespace bloomery::testing::guava {
namespace {

constexpr const char* ten64 = "0107000000022f108704a2951659146526883fab1c64";
constexpr const char* ten32 = "000700000002e73f60492b8b7a45e81062a04125681e";

TEST(Guava, WritesWhatItsOwnerWrote) {
  const auto k10 = numbered("k", 10);
  EXPECT_EQ(to_hex(written("guava", sized(10, 0.01), k10)), ten64);
  EXPECT_EQ(to_hex(written("guava", sized(10, 0.01, "mitz32"), k10)), ten32);
}

TEST(Guava, ReadsWhatItsOwnerWrote) {
  for (const char* hex : {ten64, ten32}) {
    const auto f = must(foreign_filter::decode("guava", from_hex(hex)));
    EXPECT_EQ(f.bits(), 128u);
    EXPECT_EQ(f.hashes(), 7u);
    EXPECT_EQ(f.variant(), hex == ten64 ? "mitz64" : "mitz32");
    for (const std::string& k : numbered("k", 10)) EXPECT_TRUE(f.may_contain(k));
  }
}

TEST(Guava, FindsKeysOfEveryLength) {
  expect_finds_edge_keys("guava", sized(65, 0.01));
  expect_finds_edge_keys("guava", sized(65, 0.01, "mitz32"));
}

// k follows from p since 33.4.0; before it followed from m / n, and was other in these.
TEST(Guava, SizesAsGuava33Does) {
  const auto hashes = [](std::uint64_t n, double p) {
    return must(foreign_filter::make("guava", sized(n, p))).hashes();
  };
  EXPECT_EQ(hashes(1, 0.3), 2u);
  EXPECT_EQ(hashes(1, 0.01), 7u);
  EXPECT_EQ(hashes(3, 0.01), 7u);
  EXPECT_EQ(hashes(1, 1e-6), 20u);
  foreign_params p;
  p.keys = 1000;
  EXPECT_EQ(must(foreign_filter::make("guava", p)).hashes(), 5u) << "the usual 0.03";
  // m = 0 is refused, as Guava refuses it.
  EXPECT_EQ(foreign_filter::make("guava", sized(1, 0.9)).error().code,
            errc::invalid_argument);
  EXPECT_FALSE(foreign_filter::make("guava", exactly(64, 256)));
  EXPECT_FALSE(foreign_filter::make("guava", exactly(std::uint64_t{1} << 38, 3)));
}

TEST(Guava, SetsAllBitsOfAKeyInASmallTable) {
  auto f = must(foreign_filter::make("guava", exactly(64, 255)));
  must(f.insert("k0"));
  EXPECT_EQ(f.hashes(), 255u);
  EXPECT_GT(f.fill(), 0.9);  // 255 throws at 64 bits
  EXPECT_TRUE(f.may_contain("k0"));
}

TEST(Guava, RefusesEachField) {
  const auto image = from_hex(ten64);
  expect_refused("guava", std::span(image).first(5), errc::corrupt, 5);
  expect_refused("guava", patched(image, 0, "02"), errc::unsupported, 0);
  expect_refused("guava", patched(image, 1, "00"), errc::corrupt, 1);
  expect_refused("guava", patched(image, 2, "00000000"), errc::corrupt, 2);
  expect_refused("guava", patched(image, 2, "80000000"), errc::corrupt, 2);
  expect_refused("guava", patched(image, 2, "7fffffff"), errc::corrupt, 22);
  expect_refused("guava", patched(image, 2, "00000001"), errc::corrupt, 14);
  expect_refused("guava", image, errc::invalid_argument, 0, as("mitz32"));
}

TEST(Guava, SurvivesDamage) {
  expect_survives("guava", from_hex(ten64));
  expect_survives("guava", from_hex(ten32));
}

TEST(Guava, Unites) {
  auto a = must(foreign_filter::make("guava", sized(10, 0.01)));
  auto b = must(foreign_filter::make("guava", sized(10, 0.01)));
  for (const std::string& k : numbered("k", 5)) must(a.insert(k));
  for (const std::string& k : numbered("k", 10)) must(b.insert(k));
  must(a.merge(b));
  EXPECT_EQ(to_hex(must(a.encode()).bytes()), ten64);
  auto other = must(foreign_filter::make("guava", sized(10, 0.01, "mitz32")));
  EXPECT_EQ(other.merge(a).error().code, errc::incompatible);
}

}  // namespace
}  // namespace bloomery::testing::guava
