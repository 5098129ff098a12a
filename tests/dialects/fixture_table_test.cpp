// Every file other systems wrote: read, asked, and made again byte for byte.
//
//   dialects_test --gtest_filter=Fixtures.*        prints the table
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/portable_bloom.hpp>

#include "cases.hpp"
#include "fixture_row.hpp"
#include "fixtures.hpp"
#include "must.hpp"

namespace bloomery::testing::fixture_table {
namespace {

std::vector<fixture_row> all_rows() {
  std::vector<fixture_row> all;
  for (auto* rows :
       {atomicbloom_rows, bits_and_blooms_rows, blockbloom_rows, cassandra_rows,
        clickhouse_rows, datasketches_rows, fastbloom_rows, fastfilter_rows, guava_rows,
        leveldb_rows, nori_rows, parquet_rows, portable_rows, redisbloom_rows,
        rocksdb_rows, rust_bloomfilter_rows, spark_rows}) {
    const auto some = rows();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

image_bytes joined(const std::vector<std::string>& files) {
  image_bytes all;
  for (const std::string& name : files) {
    const auto some = bytes_of(fixture(name));
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

// What one line of the printed table sums up.
struct tally {
  std::size_t files = 0, found = 0, rebuilt = 0, asked_rebuilt = 0, fp_equal = 0,
              asked_fp = 0;
  std::string note;
};

// `made`: called if the row says how the file was written.
template <class Filter, class Make>
void check_row(const fixture_row& row, const image_bytes& bytes,
               const result<Filter>& read, Make made, tally& t) {
  const auto found = [&](const std::vector<std::string>& keys) {
    return static_cast<std::size_t>(
        std::ranges::count_if(keys, [&](const auto& k) { return read->may_contain(k); }));
  };
  t.files += row.files.size();
  count_cases("files", row.files.size());
  ASSERT_TRUE(read.has_value()) << read.error().what;
  const bool all_found = found(row.keys) == row.keys.size();
  EXPECT_TRUE(all_found);
  t.found += all_found ? row.files.size() : 0;
  if (row.fp) {
    const auto fp = found(row.others);
    EXPECT_EQ(fp, *row.fp);
    ++t.asked_fp;
    t.fp_equal += fp == *row.fp;
  }
  EXPECT_EQ(to_hex(must(read->encode()).bytes()), to_hex(bytes)) << "decode, encode";

  if (!row.write) {
    EXPECT_FALSE(row.not_rebuilt.empty()) << "say why it is not rebuilt";
    t.note = row.not_rebuilt;
    return;
  }
  t.asked_rebuilt += row.files.size();
  const bool equal = std::ranges::equal(must(made().encode()).bytes(), bytes);
  EXPECT_TRUE(equal) << "rebuilt from its keys";
  t.rebuilt += equal ? row.files.size() : 0;
}

portable_bloom portable_of(const fixture_row& row) {
  auto f = must(portable_bloom::make({.keys = row.write->keys, .fpr = *row.write->fpr}));
  for (const std::string& k : row.keys) f.insert(std::string_view(k));
  return f;
}

TEST(Fixtures, AreReadAskedAndRebuilt) {
  BLOOMERY_NEEDS_FIXTURE("README.md");
  std::map<std::string, tally> table;
  for (const fixture_row& row : all_rows()) {
    SCOPED_TRACE(row.files.front());
    const auto bytes = joined(row.files);
    if (row.dialect == "portable")
      check_row(
          row, bytes, portable_bloom::decode(bytes), [&] { return portable_of(row); },
          table[row.dialect]);
    else
      check_row(
          row, bytes, foreign_filter::decode(row.dialect, bytes, row.read),
          [&] { return filter_of(row.dialect, *row.write, row.keys); },
          table[row.dialect]);
  }
  std::printf("%-18s %6s %11s %9s %9s\n", "dialect", "files", "keys found", "rebuilt",
              "fp equal");
  for (const auto& [name, t] : table)
    std::printf("%-18s %6zu %11zu %4zu/%-4zu %4zu/%-4zu %s\n", name.c_str(), t.files,
                t.found, t.rebuilt, t.asked_rebuilt, t.fp_equal, t.asked_fp,
                t.note.c_str());
}

// A file that no row names would be one that nobody reads.
TEST(Fixtures, AreAllInTheTable) {
  BLOOMERY_NEEDS_FIXTURE("README.md");
  std::set<std::string> named;
  for (const fixture_row& row : all_rows())
    named.insert(row.files.begin(), row.files.end());
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(fixture(""))) {
    if (!entry.is_regular_file()) continue;
    const auto name =
        std::filesystem::relative(entry.path(), fixture("")).generic_string();
    if (name == "README.md" || name.starts_with("hashes/")) continue;
    EXPECT_TRUE(named.contains(name)) << name;
    ++seen;
  }
  EXPECT_EQ(seen, named.size());
}

}  // namespace
}  // namespace bloomery::testing::fixture_table
