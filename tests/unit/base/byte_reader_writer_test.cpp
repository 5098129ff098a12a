#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "hex.hpp"

namespace bloomery::base {
namespace {

TEST(ByteWriter, WritesLittleEndian) {
  std::array<std::byte, 17> out{};
  byte_writer w(out);
  w.write(std::uint8_t{0xab});
  w.write(std::uint16_t{0x0102});
  w.write(std::uint32_t{0x03040506});
  w.write(std::uint64_t{0x0708090a0b0c0d0e});
  EXPECT_EQ(w.offset(), 15u);
  const std::array tail{std::byte{0xfe}, std::byte{0xff}};
  w.write(tail);
  EXPECT_EQ(w.offset(), 17u);
  EXPECT_EQ(testing::to_hex(out), "ab0201060504030e0d0c0b0a090807feff");
}

TEST(ByteWriter, AcceptsNoBytesAtTheEnd) {
  std::array<std::byte, 1> out{};
  byte_writer w(out);
  w.write(std::uint8_t{1});
  w.write(std::span<const std::byte>());
  EXPECT_EQ(w.offset(), 1u);
}

TEST(ByteReader, ReadsWhatTheWriterWrote) {
  const auto bytes = testing::from_hex("ab0201060504030e0d0c0b0a090807feff");
  byte_reader r(bytes);
  EXPECT_EQ(r.read<std::uint8_t>(), 0xab);
  EXPECT_EQ(r.read<std::uint16_t>(), 0x0102);
  EXPECT_EQ(r.read<std::uint32_t>(), 0x03040506u);
  EXPECT_EQ(r.read<std::uint64_t>(), 0x0708090a0b0c0d0eu);
  EXPECT_EQ(r.offset(), 15u);
  EXPECT_EQ(r.left(), 2u);
  EXPECT_EQ(testing::to_hex(r.take(2)), "feff");
  EXPECT_TRUE(r.ok());
  EXPECT_EQ(r.left(), 0u);
}

TEST(ByteReader, HighBytesDoNotSpread) {
  const std::vector<std::byte> ones(8, std::byte{0xff});
  EXPECT_EQ(byte_reader(ones).read<std::uint16_t>(), 0xffff);
  EXPECT_EQ(byte_reader(ones).read<std::uint32_t>(), 0xffffffffu);
  EXPECT_EQ(byte_reader(ones).read<std::uint64_t>(), ~std::uint64_t{0});
}

TEST(ByteReader, FailureIsSticky) {
  const std::vector<std::byte> three(3, std::byte{1});
  byte_reader r(three);
  EXPECT_EQ(r.read<std::uint32_t>(), 0u);
  EXPECT_FALSE(r.ok());
  EXPECT_EQ(r.offset(), 0u);             // nothing was consumed
  EXPECT_EQ(r.read<std::uint8_t>(), 0);  // although one byte would be there
  EXPECT_TRUE(r.take(0).empty());
  EXPECT_FALSE(r.ok());
}

TEST(ByteReader, OfNothing) {
  byte_reader r({});
  EXPECT_TRUE(r.ok());
  EXPECT_EQ(r.left(), 0u);
  EXPECT_TRUE(r.take(0).empty());
  EXPECT_TRUE(r.ok());
  EXPECT_EQ(r.read<std::uint8_t>(), 0);
  EXPECT_FALSE(r.ok());
}

}  // namespace
}  // namespace bloomery::base
