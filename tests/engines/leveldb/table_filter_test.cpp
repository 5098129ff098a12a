// One filter per table, in a file of its own.
#include <string>

#include <gtest/gtest.h>

#include <bloomery/filter_set.hpp>
#include <bloomery/ribbon.hpp>

#include "bloomery_leveldb/table_filter.hpp"
#include "databases.hpp"
#include "must.hpp"
#include "temp_dir.hpp"

namespace bloomery_leveldb::testing {
namespace {

using bloomery::testing::must;

template <class F>
void expect_a_filter_of_each_table() {
  const bloomery::testing::temp_dir dir;
  table_filter_builder builder;
  for (std::uint64_t table = 0; table < 2; ++table) {
    for (std::uint64_t i = 0; i < 1000; ++i) {
      must(builder.add(key_of(2000 * table + i)));
      must(builder.add(key_of(2000 * table + i)));  // an older version
    }
    const std::string path = dir / std::to_string(table);
    must(builder.save<F>(path.c_str(), {.bits_per_key = 10}));
  }
  for (std::uint64_t table = 0; table < 2; ++table) {
    const auto f = must(table_filter<F>::open(dir / std::to_string(table)));
    EXPECT_LT(f.size_in_bytes(), 1400u);
    int passed = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      EXPECT_TRUE(f.may_contain(key_of(2000 * table + i)));
      passed += f.may_contain(key_of(2000 * (1 - table) + i));
    }
    EXPECT_LT(passed, 40);
    EXPECT_EQ(f.verify_all(), 0u);
  }
}

TEST(LevelDbTableFilter, OfEachTable) {
  expect_a_filter_of_each_table<bloomery::block_bloom>();
  expect_a_filter_of_each_table<bloomery::ribbon>();
}

// A filter of no keys is refused or answers "definitely not": never a false negative.
TEST(LevelDbTableFilter, AnEmptyTable) {
  const bloomery::testing::temp_dir dir;
  table_filter_builder builder;
  const std::string path = dir / "empty";
  if (builder.save(path.c_str(), {.bits_per_key = 10})) {
    EXPECT_FALSE(must(table_filter<>::open(path)).may_contain("a"));
  }
}

}  // namespace
}  // namespace bloomery_leveldb::testing
