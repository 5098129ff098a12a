// RocksDB's own filters, beside ours of the same bytes.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include "internal_classes.hpp"
#include "must.hpp"
#include "peer_keys.hpp"

namespace bloomery::testing {
namespace {

using rocksdb::Slice;

struct policy {
  std::unique_ptr<const rocksdb::FilterPolicy> made;
  rocksdb::BlockBasedTableOptions table;

  policy(std::string_view variant, double bits_per_key) {
    // Ribbon on every level; format 4 is the last with legacy filters.
    made.reset(variant == "ribbon" ? rocksdb::NewRibbonFilterPolicy(bits_per_key, -1)
                                   : rocksdb::NewBloomFilterPolicy(bits_per_key));
    table.format_version = variant == "legacy" ? 4 : 5;
  }

  std::string filter_of(const std::vector<std::string>& keys) const {
    const std::unique_ptr<rocksdb::FilterBitsBuilder> builder(
        made->GetBuilderWithContext(rocksdb::FilterBuildingContext(table)));
    for (const std::string& k : keys) builder->AddKey(k);
    std::unique_ptr<const char[]> storage;
    return builder->Finish(&storage).ToString();
  }

  auto reader_of(const std::string& bytes) const {
    return [reader = std::shared_ptr<rocksdb::FilterBitsReader>(
                made->GetFilterBitsReader(bytes))](std::string_view k) {
      return reader->MayMatch(Slice(k.data(), k.size()));
    };
  }
};

double bits_per_key(random& from) {
  switch (from.below(4)) {
    case 0:
      return 10;
    case 1:
      return static_cast<double>(1 + from.below(100));
    case 2:
      return 0.5 + 5 * from.unit();
    default:
      return 1 + 30 * from.unit();
  }
}

// RocksDB counts equal keys that follow each other once.
std::uint64_t counted(const std::vector<std::string>& keys) {
  std::uint64_t n = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) n += i == 0 || keys[i] != keys[i - 1];
  return n;
}

class RocksDbPeer : public ::testing::TestWithParam<std::string_view> {};

TEST_P(RocksDbPeer, ItsFiltersAnswerAsItDoes) {
  std::uint64_t of_the_kind = 0;  // a small ribbon filter becomes a fastlocal one
  for (std::uint64_t c = 0; c < peer_configurations; ++c) {
    random from(c);
    policy theirs(GetParam(), bits_per_key(from));
    theirs.table.optimize_filters_for_memory = from.below(4) == 0;
    const auto keys = peer_keys(from, peer_count(from));
    const std::string image = theirs.filter_of(keys);
    const auto f = must(foreign_filter::decode("rocksdb", bytes_of(image)));
    SCOPED_TRACE("configuration " + std::to_string(c));
    expect_same_answers(f, theirs.reader_of(image), keys, from);
    EXPECT_TRUE(std::ranges::equal(must(f.encode()).bytes(), bytes_of(image)));
    if (HasFatalFailure()) return;
    of_the_kind += f.variant() == GetParam();
  }
  EXPECT_GT(of_the_kind, peer_configurations / 3);
}

class RocksDbPeerWritten : public RocksDbPeer {};  // ribbon filters are only read

TEST_P(RocksDbPeerWritten, OursAreItsBytes) {
  for (std::uint64_t c = 0; c < peer_configurations; ++c) {
    random from(~c);
    foreign_params p;
    p.variant = GetParam();
    p.bits_per_key = bits_per_key(from);
    const auto keys = peer_keys(from, peer_count(from));
    p.keys = counted(keys);
    auto f = must(foreign_filter::make("rocksdb", p));
    for (const std::string& k : keys) must(f.insert(k));
    policy theirs(GetParam(), *p.bits_per_key);
    theirs.table.optimize_filters_for_memory = false;
    const std::string image = theirs.filter_of(keys);
    ASSERT_TRUE(std::ranges::equal(must(f.encode()).bytes(), bytes_of(image)))
        << keys.size() << " keys, " << *p.bits_per_key << " bits per key";
  }
}

constexpr auto name_of_kind = [](const auto& kind) { return std::string(kind.param); };
INSTANTIATE_TEST_SUITE_P(Kinds, RocksDbPeer,
                         ::testing::Values("fastlocal", "legacy", "ribbon"),
                         name_of_kind);
INSTANTIATE_TEST_SUITE_P(Kinds, RocksDbPeerWritten,
                         ::testing::Values("fastlocal", "legacy"), name_of_kind);

}  // namespace
}  // namespace bloomery::testing
