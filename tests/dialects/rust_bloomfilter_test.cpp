#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "hex.hpp"
#include "hostile_image.hpp"

namespace bloomery::testing::rust_bloomfilter {
namespace {

constexpr const char* name = "rust-bloomfilter";

// n = 10, p = 0.01, the seed of valkey-bloom, "k0" .. "k9" as [u8].
constexpr const char* ten_keys =
    "010c0000000000000007000000"
    "590ff522ea7811daa714d8093b3e7bd91d898a733e988887307f97cd28073383"
    "080d083bd3f322fffe5238b2";

TEST(RustBloomfilter, TheTenKeysOfTheVector) {
  EXPECT_EQ(to_hex(written(name, sized(10), numbered("k", 10))), ten_keys);
  const auto f = must(foreign_filter::decode(name, from_hex(ten_keys)));
  EXPECT_EQ(f.variant(), "v3");
  EXPECT_EQ(f.bits(), 96u);
  EXPECT_EQ(f.hashes(), 7u);
  EXPECT_EQ(count_found(f, numbered("k", 10)), 10u);
}

TEST(RustBloomfilter, EdgeKeysAreFoundInEveryForm) {
  std::vector<std::vector<std::byte>> images;
  for (const key_form form : {key_form::bytes, key_form::text, key_form::integer}) {
    auto p = sized(65);
    p.form = form;
    images.push_back(written(name, p, edge65()));
    const auto f = must(foreign_filter::decode(name, images.back(), p));
    EXPECT_EQ(count_found(f, edge65()), 65u);
  }
  EXPECT_NE(images[0], images[1]);
  EXPECT_NE(images[1], images[2]);
  EXPECT_NE(images[0], images[2]);
}

// An integer is fed as its bytes alone; "k" as a str is 'k', 0xff.
TEST(RustBloomfilter, FormsDifferOnlyInWhatIsFed) {
  auto text = sized(10), integer = sized(10);
  text.form = key_form::text;
  integer.form = key_form::integer;
  EXPECT_EQ(written(name, text, {"k"}), written(name, integer, {"k\xff"}));
  const std::string slice("\x01\0\0\0\0\0\0\0k", 9);
  EXPECT_EQ(written(name, sized(10), {"k"}), written(name, integer, {slice}));
}

TEST(RustBloomfilter, ASeedIsFourStepsOfSplitMix) {
  auto p = sized(10);
  p.seed = 0;
  const auto image = written(name, p, numbered("k", 10));
  // The first outputs of SplitMix64 from 0, little-endian.
  EXPECT_EQ(to_hex(std::span(image).subspan(13, 16)),
            "afcd1d7b39a820e2"
            "f465b9a16a9e786e");
  const auto f = must(foreign_filter::decode(name, image));
  EXPECT_EQ(f.seed(), 0xe220a8397b1dcdafu);
  EXPECT_EQ(count_found(f, numbered("k", 10)), 10u);
}

TEST(RustBloomfilter, BitsAndHashesOutright) {
  foreign_params p;
  p.bits = 80;
  p.hashes = 1;
  const auto image = written(name, p, {"k"});
  EXPECT_EQ(image.size(), 45u + 10u);
  const auto code = [](const foreign_params& q) {
    const auto f = foreign_filter::make(name, q);
    return f ? errc{} : f.error().code;
  };
  p.bits = 81;
  EXPECT_EQ(code(p), errc::invalid_argument);
  p.bits = 80;
  p.hashes.reset();
  EXPECT_EQ(code(p), errc::invalid_argument) << "no keys to take the hashes from";
  EXPECT_EQ(code(sized(0)), errc::invalid_argument);
  EXPECT_EQ(code(sized(10, 1)), errc::invalid_argument);
  EXPECT_EQ(code(sized(~std::uint64_t{0})), errc::too_large);
}

TEST(RustBloomfilter, EveryFieldIsChecked) {
  const auto image = from_hex(ten_keys);
  const auto with = [&](std::size_t at, std::size_t size, std::uint64_t v) {
    return with_number(image, at, size, v);
  };
  expect_refused(name, with(0, 1, 2), errc::unsupported, 0);
  expect_refused(name, with(1, 8, 0), errc::corrupt, 1);
  expect_refused(name, with(1, 8, 11), errc::corrupt, 45 + 11);
  expect_refused(name, with(1, 8, 13), errc::corrupt, image.size());
  expect_refused(name, with(1, 8, 1ull << 61), errc::corrupt, image.size());
  expect_refused(name, with(1, 8, ~0ull), errc::corrupt, image.size());
  expect_refused(name, with(9, 4, 0), errc::corrupt, 9);
}

TEST(RustBloomfilter, DamageIsRefusedOrAnswered) {
  EXPECT_EQ(cut_everywhere(name, from_hex(ten_keys)), 0u);
  expect_survives(name, from_hex(ten_keys));
}

TEST(RustBloomfilter, AnAbsurdNumberOfHashesIsNotAskedFor) {
  auto image = with_number(from_hex(ten_keys), 9, 4, 0xffffffff);
  std::fill(image.begin() + 45, image.end(), std::byte{0xff});
  const auto f = must(foreign_filter::decode(name, image));
  EXPECT_EQ(count_found(f, numbered("x", 1000)), 1000u);
}

TEST(RustBloomfilter, UnionsNeedTheSameSeedAndForm) {
  auto a = must(foreign_filter::make(name, sized(100)));
  auto b = must(foreign_filter::make(name, sized(100)));
  must(a.insert("a"));
  must(b.insert("b"));
  must(a.merge(b));
  EXPECT_EQ(count_found(a, {"a", "b"}), 2u);
  auto p = sized(100);
  p.seed = 1;
  EXPECT_FALSE(a.merge(must(foreign_filter::make(name, p))));
  p = sized(100);
  p.form = key_form::text;
  EXPECT_FALSE(a.merge(must(foreign_filter::make(name, p))));
}

}  // namespace
}  // namespace bloomery::testing::rust_bloomfilter
