#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "hex.hpp"
#include "hostile_image.hpp"

namespace bloomery::testing::redisbloom {
namespace {

constexpr const char* name = "redisbloom";

// Capacity 10, error 0.01, "k0" .. "k9": header and chunk.
constexpr const char* ten_keys =
    "0a00000000000000010000000500000002000000100000000000000080000000000000000a0000000000"
    "00007b14ae47e17a743fe9862fb2350e2640080000000a0000000000000000"
    "baaa38499326b2a0543536693a26f56b";
// Capacity 16, the same keys.
constexpr const char* ten_keys_cuckoo =
    "0a00000000000000080000000000000000000000000000000100000000000000020014000100"
    "2f007692d0004c8922000000e86b3200";

TEST(RedisBloom, TheTenKeysOfTheVector) {
  EXPECT_EQ(to_hex(written(name, sized(10), numbered("k", 10))), ten_keys);
  const auto f = must(foreign_filter::decode(name, from_hex(ten_keys)));
  EXPECT_EQ(f.variant(), "scaling");
  EXPECT_EQ(f.hash(), "murmur64a");
  EXPECT_EQ(f.bits(), 128u);
  EXPECT_EQ(f.hashes(), 8u);
  EXPECT_EQ(f.capacity(), 10u);
  EXPECT_EQ(f.parts(), 1u);
  EXPECT_EQ(count_found(f, numbered("k", 10)), 10u);
}

TEST(RedisBloom, TheCuckooVector) {
  const auto f = must(foreign_filter::decode(name, from_hex(ten_keys_cuckoo)));
  EXPECT_EQ(f.variant(), "cuckoo");
  EXPECT_EQ(f.parts(), 1u);
  EXPECT_EQ(count_found(f, numbered("k", 10)), 10u);
  EXPECT_EQ(f.estimated_keys(), 10);
  EXPECT_GT(f.realised_fpr(), 0);
  EXPECT_EQ(to_hex(must(f.encode()).bytes()), ten_keys_cuckoo);
}

TEST(RedisBloom, CuckooIsOnlyRead) {
  const auto made = foreign_filter::make(name, sized(10, 0.01, "cuckoo"));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, errc::unsupported);
  auto read = must(foreign_filter::decode(name, from_hex(ten_keys_cuckoo)));
  const auto inserted = read.insert("k");
  ASSERT_FALSE(inserted);
  EXPECT_EQ(inserted.error().code, errc::unsupported);
  const auto merged =
      read.merge(must(foreign_filter::decode(name, from_hex(ten_keys_cuckoo))));
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().code, errc::unsupported);
}

TEST(RedisBloom, EdgeKeysAreFoundInEveryVariantThroughGrowth) {
  for (const char* variant : {"scaling", "legacy32", "legacy64"}) {
    SCOPED_TRACE(variant);
    const auto image = written(name, sized(3, 0.01, variant), edge65());
    const auto f = must(foreign_filter::decode(name, image));
    EXPECT_EQ(f.variant(), variant);
    EXPECT_GT(f.parts(), 2u);
    EXPECT_EQ(count_found(f, edge65()), 65u);
    EXPECT_EQ(to_hex(must(f.encode()).bytes()), to_hex(image));
    EXPECT_NEAR(f.estimated_keys(), 65, 20);
    std::uint64_t bits = 0, end = 20 + 53 * f.parts();
    for (std::uint64_t i = 0; i < f.parts(); ++i) {
      const auto part = f.part(i);
      EXPECT_EQ(part.name, "link " + std::to_string(i));
      EXPECT_EQ(part.offset, end);
      end += part.length;
      bits += part.bits;
    }
    EXPECT_EQ(end, image.size());
    EXPECT_EQ(bits, f.bits());
  }
}

TEST(RedisBloom, AKeyThatIsFoundIsNotCountedAgain) {
  auto f = must(foreign_filter::make(name, sized(2)));
  must(f.insert("a"));
  const auto once = to_hex(f.bytes());
  for (int i = 0; i < 10; ++i) must(f.insert("a"));
  EXPECT_EQ(to_hex(f.bytes()), once);
  EXPECT_EQ(f.parts(), 1u);
}

