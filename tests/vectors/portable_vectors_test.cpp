// The library, and the textbook beside it, against spec/vectors/portable_*.json.
#include <filesystem>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <bloomery/portable_bloom.hpp>

#include "all_filters.hpp"
#include "ask.hpp"
#include "hex.hpp"
#include "test_key.hpp"
#include "textbook.hpp"
#include "vectors.hpp"

namespace bloomery::testing {
namespace {

using nlohmann::json;

TEST(PortableVectors, Positions) {
  const json cases = vectors("portable_positions.json").at("cases");
  EXPECT_GE(cases.size(), 100u);
  for (const json& row : cases) {
    SCOPED_TRACE(row.dump());
    const std::uint64_t hash = u64_from_hex(row.at("hash")), bits = row.at("bits");
    if (row.contains("text")) {
      EXPECT_EQ(textbook_hash(row.at("text").get<std::string>()), hash);
    }
    const auto want = row.at("positions").get<std::vector<std::uint64_t>>();
    ASSERT_EQ(want.size(), row.at("hashes").get<std::size_t>());
    const portable_probe probe(bits);
    auto w = probe.start(key::from_bits(hash));
    for (std::size_t i = 0; i < want.size(); ++i, w.advance(bits)) {
      EXPECT_EQ(w.at, want[i]) << i;
      EXPECT_EQ(textbook_position(hash, i, bits), want[i]) << i;
    }
  }
}

void expect_layout(const json& row, const result<bloom_layout>& got) {
  SCOPED_TRACE(row.dump());
  if (row.contains("error")) {
    ASSERT_FALSE(got);
    EXPECT_EQ(row.at("error"), name_of(got.error().code));
    return;
  }
  ASSERT_TRUE(got);
  EXPECT_EQ(got->bits, row.at("bits").get<std::uint64_t>());
  EXPECT_EQ(got->hashes, row.at("hashes").get<std::uint32_t>());
}

TEST(PortableVectors, Sizing) {
  const json file = vectors("portable_sizing.json");
  EXPECT_GE(file.at("by_rate").size(), 200u);
  for (const json& row : file.at("by_rate"))
    expect_layout(row, size_by_rate(row.at("keys"), row.at("fpr")));
  EXPECT_GE(file.at("by_bits_per_key").size(), 30u);
  for (const json& row : file.at("by_bits_per_key"))
    expect_layout(row, size_by_bits_per_key(row.at("keys"), row.at("bits_per_key")));
  EXPECT_GE(file.at("by_memory").size(), 20u);
  for (const json& row : file.at("by_memory"))
    expect_layout(row, size_by_memory(row.at("keys"), row.at("bytes")));
}

struct whole {
  const char* file;
  std::vector<std::string> keys;
};

const whole whole_files[] = {
    {"portable_empty_n10_p0.01.json", {}},
    {"portable_k10_n10_p0.01.json", numbered("k", 10)},
    {"portable_key4_n4_p0.05.json", numbered("key", 4)},
    {"portable_k1000_n1000_p0.01.json", numbered("k", 1000)},
    {"portable_k1000_n1000_p0.001.json", numbered("k", 1000)},
    {"portable_key1000_n1000_p0.01.json", numbered("key", 1000)},
    {"portable_edge65_n65_p0.01.json", edge65()},
};

TEST(PortableVectors, WholeFiles) {
  for (const auto& [name, strings] : whole_files) {
    SCOPED_TRACE(name);
    const json file = vectors(name);
    const json& sized = file.at("sized_for");
    ASSERT_EQ(file.at("inserted"), strings.size());
    auto f =
        must(portable_bloom::make({.keys = sized.at("keys"), .fpr = sized.at("fpr")}));
    const auto texts = views(strings);
    f.insert(std::span<const std::string_view>(texts));
    EXPECT_EQ(to_hex(encoded(f)), file.at("hex"));

    textbook_bloom book(file.at("bits"), file.at("hashes"));
    for (const std::string_view s : texts) book.insert(s);
    EXPECT_EQ(to_hex(book.file()), file.at("hex"));

    const auto read =
        must(portable_bloom::decode(from_hex(file.at("hex").get<std::string>())));
    EXPECT_TRUE(read == f);
    EXPECT_EQ(read.ones(), file.at("ones").get<std::uint64_t>());
    EXPECT_EQ(count_maybe(ask(read, texts)), texts.size());
  }
}

TEST(PortableVectors, Verdicts) {
  const json file = vectors("portable_verdicts.json");
  const json filter = vectors(file.at("filter"));
  const auto f =
      must(portable_bloom::decode(from_hex(filter.at("hex").get<std::string>())));
  const auto strings = numbered("x", file.at("asked"));
  const auto texts = views(strings);
  const auto answers = ask(f, texts);
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (answers[i]) numbers.push_back(i);
  EXPECT_EQ(numbers.size(), 94u);
  EXPECT_EQ(file.at("maybe"), 94);
  EXPECT_EQ(file.at("numbers").get<std::vector<std::size_t>>(), numbers);
}

TEST(PortableVectors, Hostile) {
  const json file = vectors("portable_hostile.json");
  EXPECT_GE(file.at("refused").size(), 15u);
  for (const json& row : file.at("refused")) {
    SCOPED_TRACE(row.dump());
    const auto f = portable_bloom::decode(from_hex(row.at("hex").get<std::string>()));
    ASSERT_FALSE(f);
    EXPECT_EQ(row.at("error"), name_of(f.error().code));
    EXPECT_EQ(row.at("offset"), f.error().at);
  }
  EXPECT_GE(file.at("accepted").size(), 5u);
  for (const json& row : file.at("accepted")) {
    SCOPED_TRACE(row.dump());
    const auto f =
        must(portable_bloom::decode(from_hex(row.at("hex").get<std::string>())));
    EXPECT_EQ(f.bits(), row.at("bits").get<std::uint64_t>());
    EXPECT_EQ(f.hashes(), row.at("hashes").get<std::uint32_t>());
    EXPECT_EQ(f.ones(), row.at("ones").get<std::uint64_t>());
    EXPECT_EQ(f.padding_is_clear(), row.at("padding_is_clear").get<bool>());
    EXPECT_EQ(to_hex(encoded(f)), row.at("hex"));
  }
}

// A file that no test reads would prove nothing.  Those of hostile bytes and of rates are
// compared with what the library does now by `vectors_are_current`, and with what all
// others do by `conformance`.
TEST(PortableVectors, EveryFileIsChecked) {
  std::set<std::string> known{"container_hostile.json",
                              "dialect_files.json",
                              "dialect_hostile.json",
                              "hash_long.json",
                              "portable_model.json",
                              "block_filters.json",
                              "block_positions.json",
                              "bloom_filters.json",
                              "bloom_positions.json",
                              "containers.json",
                              "counting_filters.json",
                              "counting_positions.json",
                              "cuckoo_filters.json",
                              "cuckoo_positions.json",
                              "quotient_filters.json",
                              "quotient_positions.json",
                              "ribbon_filters.json",
                              "scalable_filters.json",
                              "scalable_positions.json",
                              "ribbon_positions.json",
                              "fuse_filters.json",
                              "fuse_positions.json",
                              "xor_filters.json",
                              "xor_positions.json",
                              "stable_filters.json",
                              "stable_positions.json",
                              "window_filters.json",
                              "dialects.json",
                              "lanes16_filters.json",
                              "lanes16_positions.json",
                              "partitioned_filters.json",
                              "partitioned_positions.json",
                              "split_block_filters.json",
                              "split_block_positions.json",
                              "hash.json",
                              "receipts.json",
                              "portable_positions.json",
                              "portable_sizing.json",
                              "portable_verdicts.json",
                              "portable_hostile.json"};
  for (const whole& w : whole_files) known.insert(w.file);
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(BLOOMERY_VECTORS_DIR))
    found.insert(entry.path().filename().string());
  EXPECT_EQ(found, known);
}

}  // namespace
}  // namespace bloomery::testing
