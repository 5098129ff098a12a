// LevelDB's own filters, and the filter blocks of its tables, beside ours.
#include <leveldb/db.h>
#include <leveldb/filter_policy.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "leveldb_table.hpp"
#include "must.hpp"
#include "peer_keys.hpp"
#include "temp_dir.hpp"

namespace bloomery::testing {
namespace {

using leveldb::Slice;
using policy = std::unique_ptr<const leveldb::FilterPolicy>;

TEST(LevelDbPeer, FiltersAreTheSameBytesAndAnswers) {
  for (std::uint64_t c = 0; c < peer_configurations; ++c) {
    random from(c);
    const int bits_per_key = static_cast<int>(1 + from.below(c % 2 == 0 ? 100 : 16));
    const policy theirs(leveldb::NewBloomFilterPolicy(bits_per_key));
    const auto keys = peer_keys(from, peer_count(from));
    const std::vector<Slice> slices(keys.begin(), keys.end());
    std::string image;
    theirs->CreateFilter(slices.data(), static_cast<int>(slices.size()), &image);
    SCOPED_TRACE("configuration " + std::to_string(c));

    foreign_options o;
    o.variant = "filter";
    expect_same_answers(
        must(foreign_filter::decode("leveldb", bytes_of(image), o)),
        [&](std::string_view k) {
          return theirs->KeyMayMatch(Slice(k.data(), k.size()), image);
        },
        keys, from);
    if (HasFatalFailure()) return;

    foreign_params p;
    p.keys = keys.size();
    p.bits_per_key = bits_per_key;
    auto ours = must(foreign_filter::make("leveldb", p));
    for (const std::string& k : keys) must(ours.insert(k));
    ASSERT_TRUE(std::ranges::equal(must(ours.encode()).bytes(), bytes_of(image)));
  }
}

// The table of a database that holds `keys`: less than fit into memory, hence one.
std::string table_of(const std::vector<std::string>& keys, const policy& p, random& from,
                     leveldb::CompressionType compression = leveldb::kNoCompression) {
  const temp_dir dir;
  leveldb::Options options;
  options.create_if_missing = true;
  options.filter_policy = p.get();
  options.compression = compression;
  options.block_size = 200 + from.below(8'000);
  leveldb::DB* opened = nullptr;
  EXPECT_TRUE(leveldb::DB::Open(options, dir / "db", &opened).ok());
  std::unique_ptr<leveldb::DB> db(opened);
  for (const std::string& k : keys)
    EXPECT_TRUE(db->Put({}, k, std::string(from.below(300), 'v')).ok());
  db->CompactRange(nullptr, nullptr);
  db.reset();
  for (const auto& entry : std::filesystem::directory_iterator(dir / "db")) {
    if (entry.path().extension() != ".ldb") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  throw std::runtime_error("LevelDB wrote no table");
}

// A key is found in a table's filter block, and in the very filter that LevelDB would
// ask.
TEST(LevelDbPeer, TablesOfADatabase) {
  std::size_t several = 0;
  for (std::uint64_t c = 0; c < peer_configurations / 10; ++c) {
    random from(c);
    const policy bloom(leveldb::NewBloomFilterPolicy(10));
    const auto keys = peer_keys(from, 1 + from.below(2'000));
    const std::string file = table_of(keys, bloom, from);
    const leveldb_table table(file);
    const auto f =
        must(foreign_filter::decode("leveldb", bytes_of(table.filter_block())));
    ASSERT_EQ(f.variant(), "block");
    several += f.parts() > 1;
    for (const std::string& k : keys) {
      ASSERT_TRUE(f.may_contain(k));
      foreign_options o;
      o.part = table.block_of(k) >> 11;
      ASSERT_TRUE(
          must(foreign_filter::decode("leveldb", bytes_of(table.filter_block()), o))
              .may_contain(k))
          << "part " << o.part;
    }
  }
  EXPECT_GT(several, 0u);
}

// The whole file, whose index may be compressed: each key is looked up in the filter that
// LevelDB would ask.
TEST(LevelDbPeer, WholeTables) {
  for (std::uint64_t c = 0; c < peer_configurations / 5; ++c) {
    random from(c);
    const policy bloom(leveldb::NewBloomFilterPolicy(10));
    const auto keys = peer_keys(from, 100 + from.below(3'000));
    const std::string file =
        table_of(keys, bloom, from,
                 c % 2 == 0 ? leveldb::kNoCompression : leveldb::kSnappyCompression);
    const auto f = must(foreign_filter::decode("leveldb", bytes_of(file)));
    ASSERT_EQ(f.variant(), "table");
    ASSERT_EQ(f.table().policy, "leveldb.BuiltinBloomFilter2");
    ASSERT_EQ(f.table().filters, "bloom");
    ASSERT_TRUE(f.is_checked());
    for (const std::string& k : keys) ASSERT_TRUE(f.may_contain(k)) << k.size();
    std::size_t found = 0;
    for (std::size_t i = 0; i < peer_questions; ++i) found += f.may_contain(absent(from));
    const double n = static_cast<double>(peer_questions), rate = f.realised_fpr();
    // Filters get unlike shares of the lookups: by the size of their data.
    ASSERT_LT(static_cast<double>(found), 2 * rate * n + 6 * std::sqrt(rate * n) + 3);
  }
}

}  // namespace
}  // namespace bloomery::testing