TEST(RedisBloom, AFilterThatDoesNotScaleFills) {
  auto f = must(foreign_filter::make(name, sized(2, 0.001, "nonscaling")));
  must(f.insert("a"));
  must(f.insert("b"));
  const auto full = to_hex(f.bytes());
  const auto third = f.insert("c");
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, errc::unattainable);
  EXPECT_EQ(to_hex(f.bytes()), full);
  EXPECT_TRUE(f.insert("a")) << "found already: nothing to add";
  EXPECT_EQ(count_found(f, {"a", "b"}), 2u);
}

TEST(RedisBloom, RatesAreCappedAtAQuarter) {
  EXPECT_EQ(written(name, sized(100, 0.9), {}), written(name, sized(100, 0.25), {}));
  EXPECT_NE(written(name, sized(100, 0.25), {}), written(name, sized(100, 0.24), {}));
}

TEST(RedisBloom, SizesThatItDoesNotKnowAreRefused) {
  const auto code = [](const foreign_params& p) {
    const auto f = foreign_filter::make(name, p);
    return f ? errc{} : f.error().code;
  };
  EXPECT_EQ(code(sized(0)), errc::invalid_argument);
  EXPECT_EQ(code(sized(10, 0)), errc::invalid_argument);
  EXPECT_EQ(code(sized(10, std::nan(""))), errc::invalid_argument);
  EXPECT_EQ(code(sized(~std::uint64_t{0})), errc::too_large);
  auto p = sized(10);
  p.growth = 0;
  EXPECT_EQ(code(p), errc::invalid_argument);
  p = sized(10);
  p.bits = 64;
  EXPECT_EQ(code(p), errc::invalid_argument);
}

TEST(RedisBloom, ANamedVariantMustBeThatOfTheBytes) {
  const auto image = from_hex(ten_keys);
  EXPECT_TRUE(foreign_filter::decode(name, image, as("scaling")));
  expect_refused(name, image, errc::invalid_argument, 0, as("legacy32"));
  EXPECT_FALSE(foreign_filter::decode(name, image, as("cuckoo")));
  EXPECT_FALSE(foreign_filter::decode(name, from_hex(ten_keys_cuckoo), as("scaling")));
}

TEST(RedisBloom, EveryFieldOfAChainIsChecked) {
  const auto image = from_hex(ten_keys);
  const auto o = as("scaling");
  const auto with = [&](std::size_t at, std::size_t size, std::uint64_t v) {
    return with_number(image, at, size, v);
  };
  const auto real = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  constexpr auto nan = std::numeric_limits<double>::quiet_NaN();
  constexpr auto inf = std::numeric_limits<double>::infinity();
  expect_refused(name, with(0, 8, 11), errc::corrupt, 0, o);
  expect_refused(name, with(0, 8, 9), errc::corrupt, 0, o);
  expect_refused(name, with(8, 4, 0), errc::corrupt, 8, o);
  expect_refused(name, with(8, 4, 0xffffffff), errc::corrupt, image.size(), o);
  expect_refused(name, with(12, 4, 16 + 5), errc::corrupt, 12, o);
  expect_refused(name, with(20, 8, 17), errc::corrupt, 28, o);
  expect_refused(name, with(28, 8, 127), errc::corrupt, 28, o);
  expect_refused(name, with(28, 8, 0), errc::corrupt, 28, o);
  // Bytes and bits that agree modulo 2^64 only.
  expect_refused(name, with_number(with(20, 8, (1ull << 61) + 16), 28, 8, 128),
                 errc::corrupt, 28, o);
  // Both larger than the file.
  expect_refused(name, with_number(with(20, 8, 1ull << 60), 28, 8, 1ull << 63),
                 errc::corrupt, image.size(), o);
  expect_refused(name, with_number(with(20, 8, 8), 28, 8, 64), errc::corrupt,
                 image.size() - 8, o);
  expect_refused(name, with(36, 8, 11), errc::corrupt, 0, o);
  expect_refused(name, with(36, 8, ~0ull), errc::corrupt, 0, o);
  for (const double error : {0.0, 1.0, -0.5, nan, inf})
    expect_refused(name, with(44, 8, real(error)), errc::corrupt, 44, o);
  for (const double bits_per_key : {nan, inf, -inf, 1e300, 20.0})
    expect_refused(name, with(52, 8, real(bits_per_key)), errc::corrupt, 60, o);
  expect_refused(name, with(60, 4, 9), errc::corrupt, 60, o);
  expect_refused(name, with(60, 4, 0xffffffff), errc::corrupt, 60, o);
  expect_refused(name, with(72, 1, 8), errc::corrupt, 72, o);
  expect_refused(name, with(72, 1, 64), errc::corrupt, 72, o);
  expect_refused(name, with(72, 1, 255), errc::corrupt, 72, o);
}

