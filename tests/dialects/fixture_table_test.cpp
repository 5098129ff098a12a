// Every file other systems wrote: read, asked, and made again byte for byte.
//
//   dialects_test --gtest_filter=Fixtures.*        prints the table
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "fixture_row.hpp"
#include "fixtures.hpp"
#include "must.hpp"

namespace bloomery::testing {
namespace {

std::vector<fixture_row> all_rows() {
  std::vector<fixture_row> all;
  for (auto* rows : {atomicbloom_rows, bits_and_blooms_rows, blockbloom_rows,
                     cassandra_rows, clickhouse_rows, datasketches_rows, fastbloom_rows,
                     fastfilter_rows, guava_rows, leveldb_rows, nori_rows, parquet_rows,
                     redisbloom_rows, rocksdb_rows, rust_bloomfilter_rows, spark_rows}) {
    const auto some = rows();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::vector<std::byte> joined(const std::vector<std::string>& files) {
  std::vector<std::byte> all;
  for (const std::string& name : files) {
    const auto some = bytes_of(fixture(name));
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::size_t count_found(const foreign_filter& f, const std::vector<std::string>& keys) {
  return static_cast<std::size_t>(
      std::ranges::count_if(keys, [&](const auto& k) { return f.may_contain(k); }));
}

// What one line of the printed table sums up.
struct tally {
  std::size_t files = 0, found = 0, rebuilt = 0, asked_rebuilt = 0, fp_equal = 0,
              asked_fp = 0;
  std::string note;
};

TEST(Fixtures, AreReadAskedAndRebuilt) {
  std::map<std::string, tally> table;
  for (const fixture_row& row : all_rows()) {
    SCOPED_TRACE(row.files.front());
    BLOOMERY_NEEDS_FIXTURE(row.files.front());
    tally& t = table[row.dialect];
    t.files += row.files.size();
    const auto bytes = joined(row.files);
    const auto read = foreign_filter::decode(row.dialect, bytes, row.read);
    EXPECT_TRUE(read.has_value()) << (read ? "" : read.error().what);
    if (!read) continue;

    const bool all_found = count_found(*read, row.keys) == row.keys.size();
    EXPECT_TRUE(all_found);
    t.found += all_found ? row.files.size() : 0;
    if (row.fp) {
      const auto fp = count_found(*read, row.others);
      EXPECT_EQ(fp, *row.fp);
      ++t.asked_fp;
      t.fp_equal += fp == *row.fp;
    }
    const auto again = must(read->encode());
    EXPECT_TRUE(std::ranges::equal(again.bytes(), bytes)) << "decode, encode";

    if (!row.write) {
      EXPECT_FALSE(row.not_rebuilt.empty()) << "say why it is not rebuilt";
      t.note = row.not_rebuilt;
      continue;
    }
    t.asked_rebuilt += row.files.size();
    auto made = must(foreign_filter::make(row.dialect, *row.write));
    for (const std::string& k : row.keys) ASSERT_TRUE(made.insert(k));
    const auto rebuilt = must(made.encode());
    const bool equal = std::ranges::equal(rebuilt.bytes(), bytes);
    EXPECT_TRUE(equal) << "rebuilt from its keys";
    t.rebuilt += equal ? row.files.size() : 0;
  }
  std::printf("%-18s %6s %11s %9s %9s\n", "dialect", "files", "keys found", "rebuilt",
              "fp equal");
  for (const auto& [name, t] : table)
    std::printf("%-18s %6zu %11zu %4zu/%-4zu %4zu/%-4zu %s\n", name.c_str(), t.files,
                t.found, t.rebuilt, t.asked_rebuilt, t.fp_equal, t.asked_fp,
                t.note.c_str());
}

}  // namespace
}  // namespace bloomery::testing
