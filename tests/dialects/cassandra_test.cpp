#include <gtest/gtest.h>

#include "format/dialect/cassandra_rates.hpp"
#include "hostile_image.hpp"

namespace bloomery::testing::cassandra {
namespace {

constexpr const char* five_new = "0000000500000002844221060001040000a602200400c008";
constexpr const char* five_old = "0000000500000002000401000621428408c000042002a600";

TEST(Cassandra, WritesWhatItsOwnerWrote) {
  const auto texts = numbered("", 5);
  EXPECT_EQ(to_hex(written("cassandra", sized(5, 0.01), texts)), five_new);
  EXPECT_EQ(to_hex(written("cassandra", sized(5, 0.01, "new"), texts)), five_new);
  EXPECT_EQ(to_hex(written("cassandra", sized(5, 0.01, "old"), texts)), five_old);
}

TEST(Cassandra, ReadsWhatItsOwnerWrote) {
  for (const char* variant : {"new", "old"}) {
    const auto image = from_hex(std::string_view(variant) == "new" ? five_new : five_old);
    const auto f = must(foreign_filter::decode("cassandra", image, as(variant)));
    EXPECT_EQ(f.bits(), 128u);
    EXPECT_EQ(f.hashes(), 5u);
    EXPECT_EQ(f.variant(), variant);
    for (const std::string& k : numbered("", 5)) EXPECT_TRUE(f.may_contain(k));
  }
}

TEST(Cassandra, TheVariantMustBeGivenToRead) {
  expect_refused("cassandra", from_hex(five_new), errc::invalid_argument, 0);
  expect_refused("cassandra", from_hex(five_new), errc::invalid_argument, 0, as("nb"));
}

TEST(Cassandra, IsWrittenInTheOtherByteOrder) {
  const auto f = must(foreign_filter::decode("cassandra", from_hex(five_new), as("new")));
  EXPECT_EQ(to_hex(must(f.encode("old")).bytes()), five_old);
  EXPECT_EQ(to_hex(must(f.encode("new")).bytes()), five_new);
  EXPECT_EQ(f.encode("ka").error().code, errc::unsupported);
  const auto g = must(foreign_filter::decode("cassandra", from_hex(five_old), as("old")));
  EXPECT_EQ(to_hex(must(g.encode("new")).bytes()), five_new);
  const auto ka = must(foreign_filter::decode("cassandra", from_hex(five_old), as("ka")));
  EXPECT_EQ(ka.encode("old").error().code, errc::unsupported);
  EXPECT_EQ(to_hex(must(ka.encode()).bytes()), five_old);
}

// The name may have been the caller's, who is done with it.
TEST(Cassandra, KeepsTheVariantItWasMadeAs) {
  std::string said = "old";
  auto f = must(foreign_filter::make("cassandra", sized(5, 0.01, said)));
  said = "xxx";
  EXPECT_EQ(f.variant(), "old");
  for (const std::string& k : numbered("", 5)) must(f.insert(k));
  EXPECT_EQ(to_hex(must(f.encode()).bytes()), five_old);
}

TEST(Cassandra, RefusesMoreHashesThanCanBeSet) {
  EXPECT_FALSE(foreign_filter::make("cassandra", exactly(64, 5000)));
  EXPECT_TRUE(foreign_filter::make("cassandra", exactly(64, 4096)));
}

TEST(Cassandra, FindsKeysOfEveryLength) {
  for (const char* variant : {"new", "old", "ka"})
    expect_finds_edge_keys("cassandra", sized(65, 0.01, variant));
}

TEST(Cassandra, SizesByItsTable) {
  const auto choice = [](double p) {
    const auto c = format::choose_by_rate(p);
    return std::pair(c.hashes, c.buckets);
  };
  EXPECT_EQ(choice(0.1), std::pair(3u, 5u));
  EXPECT_EQ(choice(0.01), std::pair(5u, 10u));
  EXPECT_EQ(choice(0.001), std::pair(7u, 15u));
  EXPECT_EQ(choice(0.0001), std::pair(10u, 20u));
  EXPECT_EQ(choice(6.71e-5), std::pair(14u, 20u));
  EXPECT_EQ(choice(0.393), std::pair(2u, 1u)) << "as its owner has it";
  EXPECT_EQ(choice(0.999), std::pair(2u, 1u));
  EXPECT_EQ(choice(0.392), std::pair(1u, 3u));
  EXPECT_EQ(foreign_filter::make("cassandra", sized(10, 6.7e-5)).error().code,
            errc::unattainable);
  EXPECT_FALSE(foreign_filter::make("cassandra", sized(~std::uint64_t{0}, 0.01)));
  foreign_params p;
  p.keys = 1000;
  p.bits_per_key = 1e300;
  const auto f = must(foreign_filter::make("cassandra", p));
  EXPECT_EQ(f.hashes(), 14u) << "20 bits at most";
  EXPECT_EQ(f.bits(), 20'032u);
  p = {};
  p.bits = 64;
  EXPECT_FALSE(foreign_filter::make("cassandra", p)) << "of how many hashes?";
}

TEST(Cassandra, RefusesEachField) {
  const auto image = from_hex(five_new);
  const auto o = as("new");
  expect_refused("cassandra", std::span(image).first(7), errc::corrupt, 7, o);
  expect_refused("cassandra", patched(image, 0, "00000000"), errc::corrupt, 0, o);
  expect_refused("cassandra", patched(image, 0, "80000000"), errc::corrupt, 0, o);
  expect_refused("cassandra", patched(image, 4, "00000000"), errc::corrupt, 4, o);
  expect_refused("cassandra", patched(image, 4, "ffffffff"), errc::corrupt, 4, o);
  expect_refused("cassandra", patched(image, 4, "7fffffff"), errc::corrupt, 24, o);
  expect_refused("cassandra", patched(image, 4, "00000001"), errc::corrupt, 16, o);
}

TEST(Cassandra, SurvivesDamage) {
  for (const char* variant : {"new", "old", "ka"})
    expect_survives("cassandra", from_hex(five_new), as(variant));
}

TEST(Cassandra, AHostileNumberOfHashesIsAnswered) {
  auto image = patched(from_hex(five_new), 0, "7fffffff");
  for (std::size_t i = 8; i < image.size(); ++i) image[i] = std::byte{0xff};
  const auto f = must(foreign_filter::decode("cassandra", image, as("old")));
  for (const std::string& k : numbered("x", 100)) EXPECT_TRUE(f.may_contain(k));
}

}  // namespace
}  // namespace bloomery::testing::cassandra
