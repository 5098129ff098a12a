// Tables that RocksDB itself wrote: every key is found, absent ones as often as `info`
// says, and the properties are those that it reports.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rocksdb/comparator.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/sst_file_writer.h>
#include <rocksdb/table.h>

#include "must.hpp"
#include "peer_keys.hpp"
#include "temp_dir.hpp"

namespace bloomery::testing {
namespace {

struct table_request {
  rocksdb::Options options;
  rocksdb::BlockBasedTableOptions table;
};

// Distinct keys in the order of the table.
std::vector<std::string> table_keys(random& from, const rocksdb::Comparator* order) {
  auto keys = peer_keys(from, 1 + from.below(5'000));
  std::ranges::sort(keys, [&](const std::string& a, const std::string& b) {
    return order->Compare(a, b) < 0;
  });
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

std::string table_of(const table_request& r, const std::vector<std::string>& keys,
                     random& from) {
  const temp_dir dir;
  rocksdb::Options options = r.options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(r.table));
  rocksdb::SstFileWriter writer(rocksdb::EnvOptions(), options);
  EXPECT_TRUE(writer.Open(dir / "t.sst").ok());
  for (const std::string& k : keys)
    EXPECT_TRUE(writer.Put(k, std::string(from.below(100), 'v')).ok());
  const auto status = writer.Finish();
  EXPECT_TRUE(status.ok()) << status.ToString();
  std::ifstream file(dir / "t.sst", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void expect_table_finds(const foreign_filter& f, const std::vector<std::string>& keys,
                        random& from) {
  for (const std::string& k : keys) ASSERT_TRUE(f.may_contain(k)) << k.size();
  constexpr std::size_t lookups = 20'000;
  std::size_t found = 0;
  for (std::size_t i = 0; i < lookups; ++i) found += f.may_contain(absent(from));
  // Partitions get unlike shares of the lookups, and have unlike rates.
  double rate = f.realised_fpr();
  for (std::uint64_t i = 0; f.parts() > 1 && i < f.parts(); ++i)
    rate = std::max(rate, f.part(i).fpr);
  const double n = f.parts() == 1 ? lookups : lookups / 4.0;  // both are measured
  const double share = static_cast<double>(found) / lookups;
  EXPECT_LE(share, rate + 5 * std::sqrt(rate / n) + 2 / n);
  if (f.parts() == 1) {
    EXPECT_GE(share, rate - 5 * std::sqrt(rate / n) - 2 / n);
  }
}

// Every format with every checksum that 7.8.3 writes, and both forms of the filter.
TEST(RocksDbTablePeer, OfEveryForm) {
  std::size_t several = 0, tables = 0;
  for (const unsigned format : {2u, 3u, 4u, 5u})
    for (const auto sums : {rocksdb::kNoChecksum, rocksdb::kCRC32c, rocksdb::kxxHash,
                            rocksdb::kxxHash64, rocksdb::kXXH3})
      for (const bool partitioned : {false, true}) {
        random from(tables++);
        table_request r;
        r.table.format_version = format;
        r.table.checksum = sums;
        r.table.partition_filters = partitioned;
        if (partitioned)
          r.table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
        r.table.metadata_block_size = 200 + from.below(2'000);
        r.table.index_block_restart_interval = static_cast<int>(1 + from.below(5));
        const double bits = 5 + 10 * from.unit();
        const bool ribbon = format == 5 && from.below(2) == 0;
        r.table.filter_policy.reset(ribbon ? rocksdb::NewRibbonFilterPolicy(bits, -1)
                                           : rocksdb::NewBloomFilterPolicy(bits));
        const auto* const order = from.below(3) == 0
                                      ? rocksdb::ReverseBytewiseComparator()
                                      : rocksdb::BytewiseComparator();
        r.options.comparator = order;
        // What is compressed is data, and the index that nobody reads here.
        r.options.compression =
            from.below(2) == 0 ? rocksdb::kNoCompression : rocksdb::kSnappyCompression;
        const auto keys = table_keys(from, order);
        const std::string file = table_of(r, keys, from);
        SCOPED_TRACE("table " + std::to_string(tables - 1));
        const auto f = must(foreign_filter::decode("rocksdb", bytes_of(file)));
        expect_table_finds(f, keys, from);
        const auto t = f.table();
        EXPECT_EQ(t.format, format);
        EXPECT_EQ(t.entries, keys.size());
        EXPECT_EQ(t.filter_entries, keys.size());
        EXPECT_EQ(t.comparator, order->Name());
        EXPECT_EQ(t.policy, "rocksdb.BuiltinBloomFilter");
        EXPECT_EQ(t.keys, "whole keys");
        EXPECT_EQ(f.is_checked(), sums != rocksdb::kNoChecksum);
        several += f.parts() > 1;
        if (HasFatalFailure()) return;
      }
  EXPECT_GT(several, 10u);
}

TEST(RocksDbTablePeer, OfPrefixes) {
  for (std::uint64_t c = 0; c < 12; ++c) {
    random from(c);
    table_request r;
    r.table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
    r.table.whole_key_filtering = c % 2 == 0;
    r.table.partition_filters = c % 3 == 0;
    if (r.table.partition_filters)
      r.table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
    r.table.metadata_block_size = 300;
    const std::size_t length = 1 + from.below(4);
    r.options.prefix_extractor.reset(c % 4 < 2
                                         ? rocksdb::NewFixedPrefixTransform(length)
                                         : rocksdb::NewCappedPrefixTransform(length));
    const auto keys = table_keys(from, rocksdb::BytewiseComparator());
    const std::string file = table_of(r, keys, from);
    const auto f = must(foreign_filter::decode("rocksdb", bytes_of(file)));
    SCOPED_TRACE("configuration " + std::to_string(c));
    for (const std::string& k : keys) ASSERT_TRUE(f.may_contain(k)) << k.size();
    EXPECT_EQ(f.table().keys, c % 2 == 0 ? "whole keys and prefixes" : "prefixes");
    EXPECT_EQ(f.table().prefix_extractor, r.options.prefix_extractor->AsString());
    if (length < 3) continue;
    std::size_t denied = 0;
    for (std::size_t i = 0; i < 2'000; ++i) denied += !f.may_contain(absent(from));
    EXPECT_GT(denied, 1'500u);  // prefixes of 3 bytes that are not there
  }
}

// A table with versions of a key, deletions and a number given on ingestion.
TEST(RocksDbTablePeer, OfADatabase) {
  const temp_dir dir;
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy.reset(rocksdb::NewRibbonFilterPolicy(10, 1));
  table.partition_filters = true;
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.metadata_block_size = 500;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.disable_auto_compactions = true;
  rocksdb::DB* opened = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open(options, dir / "db", &opened).ok());
  std::unique_ptr<rocksdb::DB> db(opened);
  random from(1);
  auto keys = table_keys(from, options.comparator);
  const auto* const before = db->GetSnapshot();
  for (int round = 0; round < 3; ++round)
    for (const std::string& k : keys) {
      ASSERT_TRUE((round == 1 ? db->Delete({}, k) : db->Put({}, k, "v")).ok());
      if (round == 1) db->ReleaseSnapshot(db->GetSnapshot());
    }
  ASSERT_TRUE(db->Flush({}).ok());
  ASSERT_TRUE(db->CompactRange({}, nullptr, nullptr).ok());
  db->ReleaseSnapshot(before);
  db.reset();
  std::size_t tables = 0, found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dir / "db")) {
    if (entry.path().extension() != ".sst") continue;
    const auto f = must(foreign_filter::load("rocksdb", entry.path().c_str()));
    ++tables;
    for (const std::string& k : keys) found += f.may_contain(k);
  }
  EXPECT_GE(tables, 1u);
  EXPECT_GE(found, keys.size());
}

}  // namespace
}  // namespace bloomery::testing
