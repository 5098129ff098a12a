#include <gtest/gtest.h>

#include "hostile_image.hpp"

namespace bloomery::testing::datasketches {
namespace {

constexpr const char* name = "datasketches";
constexpr const char* ten_dirty =
    "04011500040000007b000000000000000400000000000000ffffffffffffffff"
    "0400404004410020113690000ca1060828840080140080600000000284000500";
// 38 of its bits are set.
constexpr const char* count_of_ten = "2600000000000000";
constexpr const char* empty = "03011504040000007b000000000000000400000000000000";

foreign_params two_hundred(std::string_view variant = {}) {
  auto p = exactly(200, 4, variant);
  p.seed = 123;
  return p;
}

image_bytes counted_ten() { return patched(from_hex(ten_dirty), 24, count_of_ten); }

TEST(DataSketches, WritesWhatItsOwnerWrote) {
  const auto k10 = numbered("k", 10);
  EXPECT_EQ(to_hex(written(name, two_hundred(), k10)), ten_dirty);
  EXPECT_EQ(to_hex(written(name, two_hundred("counted"), k10)), to_hex(counted_ten()));
  EXPECT_EQ(to_hex(written(name, two_hundred(), {})), empty);
  EXPECT_EQ(to_hex(written(name, two_hundred("counted"), {})), empty);
}

TEST(DataSketches, ReadsWhatItsOwnerWrote) {
  const auto f = must(foreign_filter::decode(name, from_hex(ten_dirty)));
  EXPECT_EQ(f.bits(), 256u);
  EXPECT_EQ(f.hashes(), 4u);
  EXPECT_EQ(f.seed(), 123u);
  EXPECT_EQ(f.variant(), "dirty");
  for (const std::string& k : numbered("k", 10)) EXPECT_TRUE(f.may_contain(k));
  EXPECT_EQ(to_hex(must(f.encode("counted")).bytes()), to_hex(counted_ten()));
  const auto g = must(foreign_filter::decode(name, counted_ten()));
  EXPECT_EQ(g.variant(), "counted");
  EXPECT_EQ(to_hex(must(g.encode("dirty")).bytes()), ten_dirty);
}

TEST(DataSketches, AnEmptyImageHoldsNothingAndTakesKeys) {
  auto f = must(foreign_filter::decode(name, from_hex(empty)));
  EXPECT_EQ(f.bits(), 256u);
  EXPECT_EQ(f.fill(), 0);
  for (const std::string& k : numbered("k", 10)) EXPECT_FALSE(f.may_contain(k));
  EXPECT_EQ(to_hex(must(f.encode()).bytes()), empty);
  for (const std::string& k : numbered("k", 10)) must(f.insert(k));
  EXPECT_EQ(to_hex(must(f.encode()).bytes()), ten_dirty);
}

TEST(DataSketches, AFilterThatWasCountedIsCountedAgain) {
  auto f = must(foreign_filter::make(name, two_hundred()));
  for (const std::string& k : numbered("k", 9)) must(f.insert(k));
  const auto nine = must(f.encode("counted"));
  auto g = must(foreign_filter::decode(name, nine.bytes()));
  must(g.insert("k9"));
  EXPECT_EQ(to_hex(must(g.encode()).bytes()), to_hex(counted_ten()));
}

// Made by datasketches-java 6.2.0: update(new byte[0]).  Its strings, and C++, ignore the
// key.
TEST(DataSketches, HoldsTheEmptyKey) {
  constexpr const char* only_empty =
      "04011500040000007b000000000000000400000000000000ffffffffffffffff"
      "0000000000400000000040000000000000000200000000000000000000000800";
  EXPECT_TRUE(must(foreign_filter::decode(name, from_hex(only_empty))).may_contain(""));
  EXPECT_EQ(to_hex(written(name, two_hundred(), {""})), only_empty);
  EXPECT_FALSE(must(foreign_filter::decode(name, from_hex(ten_dirty))).may_contain(""));
  EXPECT_FALSE(must(foreign_filter::decode(name, from_hex(empty))).may_contain(""));
}

TEST(DataSketches, FindsKeysOfEveryLength) {
  expect_finds_edge_keys(name, sized(65, 0.01));
  expect_finds_edge_keys(name, sized(65, 0.01, "counted"));
}

TEST(DataSketches, Sizes) {
  const auto f = must(foreign_filter::make(name, sized(1000, 0.01)));
  EXPECT_EQ(f.bits(), 9600u);
  EXPECT_EQ(f.hashes(), 7u);
  EXPECT_EQ(f.seed(), 9001u);
  EXPECT_FALSE(foreign_filter::make(name, exactly(100, 65536)));
  EXPECT_EQ(foreign_filter::make(name, exactly(std::uint64_t{1} << 32, 3)).error().code,
            errc::too_large);
}

TEST(DataSketches, UnitesEmptyDirtyAndCounted) {
  const auto ten = must(foreign_filter::decode(name, counted_ten()));
  auto f = must(foreign_filter::make(name, two_hundred()));
  must(f.merge(ten));
  EXPECT_EQ(to_hex(must(f.encode()).bytes()), ten_dirty);
  must(f.merge(must(foreign_filter::make(name, two_hundred()))));
  EXPECT_EQ(to_hex(must(f.encode()).bytes()), ten_dirty);
  auto g = must(foreign_filter::make(name, two_hundred("counted")));
  must(g.insert("k0"));
  must(g.merge(ten));
  EXPECT_EQ(to_hex(must(g.encode()).bytes()), to_hex(counted_ten()));
  auto other_seed = two_hundred();
  other_seed.seed = 124;
  auto h = must(foreign_filter::make(name, other_seed));
  EXPECT_EQ(h.merge(ten).error().code, errc::incompatible);
}

TEST(DataSketches, RefusesEachField) {
  const auto image = from_hex(ten_dirty), none = from_hex(empty);
  expect_refused(name, std::span(image).first(23), errc::corrupt, 23);
  expect_refused(name, std::span(image).first(31), errc::corrupt, 31);
  expect_refused(name, std::span(image).first(63), errc::corrupt, 63);
  expect_refused(name, patched(image, 0, "05"), errc::corrupt, 0);
  expect_refused(name, patched(image, 1, "02"), errc::unsupported, 1);
  expect_refused(name, patched(image, 2, "14"), errc::unsupported, 2);
  expect_refused(name, patched(image, 3, "04"), errc::corrupt, 3);
  expect_refused(name, patched(none, 3, "00"), errc::corrupt, 3);
  expect_refused(name, patched(image, 4, "0000"), errc::corrupt, 4);
  expect_refused(name, patched(image, 16, "00000000"), errc::corrupt, 16);
  expect_refused(name, patched(image, 16, "00000080"), errc::corrupt, 16);
  expect_refused(name, patched(image, 16, "ffffff7f"), errc::corrupt, 64);
  expect_refused(name, patched(image, 16, "03000000"), errc::corrupt, 56);
  expect_refused(name, patched(image, 24, "0101000000000000"), errc::corrupt, 24);
  auto longer = none;
  longer.push_back(std::byte{0});
  expect_refused(name, longer, errc::corrupt, 24);
}

TEST(DataSketches, SurvivesDamage) {
  expect_survives(name, from_hex(ten_dirty));
  expect_survives(name, counted_ten());
  expect_survives(name, from_hex(empty));
}

}  // namespace
}  // namespace bloomery::testing::datasketches