TEST(RedisBloom, EveryFieldOfACuckooFilterIsChecked) {
  const auto image = from_hex(ten_keys_cuckoo);
  const auto o = as("cuckoo");
  const auto with = [&](std::size_t at, std::size_t size, std::uint64_t v) {
    return with_number(image, at, size, v);
  };
  expect_refused(name, with(8, 8, 0), errc::corrupt, 8, o);
  expect_refused(name, with(8, 8, 7), errc::corrupt, 8, o);
  expect_refused(name, with(8, 8, 16), errc::corrupt, image.size(), o);
  expect_refused(name, with(8, 8, 1ull << 63), errc::corrupt, image.size(), o);
  expect_refused(name, with(8, 8, 4), errc::corrupt, image.size() - 8, o);
  expect_refused(name, with(24, 8, 0), errc::corrupt, 24, o);
  expect_refused(name, with(24, 8, 2), errc::corrupt, image.size(), o);
  expect_refused(name, with(24, 8, 65536), errc::corrupt, 24, o);
  expect_refused(name, with(32, 2, 0), errc::corrupt, 32, o);
  expect_refused(name, with(32, 2, 65535), errc::corrupt, image.size(), o);
  expect_refused(name, with(36, 2, 3), errc::corrupt, 36, o);
  // It does not grow, yet has grown.
  expect_refused(name, with_number(with(36, 2, 0), 24, 8, 2), errc::corrupt, 36, o);
  // Expansion beyond 2^64.
  expect_refused(name, with_number(with(36, 2, 32768), 24, 8, 65535), errc::corrupt,
                 image.size(), o);
  EXPECT_TRUE(foreign_filter::decode(name, with(36, 2, 0), o));
}

TEST(RedisBloom, ShorterImagesAreRefused) {
  EXPECT_EQ(cut_everywhere(name, from_hex(ten_keys)), 0u);
  EXPECT_EQ(cut_everywhere(name, from_hex(ten_keys_cuckoo)), 0u);
  EXPECT_EQ(cut_everywhere(name, written(name, sized(2), numbered("k", 10))), 0u);
  auto longer = from_hex(ten_keys);
  longer.emplace_back();
  expect_refused(name, longer, errc::corrupt, longer.size() - 1, as("scaling"));
}

TEST(RedisBloom, EveryFlippedBitIsRefusedOrAnswered) {
  expect_survives(name, from_hex(ten_keys));
  expect_survives(name, from_hex(ten_keys_cuckoo));
  expect_survives(name, written(name, sized(2), numbered("k", 6)));
  expect_survives(name, written(name, sized(2, 0.01, "legacy32"), numbered("k", 6)));
}

TEST(RedisBloom, AnAbsurdNumberOfHashesIsNotAskedFor) {
  // k = 2^31 with the bits per key that go with it, all bits set: asked in no time.
  auto image = from_hex(ten_keys);
  const double bits_per_key = 0x1p31 / 0.693147180559945 * (1 - 1e-12);
  image = with_number(image, 52, 8, std::bit_cast<std::uint64_t>(bits_per_key));
  image = with_number(
      image, 60, 4,
      static_cast<std::uint64_t>(std::ceil(0.693147180559945 * bits_per_key)));
  std::fill(image.begin() + 73, image.end(), std::byte{0xff});
  auto f = must(foreign_filter::decode(name, image));
  EXPECT_EQ(count_found(f, numbered("x", 1000)), 1000u);
  // With a bit that is not set, so that there is something to insert.
  image[73] = std::byte{0};
  f = must(foreign_filter::decode(name, with_number(image, 64, 8, 20)));
  const auto inserted = f.insert("x");
  ASSERT_FALSE(inserted);
  EXPECT_EQ(inserted.error().code, errc::unsupported);
}

