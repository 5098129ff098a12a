// The portable dialect's bytes, well-formed and not.
#include <bloomery/portable_bloom.hpp>

#include <string>

#include <gtest/gtest.h>

#include <bloomery/detail/kind/portable/format.hpp>

#include "all_filters.hpp"
#include "ask.hpp"
#include "hex.hpp"
#include "process_memory.hpp"
#include "test_key.hpp"
#include "textbook.hpp"

namespace bloomery {
namespace {

using testing::encoded;
using testing::from_hex;
using testing::must;
using testing::to_hex;

// A header of k and m, and `body` bytes 0xff.
std::vector<std::byte> file(std::uint32_t hashes, std::uint64_t bits, std::size_t body) {
  const auto head = portable_header({bits, hashes});
  std::vector<std::byte> out(head.begin(), head.end());
  out.resize(out.size() + body, std::byte{0xff});
  return out;
}

void expect_corrupt(std::span<const std::byte> bytes, std::uint64_t at) {
  const auto f = portable_bloom::decode(bytes);
  ASSERT_FALSE(f);
  EXPECT_EQ(f.error().code, errc::corrupt) << f.error().what;
  EXPECT_EQ(f.error().at, at) << f.error().what;
}

TEST(PortableCodec, TenKeysGiveThePublishedBytes) {
  auto f = must(portable_bloom::make({.keys = 10, .fpr = 0.01}));
  for (const std::string& s : testing::numbered("k", 10)) f.insert(s);
  EXPECT_EQ(to_hex(encoded(f)), "070000006000000000000000dd93738e46625dd24738197f");
}

TEST(PortableCodec, HeaderIsLittleEndian) {
  EXPECT_EQ(to_hex(portable_header({0x1122334455667788, 0x99aabbcc})),
            "ccbbaa998877665544332211");
}

TEST(PortableCodec, NoHashesOrNoBitsAreRefused) {
  expect_corrupt(file(0, 8, 1), 0);
  expect_corrupt(file(0, 0, 0), 0);
  expect_corrupt(file(1, 0, 0), 4);
  expect_corrupt(file(1, 0, 5), 4);
}

TEST(PortableCodec, MoreThanThirtyHashesAreRead) {
  for (const std::uint32_t k : {31u, 100u, 65536u, 0x80000000u, 0xffffffffu}) {
    const auto f = portable_bloom::decode(file(k, 24, 3));
    ASSERT_TRUE(f) << k;
    EXPECT_EQ(f->hashes(), k);
    EXPECT_EQ(testing::count_maybe(testing::ask(*f, testing::keys(1, 100))), 100u);
    EXPECT_EQ(f->realised_fpr(), 1);
    EXPECT_EQ(encoded(*f), file(k, 24, 3));
  }
}

// Positions repeat after m steps, so walking min(k, m) of them gives the same bits.
TEST(PortableCodec, AbsurdlyManyHashesSetTheSameBitsAsAllOfThem) {
  for (const std::uint64_t bits : {1u, 2u, 6u, 7u, 12u, 97u}) {
    auto f = must(portable_bloom::make(bloom_layout{bits, 0xffffffff}));
    testing::textbook_bloom want(bits, 1000);  // many rounds of every cycle
    for (const key k : testing::keys(bits, 3)) f.insert(k), want.insert(k);
    EXPECT_EQ(to_hex(f.bytes()), to_hex(want.bytes())) << bits;
  }
}

// A header's word alone must not make the reader allocate, not even address space.
TEST(PortableCodec, ForgedSizesAllocateNothing) {
  const std::uint64_t before = testing::process_kib("VmPeak:");
  for (const std::uint64_t bits :
       {std::uint64_t{1} << 35, std::uint64_t{1} << 40, std::uint64_t{1} << 62,
        std::uint64_t{1} << 63, (std::uint64_t{1} << 63) + 1, ~std::uint64_t{0} - 7,
        ~std::uint64_t{0}}) {
    SCOPED_TRACE(bits);
    expect_corrupt(file(7, bits, 0), 12);
    expect_corrupt(file(7, bits, 9), 21);
  }
  EXPECT_LE(testing::process_kib("VmPeak:"), before + 1024);
}

TEST(PortableCodec, InspectBelievesTheFileSizeOnlyIfItMatches) {
  const auto head = portable_header({100, 3});
  EXPECT_EQ(must(inspect_portable(head, 12 + 13)), (bloom_layout{100, 3}));
  EXPECT_FALSE(inspect_portable(head, 12 + 12));
  EXPECT_FALSE(inspect_portable(head, 12 + 14));
  EXPECT_FALSE(inspect_portable(std::span(head).first(11), 11));
  // m = 2^64 - 1 needs 2^61 bytes; a sparse file may claim them.
  const auto huge = portable_header({~std::uint64_t{0}, 3});
  EXPECT_TRUE(inspect_portable(huge, (std::uint64_t{1} << 61) + 12));
  EXPECT_FALSE(portable_bloom::make(bloom_layout{~std::uint64_t{0}, 3}));
}

TEST(PortableCodec, BitsBeyondTheLastAreKeptReportedAndNotCounted) {
  const auto bytes = from_hex(
      "01000000"
      "0900000000000000"
      "00fe");
  const auto f = portable_bloom::decode(bytes);
  ASSERT_TRUE(f);
  EXPECT_FALSE(f->padding_is_clear());
  EXPECT_EQ(f->ones(), 0u);
  EXPECT_EQ(f->fill(), 0);
  EXPECT_EQ(f->realised_fpr(), 0);
  EXPECT_EQ(f->estimated_keys(), 0);
  EXPECT_EQ(encoded(*f), bytes);

  for (const std::uint64_t bits : {1u, 7u, 8u, 9u, 16u, 1001u}) {
    auto clean = must(portable_bloom::make(bloom_layout{bits, 3}));
    for (const key k : testing::keys(1, 500)) clean.insert(k);
    EXPECT_TRUE(clean.padding_is_clear()) << bits;
  }
}

TEST(PortableCodec, TheFileDoesNotRecordTheCapacity) {
  const auto f = must(portable_bloom::make({.keys = 1000, .fpr = 0.01}));
  EXPECT_EQ(f.capacity(), 1000u);
  EXPECT_EQ(must(portable_bloom::decode(encoded(f))).capacity(), 0u);
}

}  // namespace
}  // namespace bloomery
