// Where there is no memory for a filter: one that matches every key, no exception, no
// crash; and the next one is whole again.
#include "allocations.hpp"
#include "cases.hpp"
#include "database.hpp"
#include "filter_bytes.hpp"

namespace bloomery::testing {
namespace {

using bloomery_rocksdb::filter_form;

constexpr std::uint32_t keys = 3000;

class RocksDBMemory : public ::testing::TestWithParam<filter_form> {
 protected:
  policy_ptr policy_ = own_policy(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Forms, RocksDBMemory,
                         ::testing::Values(filter_form::block, filter_form::ribbon,
                                           filter_form::fuse));

// Every allocation of a build fails once.
TEST_P(RocksDBMemory, EveryRefusedAllocationOfABuild) {
  std::vector<std::string> added;
  for (std::uint32_t i = 0; i < keys; ++i) added.push_back(number_key(i));
  const std::string whole = filter_of(*policy_, 0, keys);
  const rocksdb::BlockBasedTableOptions options;
  const rocksdb::FilterBuildingContext table(options);
  std::uint64_t refused = 0;
  for (bool was_refused = true; was_refused;) {
    std::unique_ptr<rocksdb::FilterBitsBuilder> builder;
    std::unique_ptr<const char[]> memory;
    rocksdb::Slice bits;
    {
      const allocation_watch watch(refused + 1);
      builder.reset(policy_->GetBuilderWithContext(table));
      if (builder != nullptr) {
        for (const std::string& k : added) builder->AddKey(k);
        bits = builder->Finish(&memory);
      }
      was_refused = watch.calls() > refused;
    }
    refused += was_refused;
    if (builder == nullptr) continue;  // RocksDB takes it for "no filter"
    ASSERT_EQ(filter_reader_of(*policy_, bits.ToString()).passing(0, keys), keys);
    for (const std::string& k : added) builder->AddKey(k);
    EXPECT_EQ(finished(*builder), whole);
  }
  EXPECT_GE(refused, 4u);
  count_cases("refused", refused);
}

TEST_P(RocksDBMemory, EveryRefusedAllocationOfAReader) {
  const std::string bytes = filter_of(*policy_, 0, keys);
  std::uint64_t refused = 0;
  for (bool was_refused = true; was_refused;) {
    std::unique_ptr<rocksdb::FilterBitsReader> reader;
    {
      const allocation_watch watch(refused + 1);
      reader.reset(policy_->GetFilterBitsReader(bytes));
      was_refused = watch.calls() > refused;
    }
    refused += was_refused;
    for (std::uint32_t i = 0; reader != nullptr && i < keys; ++i)
      ASSERT_TRUE(reader->MayMatch(number_key(i)));
  }
  EXPECT_GE(refused, 1u);
}

}  // namespace
}  // namespace bloomery::testing