TEST(RedisBloom, NoHashesMatchEverything) {
  auto image = with_number(from_hex(ten_keys), 52, 8, 0);
  image = with_number(image, 60, 4, 0);
  const auto f = must(foreign_filter::decode(name, image));
  EXPECT_TRUE(f.may_contain("anything"));
  EXPECT_EQ(f.estimated_keys(), 0);
}

TEST(RedisBloom, AChainThatCannotGrowSaysSo) {
  const auto full = from_hex(ten_keys);
  const auto growing = [&](std::vector<std::byte> image) {
    auto f = must(foreign_filter::decode(name, image));
    for (const std::string& k : numbered("y", 100))
      if (const auto ok = f.insert(k); !ok) return ok.error().code;
    return errc{};
  };
  EXPECT_EQ(growing(full), errc{});
  EXPECT_EQ(growing(with_number(full, 16, 4, 0)), errc::unattainable);
  EXPECT_EQ(growing(with_number(full, 12, 4, 7)), errc::unsupported);
  EXPECT_EQ(growing(with_number(full, 44, 8, 1)), errc::unattainable) << "least double";
  // 2^63 entries that are all taken.
  auto vast = with_number(full, 64, 8, 1ull << 63);
  vast = with_number(with_number(vast, 36, 8, 1ull << 63), 0, 8, 1ull << 63);
  EXPECT_EQ(growing(vast), errc::too_large);
  auto counted = with_number(with_number(full, 36, 8, ~0ull), 0, 8, ~0ull);
  EXPECT_EQ(growing(counted), errc::unattainable);
}

TEST(RedisBloom, AUnionFindsTheKeysOfBoth) {
  auto a = must(foreign_filter::make(name, sized(100)));
  auto b = must(foreign_filter::make(name, sized(100)));
  for (const auto& k : numbered("a", 40)) must(a.insert(k));
  for (const auto& k : numbered("b", 40)) must(b.insert(k));
  must(a.merge(b));
  EXPECT_EQ(count_found(a, numbered("a", 40)), 40u);
  EXPECT_EQ(count_found(a, numbered("b", 40)), 40u);
  const auto again = must(foreign_filter::decode(name, a.bytes()));
  EXPECT_EQ(count_found(again, numbered("b", 40)), 40u);
  const auto other = a.merge(must(foreign_filter::make(name, sized(101))));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, errc::incompatible);
}

TEST(RedisBloom, DamagedCellsAnswerPerhaps) {
  const std::vector<std::uint64_t> second{2};  // chunk 1
  // Chunks of 128 bytes: the header of a chain, then some of its cells.
  auto chain = must(foreign_filter::make(name, sized(100)));
  for (const auto& k : numbered("k", 100)) must(chain.insert(k));
  auto blank = copy_of(chain.bytes());
  std::fill(blank.begin() + 128, blank.end(), std::byte{0});
  auto f = must(foreign_filter::decode(name, blank));
  EXPECT_LT(count_found(f, numbered("k", 100)), 100u);
  must(f.mark_damaged(second, 7));
  EXPECT_EQ(count_found(f, numbered("k", 100)), 100u);
  EXPECT_FALSE(f.mark_damaged(std::vector<std::uint64_t>{1}, 7)) << "its header";

  // The last 6 of 16 slots of the cuckoo filter, in chunks of 16 bytes after 38.
  auto slots = from_hex(ten_keys_cuckoo);
  std::fill(slots.begin() + 48, slots.end(), std::byte{0});
  auto cuckoo = must(foreign_filter::decode(name, slots));
  EXPECT_LT(count_found(cuckoo, numbered("k", 10)), 10u);
  must(cuckoo.mark_damaged(std::vector<std::uint64_t>{8}, 4));
  EXPECT_EQ(count_found(cuckoo, numbered("k", 10)), 10u);
}

TEST(RedisBloom, CouldBe) {
  const auto likeness_of = [](std::span<const std::byte> bytes) {
    for (std::size_t i = 0; i < dialect_count(); ++i)
      if (dialect_at(i).name == name) return could_be(i, bytes);
    throw std::runtime_error("no such dialect");
  };
  EXPECT_EQ(likeness_of(from_hex(ten_keys)), likeness::possible);
  EXPECT_EQ(likeness_of(from_hex(ten_keys_cuckoo)), likeness::possible);
  EXPECT_EQ(likeness_of(from_hex("00")), likeness::no);
}

}  // namespace
}  // namespace bloomery::testing::redisbloom
