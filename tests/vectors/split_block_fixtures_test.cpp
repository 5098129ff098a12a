// Filters that Parquet's own writers made: reproduced byte for byte, and read.
#include <string>

#include <gtest/gtest.h>

#include <bloomery/split_block_bloom.hpp>

#include "ask.hpp"
#include "fixtures.hpp"
#include "hex.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

struct parquet_bitset {
  const char* name;
  std::size_t offset, size;  // of the bitset in the file
  std::vector<std::string> keys;
  std::size_t maybe;  // of x0 .. x9999, as its writer counted
};

const parquet_bitset bitsets[] = {
    {"parquet-sbbf/k10_32bytes.bitset", 0, 32, numbered("k", 10), 0},
    {"parquet-sbbf/k1000_1024bytes.bitset", 0, 1024, numbered("k", 1000), 289},
    {"parquet-sbbf/k1000_2048bytes.bitset", 0, 2048, numbered("k", 1000), 10},
    {"parquet-sbbf/bloom_filter.xxhash.bin",
     16,
     1024,
     {"hello", "parquet", "bloom", "filter"},
     0},
};

TEST(SplitBlockFixture, IsReproducedAndRead) {
  for (const parquet_bitset& p : bitsets) {
    SCOPED_TRACE(p.name);
    BLOOMERY_NEEDS_FIXTURE(p.name);
    const auto file = bytes_of(fixture(p.name));
    ASSERT_EQ(file.size(), p.offset + p.size);
    const auto bitset = std::span(file).subspan(p.offset);
    const auto texts = views(p.keys);
    auto made = must(split_block_bloom::make(p.size / 32));
    made.insert(std::span<const std::string_view>(texts));
    EXPECT_EQ(to_hex(made.bytes()), to_hex(bitset));

    const auto read = must(split_block_bloom::from_bitset(bitset));
    EXPECT_TRUE(read == made);
    const auto others = numbered("x", 10'000);
    EXPECT_EQ(count_maybe(ask(read, views(others))), p.maybe);
    EXPECT_EQ(count_maybe(ask(read, texts)), texts.size());
  }
}

// Filters inside Parquet files, where their footers say; a header of 16 bytes precedes
// the bitset.
TEST(SplitBlockFixture, IsReadFromWholeParquetFiles) {
  struct place {
    const char* name;
    std::size_t offset, length;
  };
  for (const place p :
       {place{"parquet-sbbf/data_index_bloom_encoding_stats.parquet", 192, 1040},
        place{"parquet-sbbf/data_index_bloom_encoding_with_length.parquet", 253, 2064}}) {
    SCOPED_TRACE(p.name);
    BLOOMERY_NEEDS_FIXTURE(p.name);
    const auto file = bytes_of(fixture(p.name));
    const auto f = must(split_block_bloom::from_bitset(
        std::span(file).subspan(p.offset + 16, p.length - 16)));
    EXPECT_TRUE(f.may_contain("Hello"));
    EXPECT_TRUE(f.may_contain("today"));
    EXPECT_FALSE(f.may_contain("NOT_EXISTS"));
  }
}

}  // namespace
}  // namespace bloomery::testing
