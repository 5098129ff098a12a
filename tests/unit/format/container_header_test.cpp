// The 128 bytes at the front, each where spec/container.md puts it.
#include <bloomery/block_bloom.hpp>
#include <bloomery/container.hpp>

#include <cstring>

#include <gtest/gtest.h>

#include "base/byte_writer.hpp"
#include "base/crc32c.hpp"
#include "hex.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

std::vector<std::byte> small_container() {
  const auto ks = keys(1, 20);
  const auto f = must(block_bloom::build(ks, {.keys = 25, .hasher = hasher::xxh3(7)}));
  const write_notes notes{
      .asked_fpr = 0.01, .keys = 20, .sentinels = std::span(ks).first(0)};
  const auto bytes = must(encode_container(f, notes));
  return {bytes.bytes().begin(), bytes.bytes().end()};
}

// Writes `value` at `at` and makes the header's checksum right again.
template <class T>
std::vector<std::byte> with(std::vector<std::byte> file, std::size_t at, T value) {
  base::byte_writer(std::span(file).subspan(at)).write(value);
  base::byte_writer(std::span(file).subspan(124))
      .write(base::crc32c(std::span(file).first(124)));
  return file;
}

error refusal(const std::vector<std::byte>& file) {
  const auto f = inspect(file, file.size());
  EXPECT_FALSE(f);
  return f ? error{} : f.error();
}

TEST(ContainerHeader, SaysWhatTheFilterIs) {
  const auto file = small_container();
  const auto f = must(inspect(file, file.size()));
  EXPECT_EQ(f.version, 1);
  EXPECT_EQ(f.kind, container_kind::block);
  EXPECT_EQ(f.profile, block_profile::line);
  EXPECT_EQ(f.hash, hash_id::xxh3);
  EXPECT_EQ(f.seed, 7u);
  EXPECT_EQ(f.hash_check, hasher::xxh3(7).check());
  EXPECT_EQ(f.hashes, 8u);
  EXPECT_EQ(f.capacity, 25u);
  EXPECT_EQ(f.keys, 20u);
  EXPECT_EQ(f.asked_fpr, 0.01);
  EXPECT_EQ(f.payload_at, 128u);
  EXPECT_EQ(f.payload_bytes, 64 * f.units);
  EXPECT_EQ(f.chunks(), 1u);
  EXPECT_EQ(f.file_bytes(), file.size());
  EXPECT_STREQ(name_of(f.kind), "block");
}

TEST(ContainerHeader, BytesLieWhereTheSpecificationSays) {
  const auto file = small_container();
  EXPECT_EQ(to_hex(std::span(file).first(8)), "89424c4d0d0a1a0a");
  EXPECT_EQ(to_hex(std::span(file).subspan(8, 12)),
            "010002020000000001"
            "0c0000");
  EXPECT_EQ(to_hex(std::span(file).subspan(20, 4)), "08000000");
  EXPECT_EQ(to_hex(std::span(file).subspan(32, 8)), "0700000000000000");
  EXPECT_EQ(to_hex(std::span(file).subspan(56, 8)), "1900000000000000");
  EXPECT_EQ(to_hex(std::span(file).subspan(64, 8)), "1400000000000000");
  EXPECT_EQ(to_hex(std::span(file).subspan(72, 8)), "8000000000000000");
  EXPECT_EQ(to_hex(std::span(file).subspan(100, 24)), std::string(48, '0'));
}

TEST(ContainerHeader, WhatIsUnknownIsRefusedByName) {
  const auto file = small_container();
  struct {
    error e;
    std::size_t at;
    double asked;
  } const cases[] = {
      {refusal(with(file, 8, std::uint16_t{2})), 8, 2},
      {refusal(with(file, 10, std::uint8_t{77})), 10, 77},
      {refusal(with(file, 12, std::uint32_t{4})), 12, 4},
      {refusal(with(file, 16, std::uint8_t{9})), 16, 9},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(c.e.code, errc::unsupported) << c.at;
    EXPECT_EQ(c.e.at, c.at);
    EXPECT_EQ(c.e.asked, c.asked);
  }
}

// Flags of the upper half may be ignored, and may explain the reserved bytes.
TEST(ContainerHeader, LaterReadersMayBeIgnored) {
  const auto file = small_container();
  EXPECT_EQ(refusal(with(file, 100, std::uint64_t{1})).at, 100u);
  auto later = with(file, 12, std::uint32_t{0x10000});
  later = with(later, 100, std::uint64_t{1});
  const auto f = block_bloom::decode(later);
  ASSERT_TRUE(f);
  for (const key k : keys(1, 20)) EXPECT_TRUE(f->may_contain(k));
}

TEST(ContainerHeader, EveryContradictionIsRefusedWithItsPlace) {
  const auto file = small_container();
  struct {
    std::vector<std::byte> file;
    std::size_t at;
  } const cases[] = {
      {with(file, 11, std::uint8_t{9}), 11},
      {with(file, 17, std::uint8_t{13}), 17},
      {with(file, 18, std::uint8_t{9}), 18},
      {with(file, 19, std::uint8_t{2}), 19},
      {with(file, 20, std::uint32_t{7}), 20},
      {with(file, 24, std::uint64_t{0}), 24},
      {with(file, 24, std::uint64_t{1} << 60), 24},
      {with(file, 24, std::uint64_t{5}), 80},
      {with(file, 48, std::uint64_t{0x7ff8000000000000}), 48},
      {with(file, 72, std::uint64_t{4096}), 72},
      {with(file, 80, ~std::uint64_t{0}), file.size()},
      {with(file, 80, ~std::uint64_t{0} - 127), file.size()},
      {with(file, 88, ~std::uint64_t{0}), 88},
      {with(file, 96, ~std::uint32_t{0}), file.size()},
  };
  for (const auto& c : cases) {
    const error e = refusal(c.file);
    EXPECT_EQ(e.code, errc::corrupt) << c.at << " " << e.what;
    EXPECT_EQ(e.at, c.at) << e.what;
  }
}

TEST(ContainerHeader, IsReadBeforeAnythingElse) {
  auto file = small_container();
  const std::vector<std::byte> head(file.begin(), file.begin() + 128);
  EXPECT_TRUE(inspect(head, file.size()));
  EXPECT_EQ(inspect(head, file.size() - 1).error().code, errc::corrupt);
  EXPECT_EQ(inspect(std::span(head).first(127), file.size()).error().at, 127u);
  EXPECT_EQ(inspect("/nonexistent").error().code, errc::io);
}

}  // namespace
}  // namespace bloomery::testing
