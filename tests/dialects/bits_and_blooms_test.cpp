#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "hash/murmur.hpp"
#include "hostile_image.hpp"

namespace bloomery::testing::bits_and_blooms {
namespace {

constexpr const char* name = "bits-and-blooms";
constexpr const char* ten =
    "00000000000000c8000000000000000400000000000000c8"
    "0808060a2008000306a120000000009004c088e008000b00000000000000001e";
constexpr const char* ten_little =
    "00000000000000c80000000000000004c800000000000000"
    "030008200a0608089000000000"
    "20a106000b0008e088c0041e00000000000000";
constexpr const char* ten_json =
    R"({"m":200,"k":4,"b":"AAAAAAAAAMgICAYKIAgAAwahIAAAAACQBMCI4AgACwAAAAAAAAAAHg=="})";
constexpr const char* ten_little_json =
    R"({"m":200,"k":4,"b":"yAAAAAAAAAADAAggCgYICJAAAAAAIKEGAAsACOCIwAQeAAAAAAAAAA=="})";

image_bytes bytes_of_text(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

struct form {
  const char* variant;
  image_bytes image;
};
std::vector<form> forms_of_ten() {
  return {{"binary", from_hex(ten)},
          {"json", bytes_of_text(ten_json)},
          {"le", from_hex(ten_little)},
          {"le-json", bytes_of_text(ten_little_json)}};
}

TEST(BitsAndBlooms, WritesWhatItsOwnerWrote) {
  EXPECT_EQ(to_hex(written(name, exactly(200, 4), numbered("k", 10))), ten);
  for (const form& f : forms_of_ten())
    EXPECT_EQ(to_hex(written(name, exactly(200, 4, f.variant), numbered("k", 10))),
              to_hex(f.image))
        << f.variant;
}

TEST(BitsAndBlooms, TellsItsFormsApart) {
  for (const form& from : forms_of_ten()) {
    for (const char* said : {"", from.variant}) {
      const auto f = must(foreign_filter::decode(name, from.image, as(said)));
      EXPECT_EQ(f.variant(), from.variant);
      EXPECT_EQ(f.bits(), 200u);
      EXPECT_EQ(f.hashes(), 4u);
      EXPECT_DOUBLE_EQ(f.fill(), 34.0 / 200);
      for (const std::string& k : numbered("k", 10)) EXPECT_TRUE(f.may_contain(k));
      std::size_t found = 0;
      for (const std::string& k : numbered("x", 10'000)) found += f.may_contain(k);
      EXPECT_EQ(found, 14u);
    }
  }
}

TEST(BitsAndBlooms, EveryFormIsWrittenAsEveryOther) {
  for (const form& from : forms_of_ten()) {
    const auto f = must(foreign_filter::decode(name, from.image));
    for (const form& to : forms_of_ten())
      EXPECT_EQ(to_hex(must(f.encode(to.variant)).bytes()), to_hex(to.image))
          << from.variant << " as " << to.variant;
  }
}

// The four hashes, and in which order they are stepped through.
TEST(BitsAndBlooms, ItsLocations) {
  const auto [h, g] = hash::murmur3_x64_128_with_suffix("k0", '\1', 0);
  const std::uint64_t start[] = {h.first, h.second}, step[] = {g.first, g.second};
  constexpr std::uint64_t known[] = {5638682346300632201u,  5903570090338986337u,
                                     6401000642172721521u,  10084839769838304566u,
                                     11721920782881116053u, 7428206682083164977u};
  for (std::uint64_t i = 0; i < 6; ++i)
    EXPECT_EQ(start[i % 2] + i * step[(i + i % 2) % 4 / 2], known[i]) << i;
}

TEST(BitsAndBlooms, TheHashOfALongerKey) {
  for (const std::string& k : edge65()) {
    const auto both = hash::murmur3_x64_128_with_suffix(k, '\1', 7);
    EXPECT_EQ(both[0], hash::murmur3_x64_128(k, 7));
    EXPECT_EQ(both[1], hash::murmur3_x64_128(k + '\1', 7));
  }
}

TEST(BitsAndBlooms, FindsKeysOfEveryLength) {
  for (const char* variant : {"binary", "json", "le", "le-json"})
    expect_finds_edge_keys(name, sized(65, 0.01, variant));
}

TEST(BitsAndBlooms, Sizes) {
  const auto f = must(foreign_filter::make(name, sized(1000, 0.1)));
  EXPECT_EQ(f.hashes(), 4u) << "rounded up";
  EXPECT_EQ(must(foreign_filter::make(name, sized(1000, 0.01))).bits(), 9586u);
}

// New(0, 0) has m = 1 and a bitset of no bits, which grows.
TEST(BitsAndBlooms, ABitsetShorterThanM) {
  constexpr const char* none = "000000000000000100000000000000010000000000000000";
  EXPECT_EQ(to_hex(written(name, exactly(0, 0), {})), none);
  EXPECT_EQ(to_hex(written(name, exactly(0, 0), {"k0"})),
            "0000000000000001000000000000000100000000000000010000000000000001");
  const auto f = must(foreign_filter::decode(name, from_hex(none)));
  EXPECT_FALSE(f.may_contain("k0"));

  // 200 bits, of which the first 64 are there: keys grow it to what they need.
  const auto cut =
      from_hex("00000000000000c8000000000000000400000000000000400808060a20080003");
  for (const char* variant : {"binary", "le"}) {
    auto start = must(foreign_filter::decode(name, cut));
    const auto bytes = must(start.encode(variant));
    auto g = must(foreign_filter::decode(name, bytes.bytes()));
    for (const std::string& k : numbered("k", 10)) must(g.insert(k));
    for (const std::string& k : numbered("k", 10)) EXPECT_TRUE(g.may_contain(k));
    const auto grown = must(g.encode("binary"));
    ASSERT_EQ(grown.size(), 56u);
    EXPECT_EQ(to_hex(grown.bytes().subspan(24)), std::string(ten).substr(48));
    EXPECT_LE(grown.bytes()[23], std::byte{200});
    EXPECT_GT(grown.bytes()[23], std::byte{192});
  }
}

TEST(BitsAndBlooms, ABitsetLongerThanM) {
  // m = 100 in a bitset of 200 bits: those beyond m are not asked for.
  const auto image = patched(from_hex(ten), 7, "64");
  auto f = must(foreign_filter::decode(name, image));
  EXPECT_EQ(f.bits(), 100u);
  must(f.insert("k0"));
  EXPECT_TRUE(f.may_contain("k0"));
  EXPECT_EQ(must(f.encode()).size(), image.size());
}

TEST(BitsAndBlooms, ReadsJsonAsGoDoes) {
  const std::string spaced =
      " {\n\t\"k\" : 4 , \"b\":"
      "\"AAAAAAAAAMgICAYKIAgAAwahIAAAAACQBMCI4AgACwAAAAAAAAAAHg==\""
      ", \"m\": 200\r\n}\n";
  const auto f = must(foreign_filter::decode(name, bytes_of_text(spaced)));
  EXPECT_EQ(to_hex(must(f.encode("binary")).bytes()), ten);
  EXPECT_EQ(to_text(must(f.encode()).bytes()), spaced) << "as it was";

  // A filter whose text has characters of one alphabet only.
  auto url = written(name, sized(1000, 0.01, "json"), numbered("k", 1000));
  auto standard = url;
  std::ranges::replace(standard, std::byte{'-'}, std::byte{'+'});
  std::ranges::replace(standard, std::byte{'_'}, std::byte{'/'});
  ASSERT_NE(url, standard);
  const auto g = must(foreign_filter::decode(name, standard));
  const auto h = must(foreign_filter::decode(name, url));
  EXPECT_EQ(to_hex(must(g.encode("binary")).bytes()),
            to_hex(must(h.encode("binary")).bytes()));
  EXPECT_EQ(to_text(must(g.encode("le-json")).bytes()),
            to_text(must(h.encode("le-json")).bytes()));
}

TEST(BitsAndBlooms, JsonIsReadNotChanged) {
  auto f = must(foreign_filter::decode(name, bytes_of_text(ten_json)));
  EXPECT_EQ(f.insert("k0").error().code, errc::unsupported);
}

TEST(BitsAndBlooms, DamagedTextAnswersPerhaps) {
  auto f = must(foreign_filter::decode(name, bytes_of_text(ten_json)));
  // Chunks of 4 bytes.  The text is at 20 .. 76, and its first 12 hold the length.
  std::vector<std::uint64_t> damaged(1);
  for (unsigned chunk = 8; chunk < 19; ++chunk) damaged[0] |= std::uint64_t{1} << chunk;
  must(f.mark_damaged(damaged, 2));
  std::size_t found = 0;
  for (const std::string& k : numbered("x", 1000)) found += f.may_contain(k);
  EXPECT_GT(found, 500u);
  for (const std::string& k : numbered("k", 10)) EXPECT_TRUE(f.may_contain(k));
  for (const unsigned chunk : {0, 5, 7, 19})
    EXPECT_EQ(f.mark_damaged(std::vector{std::uint64_t{1} << chunk}, 2).error().code,
              errc::corrupt);
}

TEST(BitsAndBlooms, RefusesEachField) {
  const auto image = from_hex(ten);
  expect_refused(name, std::span(image).first(23), errc::corrupt, 23);
  expect_refused(name, patched(image, 0, "0000000000000000"), errc::corrupt, 0);
  expect_refused(name, patched(image, 8, "0000000000000000"), errc::corrupt, 8);
  expect_refused(name, patched(image, 8, "0000000100000000"), errc::corrupt, 8);
  expect_refused(name, patched(image, 16, "0000000000000101"), errc::corrupt, 56);
  expect_refused(name, patched(image, 16, "00000000000000c0"), errc::corrupt, 48);
  expect_refused(name, patched(image, 16, "ffffffffffffffff"), errc::corrupt, 56);
  expect_refused(name, std::span(image).first(55), errc::corrupt, 55);
  expect_refused(name, image, errc::corrupt, 56, as("le"));
  expect_refused(name, image, errc::corrupt, 0, as("json"));
}

TEST(BitsAndBlooms, RefusesEveryOtherText) {
  struct text {
    const char* json;
    std::uint64_t at;
  };
  constexpr text texts[] = {
      {"{", 1},
      {"{}", 1},
      {R"({"x":1})", 1},
      {R"({"m":1,"m":2,"b":""})", 7},
      {R"({"m" 1})", 5},
      {R"({"m":-1,"k":1,"b":"AAAAAAAAAAA="})", 5},
      {R"({"m":1.5,"k":1,"b":"AAAAAAAAAAA="})", 6},
      {R"({"m":18446744073709551616,"k":1,"b":"AAAAAAAAAAA="})", 24},
      {R"({"m":0,"k":1,"b":"AAAAAAAAAAA="})", 5},
      {R"({"m":1,"k":0,"b":"AAAAAAAAAAA="})", 11},
      {R"({"m":1,"k":4294967296,"b":"AAAAAAAAAAA="})", 11},
      {R"({"m":1,"k":1,"b":7})", 17},
      {R"({"m":1,"k":1,"b":"AAAA"})", 18},
      {R"({"m":1,"k":1,"b":"AAAAAAAAAAA"})", 29},
      {R"({"m":1,"k":1,"b":"AAAA.AAAAAA="})", 22},
      {R"({"m":1,"k":1,"b":"AAAAAAAA==="})", 28},
      {R"({"m":1,"k":1,"b":"AAAAAAAAAAA=)", 30},
      {R"({"m":1,"k":1,"b":"AAAAAAAAAAA=")", 31},
      {R"({"m":1,"k":1,"b":"AAAAAAAAAAA=","x":1})", 31},
      {R"({"m":1,"k":1,"b":"AAAAAAAAAAA="}x)", 32},
      {R"({"m":1,"k":1,"b":"AAAAAAAAAAE="})", 18},  // one bit, and no word
  };
  for (const text& t : texts) {
    SCOPED_TRACE(t.json);
    expect_refused(name, bytes_of_text(t.json), errc::corrupt, t.at);
  }
}

TEST(BitsAndBlooms, SurvivesDamage) {
  for (const form& f : forms_of_ten()) {
    expect_survives(name, f.image);
    expect_survives(name, f.image, as(f.variant));
  }
}

TEST(BitsAndBlooms, HostileNumbersAreAnsweredQuickly) {
  auto image = from_hex(ten);
  for (std::size_t i = 24; i < image.size(); ++i) image[i] = std::byte{0xff};
  image = patched(image, 8, "00000000ffffffff");
  auto all = must(foreign_filter::decode(name, image));
  for (const std::string& k : numbered("x", 100)) EXPECT_TRUE(all.may_contain(k));
  EXPECT_EQ(all.insert("x").error().code, errc::unsupported);
  const auto text = must(all.encode("json"));
  const auto read = must(foreign_filter::decode(name, text.bytes()));
  for (const std::string& k : numbered("x", 100)) EXPECT_TRUE(read.may_contain(k));

  // m of 2^64 - 1, of which 200 bits are there: absent, and too large to be grown.
  auto vast =
      must(foreign_filter::decode(name, patched(from_hex(ten), 0, "ffffffffffffffff")));
  EXPECT_FALSE(vast.may_contain("k0"));
  EXPECT_EQ(vast.insert("k0").error().code, errc::unsupported);
  EXPECT_TRUE(must(vast.encode("json")).size() > 0);
  // 2^38 bits, which could be had, but not on a header's word.
  auto large =
      must(foreign_filter::decode(name, patched(from_hex(ten), 0, "0000004000000000")));
  EXPECT_EQ(large.insert("k0").error().code, errc::unsupported);
  EXPECT_EQ(large.size_in_bytes(), from_hex(ten).size());
}

}  // namespace
}  // namespace bloomery::testing::bits_and_blooms
