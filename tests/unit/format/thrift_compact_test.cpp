#include "format/dialect/thrift_compact.hpp"

#include <string>

#include <gtest/gtest.h>

#include "hex.hpp"

namespace bloomery::format {
namespace {

using testing::from_hex;

// Whether a whole structure can be walked, skipping all of it.
bool skips(const std::string& hex) {
  const auto bytes = from_hex(hex);
  thrift_reader in(bytes);
  for (thrift_reader::field f; in.next(f);) in.skip(f.type, 1);
  return in.ok() && in.offset() == bytes.size();
}

TEST(ThriftCompact, Integers) {
  for (const auto& [hex, value] : {std::pair{"00", std::int64_t{0}},
                                   {"01", -1},
                                   {"02", 1},
                                   {"8010", 1024},
                                   {"feffffff0f", 0x7fffffff},
                                   {"82808080808080808000", 1},
                                   {"ffffffffffffffffff01", INT64_MIN}}) {
    const auto bytes = from_hex(hex);
    thrift_reader in(bytes);
    EXPECT_EQ(in.read_integer(), value);
    EXPECT_TRUE(in.ok());
  }
  // The tenth byte has one bit of the 64.
  for (const char* hex : {"", "80", "ffffffffffffffffff02", "80808080808080808002",
                          "ffffffffffffffffffff01"}) {
    const auto bytes = from_hex(hex);
    thrift_reader in(bytes);
    EXPECT_EQ(in.read_integer(), 0);
    EXPECT_FALSE(in.ok());
  }
}

TEST(ThriftCompact, FieldNumbers) {
  const auto bytes = from_hex(
      "11"
      "e1"
      "02c801"
      "11"
      "00");
  thrift_reader in(bytes);
  thrift_reader::field f;
  for (const int number : {1, 15, 100, 101}) {
    ASSERT_TRUE(in.next(f));
    EXPECT_EQ(f.number, number);
  }
  EXPECT_FALSE(in.next(f));
  EXPECT_TRUE(in.ok());
}

TEST(ThriftCompact, SkipsEveryKind) {
  EXPECT_TRUE(skips("00"));
  EXPECT_TRUE(
      skips("11121377"
            "1480"
            "01"
            "158001"
            "168001"
            "17"
            "0000000000000000"
            "00"));
  EXPECT_TRUE(
      skips("1803616263"
            "00"));
  EXPECT_TRUE(
      skips("1931"
            "010201"
            "00"));  // truth values in a list
  EXPECT_TRUE(
      skips("1af502"
            "0204"
            "00"));  // a long size, a set
  EXPECT_TRUE(
      skips("1b00"
            "1b0158"
            "0201"
            "61"
            "00"));
  EXPECT_TRUE(
      skips("1c11"
            "1c00"
            "00"
            "00"));
  EXPECT_TRUE(
      skips("1d"
            "00000000000000000000000000000000"
            "00"));
}

TEST(ThriftCompact, SizesAreNotBelieved) {
  EXPECT_FALSE(
      skips("18ff"
            "61"));
  EXPECT_FALSE(
      skips("19fcffffffff0f"
            "00"));
  EXPECT_FALSE(
      skips("1bffffffff0f55"
            "00"));
  EXPECT_FALSE(
      skips("1920"
            "0000"
            "00"));             // elements of no kind
  EXPECT_FALSE(skips("1e00"));  // no such kind
  EXPECT_FALSE(skips("10"));
  EXPECT_FALSE(skips("11"));  // never ends
  EXPECT_FALSE(
      skips("02ffffffff0f"
            "00"));  // a number of more than 16 bits
}

TEST(ThriftCompact, DepthIsBounded) {
  const auto nested = [](std::size_t depth) {
    std::string hex;
    for (std::size_t i = 0; i < depth; ++i) hex += "1c";
    for (std::size_t i = 0; i <= depth; ++i) hex += "00";
    return hex;
  };
  // The outermost one has depth 1.
  EXPECT_TRUE(skips(nested(thrift_reader::max_depth - 1)));
  EXPECT_FALSE(skips(nested(thrift_reader::max_depth)));
  // A number has no depth; a list has, though it be empty.
  const auto within = [](const std::string& field) {
    std::string hex;
    for (unsigned i = 1; i < thrift_reader::max_depth; ++i) hex += "1c";
    hex += field;
    for (unsigned i = 0; i < thrift_reader::max_depth; ++i) hex += "00";
    return hex;
  };
  EXPECT_TRUE(skips(within("1502")));
  EXPECT_FALSE(skips(within("1900")));
  EXPECT_FALSE(skips(within("1b00")));
  EXPECT_FALSE(skips(nested(1'000'000)));
  std::string lists;
  for (int i = 0; i < 1'000'000; ++i) lists += "19";
  EXPECT_FALSE(skips(lists));
}

}  // namespace
}  // namespace bloomery::format
