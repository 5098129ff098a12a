// The filters in a Parquet file.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/foreign_filter.hpp>

#include "fixtures.hpp"
#include "hex.hpp"
#include "hostile_image.hpp"
#include "must.hpp"
#include "parquet_images.hpp"
#include "test_key.hpp"

namespace bloomery::testing::parquet_file {
namespace {

image_bytes filter_of(const std::vector<std::string>& keys, std::uint64_t bytes = 64) {
  foreign_params p;
  p.bits = 8 * bytes;
  auto f = must(foreign_filter::make("parquet", p));
  for (const auto& k : keys) must(f.insert(k));
  return {f.bytes().begin(), f.bytes().end()};
}

std::size_t parquet() {
  std::size_t i = 0;
  while (dialect_at(i).name != "parquet") ++i;
  return i;
}

// Two row groups; the second column of each has no filter.
image_bytes sample() {
  return parquet_image({{{.path = "id", .filter = filter_of({"a"})}, {.path = "none"}},
                        {{.path = "id", .filter = filter_of({"b"}, 96)},
                         {.path = "none"},
                         {.path = "list.element.name",
                          .filter = filter_of({"c"}),
                          .with_length = false}}});
}

TEST(ParquetFile, FiltersAreItsParts) {
  const auto image = sample();
  EXPECT_EQ(could_be(parquet(), image), likeness::certain);
  const auto f = must(foreign_filter::decode("parquet", image));
  EXPECT_EQ(f.variant(), "file");
  ASSERT_EQ(f.parts(), 3u);
  EXPECT_STREQ(f.part(0).name, "row group 0, column id");
  EXPECT_STREQ(f.part(1).name, "row group 1, column id");
  EXPECT_STREQ(f.part(2).name, "row group 1, column list.element.name");
  EXPECT_EQ(f.part(1).length, 96u);
  EXPECT_EQ(f.part(1).bits, 768u);
  EXPECT_EQ(f.part(0).offset, 20u + 16);
  EXPECT_EQ(f.bits(), 8u * (64 + 96 + 64));
  for (const char* k : {"a", "b", "c"}) EXPECT_TRUE(f.may_contain(k));
  EXPECT_FALSE(f.may_contain("NOT_EXISTS"));
  EXPECT_NEAR(f.estimated_keys(), 3, 0.2);
  EXPECT_TRUE(std::ranges::equal(must(f.encode()).bytes(), image));
  EXPECT_EQ(f.encode("bitset").error().code, errc::unsupported);
}

TEST(ParquetFile, OnePartIsAskedAndTakenOut) {
  const auto image = sample();
  const char* keys[] = {"a", "b", "c"};
  for (std::uint64_t i = 0; i < 3; ++i) {
    auto f = must(foreign_filter::decode("parquet", image, as("", i)));
    for (std::uint64_t j = 0; j < 3; ++j) EXPECT_EQ(f.may_contain(keys[j]), i == j);
    EXPECT_NEAR(f.estimated_keys(), 1, 0.1);
    const auto alone = filter_of({keys[i]}, i == 1 ? 96 : 64);
    EXPECT_TRUE(std::ranges::equal(must(f.encode("header")).bytes(), alone));
    EXPECT_EQ(must(f.encode("bitset")).size(), i == 1 ? 96u : 64u);
    EXPECT_EQ(f.insert("d").error().code, errc::unsupported);
  }
  EXPECT_EQ(foreign_filter::decode("parquet", image, as("", 3)).error().code,
            errc::invalid_argument);
}

TEST(ParquetFile, EncryptedAndForeignColumnsAreLeftOut) {
  const auto filter = filter_of({"a"});
  const auto f = must(foreign_filter::decode(
      "parquet", parquet_image({{{.path = "secret", .filter = filter, .encrypted = true},
                                 {.path = "far", .filter = filter, .elsewhere = true},
                                 {.path = "open", .filter = filter}}})));
  ASSERT_EQ(f.parts(), 1u);
  EXPECT_STREQ(f.part(0).name, "row group 0, column open");
  for (const bool encrypted : {false, true}) {
    const auto none = foreign_filter::decode(
        "parquet",
        parquet_image(
            {{encrypted ? column_image{.path = "x", .filter = filter, .encrypted = true}
                        : column_image{.path = "x"}}}));
    ASSERT_FALSE(none.has_value());
    EXPECT_EQ(none.error().code, errc::unsupported);
  }
  auto closed = sample();
  closed[3] = closed.back() = std::byte{'E'};
  EXPECT_EQ(could_be(parquet(), closed), likeness::certain);
  expect_refused("parquet", closed, errc::unsupported, closed.size() - 4);
}

TEST(ParquetFile, NamesAreFitToShow) {
  const auto name = [](const std::string& path) {
    const auto f = must(foreign_filter::decode(
        "parquet", parquet_image({{{.path = path, .filter = filter_of({})}}})));
    return std::string(f.part(0).name);
  };
  EXPECT_EQ(name("\x1b[2J\x7f"), "row group 0, column ?[2J?");
  const std::string before = "row group 0, column ";
  const std::string many(200, 'n');
  EXPECT_EQ(name(many), before + many.substr(0, 111 - before.size()));
  EXPECT_EQ(name(many + "." + many), before + many.substr(0, 111 - before.size()));
}

TEST(ParquetFile, IntegersTakeTheWidthOfTheirColumn) {
  const std::string number("\x2a\0\0\0\0\0\0\0", 8);
  const auto image = parquet_image(
      {{{.path = "narrow", .filter = filter_of({number.substr(0, 4)}), .type = 1},
        {.path = "wide", .filter = filter_of({number}), .type = 2}}});
  for (std::uint64_t i = 0; i < 2; ++i) {
    auto o = as("", i);
    EXPECT_EQ(must(foreign_filter::decode("parquet", image, o)).may_contain(number),
              i == 1);
    o.form = key_form::integer;
    const auto f = must(foreign_filter::decode("parquet", image, o));
    EXPECT_TRUE(f.may_contain(number));
    for (const auto& k : edge65()) (void)f.may_contain(k);  // of any length
  }
}

TEST(ParquetFile, RefusesWithTheOffset) {
  const auto filter = filter_of({"a"});
  const auto bad = [](const column_image& c) {
    return foreign_filter::decode("parquet", parquet_image({{c}}));
  };
  for (const std::int64_t offset : {std::int64_t{0}, std::int64_t{3}, std::int64_t{100},
                                    std::int64_t{1} << 62, std::int64_t{-1}, INT64_MIN}) {
    const auto f = bad({.path = "a", .filter = filter, .offset = offset});
    ASSERT_FALSE(f.has_value());
    EXPECT_EQ(f.error().code, errc::corrupt);
    EXPECT_GT(f.error().at, 100u);  // in the footer
  }
  // Not at a header.
  EXPECT_EQ(bad({.path = "a", .filter = filter, .offset = 21}).error().at, 21u);
  for (const std::int64_t off : {-1, 1})
    EXPECT_EQ(bad({.path = "a", .filter = filter, .length_off_by = off}).error().code,
              errc::corrupt);
  // Many columns that share one filter would take long to count.
  const auto twice =
      foreign_filter::decode("parquet", parquet_image({{{.path = "a", .filter = filter},
                                                        {.path = "b",
                                                         .filter = filter_of({}, 32),
                                                         .with_length = false,
                                                         .offset = 20},
                                                        {.path = "c",
                                                         .filter = filter_of({}, 32),
                                                         .with_length = false,
                                                         .offset = 20}}}));
  EXPECT_EQ(twice.error().code, errc::corrupt);

  auto image = sample();
  foreign_options o;
  o.variant = "file";
  expect_refused("parquet", std::span(image).first(11), errc::corrupt, 11, o);
  expect_refused("parquet", std::span(image).first(image.size() - 1), errc::corrupt, 0,
                 o);
  image[image.size() - 5] = std::byte{0x7f};  // the footer's length
  expect_refused("parquet", image, errc::corrupt, image.size() - 8, o);
}

TEST(ParquetFile, FilesAreBattered) {
  const auto image = parquet_image(
      {{{.path = "a", .filter = filter_of({"a"}, 32)}, {.path = "b"}},
       {{.path = "a", .filter = filter_of({"b"}, 32), .with_length = false}}});
  expect_survives("parquet", image);
  expect_survives("parquet", image, as("", 1));
}

TEST(ParquetFile, DamageIsAnsweredWithPerhaps) {
  const auto image = sample();
  auto f = must(foreign_filter::decode("parquet", image));
  ASSERT_FALSE(f.may_contain("NOT_EXISTS"));
  std::vector<std::uint64_t> damaged(image.size() / 16 / 64 + 1);
  damaged[0] |= 1;  // the magic gives the file its form
  EXPECT_EQ(f.mark_damaged(damaged, 4).error().code, errc::corrupt);
  damaged[0] = std::uint64_t{1} << (f.part(1).offset / 16);
  must(f.mark_damaged(damaged, 4));
  EXPECT_TRUE(f.may_contain("NOT_EXISTS"));
}

TEST(ParquetFile, PublishedFilesHaveOneFilter) {
  for (const auto& [name, offset, length] :
       {std::tuple{"data_index_bloom_encoding_stats.parquet", 208u, 1024u},
        std::tuple{"data_index_bloom_encoding_with_length.parquet", 269u, 2048u}}) {
    BLOOMERY_NEEDS_FIXTURE(std::string("parquet-sbbf/") + name);
    const auto f = must(foreign_filter::load(
        "parquet", fixture(std::string("parquet-sbbf/") + name).c_str()));
    ASSERT_EQ(f.parts(), 1u);
    EXPECT_STREQ(f.part(0).name, "row group 0, column String");
    EXPECT_EQ(f.part(0).offset, offset);
    EXPECT_EQ(f.part(0).length, length);
    EXPECT_EQ(must(f.encode("header")).size(), length + 16u);
  }
}

}  // namespace
}  // namespace bloomery::testing::parquet_file
