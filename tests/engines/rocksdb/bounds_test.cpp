// What RocksDB's tests of its own filters ask for, from the bounds they publish
// (util/bloom_test.cc), asked of ours; and what builders and readers promise the engine.
#include <bloomery/filter_view.hpp>
#include <bloomery/ribbon.hpp>

#include "cases.hpp"
#include "database.hpp"
#include "filter_bytes.hpp"
#include "spoiled_policy.hpp"

namespace bloomery::testing {
namespace {

using bloomery_rocksdb::filter_form;
using bloomery_rocksdb::level_filter;
using bloomery_rocksdb::policy_name;

class RocksDBFilter : public ::testing::TestWithParam<filter_form> {
 protected:
  policy_ptr policy_ = own_policy(GetParam());
};

std::string name_of_form(filter_form f) {
  return f == filter_form::block ? "block" : f == filter_form::ribbon ? "ribbon" : "fuse";
}
INSTANTIATE_TEST_SUITE_P(Forms, RocksDBFilter,
                         ::testing::Values(filter_form::block, filter_form::ribbon,
                                           filter_form::fuse),
                         [](const auto& info) { return name_of_form(info.param); });

TEST_P(RocksDBFilter, AnEmptyOneMatchesNothing) {
  const std::string empty = filter_of(*policy_, 0, 0);
  EXPECT_FALSE(filter_reader_of(*policy_, empty).may_contain("hello"));
  EXPECT_FALSE(filter_reader_of(*built_in_bloom(), empty).may_contain("hello"));
  // As RocksDB's own writes it.
  const std::string theirs = filter_of(*built_in_bloom(), 0, 0);
  EXPECT_FALSE(filter_reader_of(*policy_, theirs).may_contain("hello"));
}

TEST_P(RocksDBFilter, ASmallOneKnowsItsKeys) {
  const auto builder = builder_of(*policy_);
  builder->AddKey("hello");
  builder->AddKey("world");
  const filter_reader_of f(*policy_, finished(*builder));
  EXPECT_TRUE(f.may_contain("hello"));
  EXPECT_TRUE(f.may_contain("world"));
  EXPECT_FALSE(f.may_contain("x"));
  EXPECT_FALSE(f.may_contain("foo"));
}

// At 10 bits per key: at most 2 % false positives at every length from 1 to 10,000, more
// than 1.25 % at no more than a fifth of them; n * 10 / 8 bytes and two lines, no more.
TEST_P(RocksDBFilter, RatesAndSizesAtEveryLength) {
  const auto next = [](std::uint32_t n) {
    return n + (n < 10 ? 1 : n < 100 ? 10 : n < 1000 ? 100 : 1000);
  };
  int mediocre = 0, good = 0;
  for (std::uint32_t n = 1; n <= 10'000; n = next(n)) {
    const std::string bytes = filter_of(*policy_, 0, n);
    EXPECT_LE(bytes.size(), n * 10 / 8 + 2 * 64 + 5) << n;
    const filter_reader_of f(*policy_, bytes);
    ASSERT_EQ(f.passing(0, n), n);
    const double rate = f.passing(1'000'000'000, 1'000'010'000) / 10'000.0;
    EXPECT_LE(rate, 0.02) << n;
    ++(rate > 0.0125 ? mediocre : good);
  }
  EXPECT_LE(mediocre, good / 5);
  count_cases("lengths", static_cast<std::uint64_t>(mediocre + good));
}

// Equal bits: not worse than RocksDB's Bloom filter; equal rates: the sizes that our
// kinds promise.
TEST_P(RocksDBFilter, BesideTheBuiltInBloom) {
  constexpr std::uint32_t n = 100'000, asked = 1'000'000;
  const std::string theirs = filter_of(*built_in_bloom(), 0, n),
                    ours = filter_of(*policy_, 0, n);
  EXPECT_LE(ours.size(), theirs.size() + 64);
  const auto rate = [&](const rocksdb::FilterPolicy& p, const std::string& bytes) {
    return filter_reader_of(p, bytes).passing(n, n + asked) / double{asked};
  };
  const double built_in = rate(*built_in_bloom(), theirs);
  EXPECT_LE(rate(*policy_, ours),
            GetParam() == filter_form::block ? 1.15 * built_in : 0.5 * built_in);
}

// With partitions one builder makes one filter after another.
TEST_P(RocksDBFilter, ABuilderBeginsAnewAfterEachFilter) {
  const auto builder = builder_of(*policy_);
  for (std::uint32_t part = 0; part < 20; ++part) {
    EXPECT_EQ(builder->EstimateEntriesAdded(), 0u);
    for (std::uint32_t i = 0; i < 500; ++i) builder->AddKey(number_key(1000 * part + i));
    const std::string bytes = finished(*builder);
    EXPECT_EQ(bytes, filter_of(*policy_, 1000 * part, 1000 * part + 500));
    const filter_reader_of f(*policy_, bytes);
    EXPECT_EQ(f.passing(1000 * part, 1000 * part + 500), 500u);
    EXPECT_LT(f.passing(1000 * part + 500, 1000 * part + 1000), 50u);
  }
  EXPECT_EQ(finished(*builder), filter_of(*policy_, 0, 0));
}

TEST_P(RocksDBFilter, EqualKeysThatFollowEachOtherCountOnce) {
  const auto builder = builder_of(*policy_);
  for (std::uint32_t i = 0; i < 1000; ++i)
    for (int version = 0; version < 5; ++version) builder->AddKey(number_key(i));
  EXPECT_EQ(builder->EstimateEntriesAdded(), 1000u);
  EXPECT_EQ(finished(*builder), filter_of(*policy_, 0, 1000));
}

// RocksDB sizes partitions by it.
TEST_P(RocksDBFilter, AsManyKeysAsItSaysFit) {
  const auto builder = builder_of(*policy_);
  for (const std::size_t bytes : {512u, 4096u, 65536u, 1u << 20}) {
    const std::size_t n = builder->ApproximateNumEntries(bytes);
    const std::size_t size = filter_of(*policy_, 0, static_cast<std::uint32_t>(n)).size();
    EXPECT_LE(size, bytes + 64) << n;
    EXPECT_GE(size, bytes - bytes / 8 - 64) << n;
  }
  EXPECT_LE(builder->ApproximateNumEntries(0), 1u);
}

TEST_P(RocksDBFilter, VerifiesWhatItBuilt) {
  rocksdb::BlockBasedTableOptions options;
  options.detect_filter_construct_corruption = true;
  const auto builder = builder_of(*policy_, 0, options);
  for (std::uint32_t i = 0; i < 1000; ++i) builder->AddKey(number_key(i));
  std::unique_ptr<const char[]> memory;
  const rocksdb::Slice bits = builder->Finish(&memory);
  EXPECT_TRUE(builder->MaybePostVerify(bits).ok());
  for (std::uint32_t i = 0; i < 1000; ++i) builder->AddKey(number_key(i));
  std::string spoiled = builder->Finish(&memory).ToString();
  spoiled[spoiled.size() / 2] = static_cast<char>(spoiled[spoiled.size() / 2] ^ 1);
  EXPECT_TRUE(builder->MaybePostVerify(spoiled).IsCorruption());
  EXPECT_EQ(builder->EstimateEntriesAdded(), 0u);
}

// Ours under RocksDB's name: RocksDB answers "possibly present"; and ours reads
// RocksDB's.
TEST_P(RocksDBFilter, EachReadsTheOthersFilters) {
  const std::string ours = filter_of(*policy_, 0, 1000);
  EXPECT_EQ(filter_reader_of(*built_in_bloom(), ours).passing(0, 20'000), 20'000u);
  const policy_ptr ribbon(rocksdb::NewRibbonFilterPolicy(10, -1));
  for (const policy_ptr& theirs : {built_in_bloom(), ribbon}) {
    const std::string bytes = filter_of(*theirs, 0, 5000);
    EXPECT_EQ(filter_reader_of(*policy_, bytes).passing(0, 20'000),
              filter_reader_of(*theirs, bytes).passing(0, 20'000));
  }
  const policy_ptr own_name = own_policy(GetParam(), 10, policy_name::own);
  EXPECT_STREQ(policy_->CompatibilityName(), built_in_bloom()->CompatibilityName());
  EXPECT_STREQ(own_name->CompatibilityName(), "bloomery.Table1");
  EXPECT_EQ(filter_of(*own_name, 0, 1000), ours);
  EXPECT_EQ(filter_reader_of(*own_name, filter_of(*ribbon, 0, 5000)).passing(0, 10'000),
            10'000u);
}

// Changed, cut, longer: "possibly present" for every key.
TEST_P(RocksDBFilter, DamageMatchesEverything) {
  const std::string bytes = filter_of(*policy_, 0, 300);
  const auto matches_all = [&](const std::string& b) {
    return filter_reader_of(*policy_, b).passing(0, 400) == 400;
  };
  EXPECT_FALSE(matches_all(bytes));
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << bit % 8);
    ASSERT_TRUE(matches_all(changed)) << "bit " << bit;
  }
  std::mt19937_64 random(1);
  const policy_ptr own_name = own_policy(GetParam(), 10, policy_name::own);
  for (int i = 0; i < 20'000; ++i) {
    const std::string any = random_filter(random, true);
    const filter_reader_of f(*own_name, any);
    ASSERT_TRUE(f.may_contain("k") || any == filter_of(*policy_, 0, 0)) << i;
    (void)filter_reader_of(*policy_, any).may_contain("k");
  }
  for (std::size_t n = 1; n < bytes.size(); ++n) {
    const filter_reader_of cut(*own_name, bytes.substr(0, n)),
        behind(*own_name, bytes.substr(n));
    ASSERT_EQ(cut.passing(0, 40), 40u) << n;
    ASSERT_EQ(behind.passing(0, 40), 40u) << n;
  }
  count_cases("flips", 8 * bytes.size());
  count_cases("cuts", 2 * bytes.size());
  count_cases("random", 20'000);
}

TEST(RocksDBBudgetPolicy, EachLevelHasItsOwn) {
  const std::vector<level_filter> levels{{filter_form::built_in_bloom, 20},
                                         {filter_form::none, 0},
                                         {filter_form::built_in_ribbon, 7}};
  const auto policy = bloomery_rocksdb::new_budget_policy(levels, 2);
  const auto bits = [&](int level) {
    return 8.0 * static_cast<double>(filter_of(*policy, 0, 100'000, level).size()) / 1e5;
  };
  EXPECT_NEAR(bits(0), 20, 0.1);
  EXPECT_NEAR(bits(2), 20, 0.1);
  EXPECT_EQ(builder_of(*policy, 3), nullptr);
  EXPECT_NEAR(bits(4), 7, 0.15);
  EXPECT_NEAR(bits(6), 7, 0.15);
  EXPECT_NEAR(bits(-1), 7, 0.15);  // not known
}

}  // namespace
}  // namespace bloomery::testing
