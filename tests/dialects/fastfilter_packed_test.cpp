// FastFilter's packed fuse filters: slots that are 0 are left out.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "hostile_image.hpp"
#include "test_key.hpp"

namespace bloomery::testing::fastfilter_packed {
namespace {

// A fuse filter as the owner shapes it for 65 keys, with fingerprints of no keys; half of
// them are 0.
struct fuse_image {
  image_bytes plain, packed;
};

fuse_image of_width(std::size_t width) {
  constexpr std::size_t segment = 32, segments = 2, slots = (segments + 2) * segment;
  random from(width);
  fuse_image out;
  const auto put = [](image_bytes& to, std::uint64_t v, std::size_t size) {
    const std::size_t at = to.size();
    to.resize(at + size);
    to = with_number(std::move(to), at, size, v);
  };
  for (image_bytes* to : {&out.plain, &out.packed}) {
    put(*to, 0x0123456789abcdef, 8);
    put(*to, 65, 4);
  }
  for (const std::size_t n : {segment, segments, segments * segment, slots})
    put(out.plain, n, 4);
  image_bytes map(slots / 8), prints;
  for (std::size_t i = 0; i < slots; ++i) {
    const std::uint64_t print = (from.next() & 1) == 0 ? 0 : 1 + from.below(255);
    put(out.plain, print, width);
    if (print == 0) continue;
    map[i / 8] |= static_cast<std::byte>(1u << (i % 8));
    put(prints, print, width);
  }
  out.packed.insert(out.packed.end(), map.begin(), map.end());
  out.packed.insert(out.packed.end(), prints.begin(), prints.end());
  return out;
}

TEST(FastFilterPacked, AnswersAsThePlainOne) {
  for (const std::size_t width : {1u, 2u}) {
    const auto bytes = of_width(width);
    const auto plain = must(foreign_filter::decode("fastfilter", bytes.plain));
    const auto packed = must(foreign_filter::decode("fastfilter", bytes.packed));
    EXPECT_EQ(plain.variant(), width == 1 ? "fuse8" : "fuse16");
    EXPECT_EQ(packed.variant(), width == 1 ? "packed8" : "packed16");
    EXPECT_EQ(packed.fill(), plain.fill());
    std::size_t found = 0;
    for (const auto& k : numbered("k", 300'000)) {
      const bool present = plain.may_contain(k);
      ASSERT_EQ(packed.may_contain(k), present) << k;
      found += present;
    }
    EXPECT_GT(found, 0u);
  }
}

// Without a fingerprint the two widths have the same bytes.
TEST(FastFilterPacked, OfNoFingerprintsFindsWhatEitherWidthWould) {
  const image_bytes bytes(12 + 2);
  EXPECT_EQ(must(foreign_filter::decode("fastfilter", bytes)).variant(), "packed8");
  const auto narrow = must(foreign_filter::decode("fastfilter", bytes, as("packed8")));
  const auto wide = must(foreign_filter::decode("fastfilter", bytes, as("packed16")));
  std::size_t found = 0;
  for (const auto& k : numbered("k", 300'000)) {
    EXPECT_LE(wide.may_contain(k), narrow.may_contain(k));
    found += wide.may_contain(k);
  }
  EXPECT_GT(found, 0u);
}

TEST(FastFilterPacked, SurvivesAbuse) {
  expect_survives("fastfilter", of_width(2).packed, as("packed16"));
  expect_survives("fastfilter", of_width(2).packed);
}

}  // namespace
}  // namespace bloomery::testing::fastfilter_packed
