// Bits by level under one budget: what is predicted, and what the engine counts.
#include <random>

#include "cases.hpp"
#include "database.hpp"
#include "filter_bytes.hpp"
#include "temp_dir.hpp"

namespace bloomery::testing {
namespace {

using namespace bloomery_rocksdb;

// RocksDB's own filters have the rates and sizes that plans take for granted.
TEST(RocksDBPlan, BuiltInRatesAndSizes) {
  constexpr std::uint32_t keys = 100'000, asked = 400'000;
  for (const auto form : {filter_form::built_in_bloom, filter_form::built_in_ribbon})
    for (const double bits : {3.0, 5.5, 7.0, 9.25, 10.0, 12.0, 14.0}) {
      const auto policy = new_budget_policy(std::vector<level_filter>{{form, bits}});
      const std::string bytes = filter_of(*policy, 0, keys);
      const double measured = 8.0 * static_cast<double>(bytes.size()) / keys;
      EXPECT_NEAR(measured, bits, 0.02 * bits + 0.02) << int(form) << ' ' << bits;
      const double rate =
          filter_reader_of(*policy, bytes).passing(keys, keys + asked) / double{asked};
      const double expected = expected_fpr(form, measured, keys);
      EXPECT_NEAR(rate, expected, 0.12 * expected + 4 * std::sqrt(expected / asked))
          << int(form) << ' ' << bits;
    }
}

TEST(RocksDBPlan, SpendsItsBudget) {
  const auto tree = leveled_tree(1e7, 4);
  double keys = 0;
  for (const level& l : tree) keys += l.keys;
  EXPECT_NEAR(keys, 1e7, 1);
  for (const double bits : {2.0, 5.0, 10.0, 16.0})
    for (const auto lower : {filter_form::built_in_bloom, filter_form::built_in_ribbon}) {
      const auto plan = plan_levels(tree, {.bits_per_key = bits, .lower = lower});
      ASSERT_TRUE(plan);
      EXPECT_LE(plan->bits_per_key, bits * 1.0001);
      EXPECT_GE(plan->bits_per_key, bits * 0.97);
      EXPECT_LT(plan->wasted_reads, plan->wasted_reads_equal);
      for (std::size_t i = 1; i < tree.size(); ++i)
        EXPECT_LE(plan->levels[i].bits_per_key, plan->levels[i - 1].bits_per_key);
    }
  EXPECT_FALSE(plan_levels({}));
  EXPECT_FALSE(plan_levels(tree, {.bits_per_key = -1}));
  EXPECT_FALSE(plan_levels(tree, {.upper = filter_form::none}));
}

// Files of level 0 are asked each: they deserve more.
TEST(RocksDBPlan, RunsCount) {
  std::vector<level> tree = leveled_tree(1e6, 3);
  const auto one = plan_levels(tree);
  tree[0].runs = 8;
  const auto many = plan_levels(tree);
  ASSERT_TRUE(one && many);
  EXPECT_GT(many->levels[0].bits_per_key, one->levels[0].bits_per_key);
}

struct counted_tree {
  double wasted, predicted, bits_per_key;
};

constexpr int first_level = 1, levels = 4;
constexpr std::uint32_t tree_keys = 100'000;

counted_tree count(const policy_ptr& policy, double predicted) {
  const temp_dir folder;
  database db(folder / "db", {.policy = policy,
                              .memtable = 32 << 20,
                              .cache = 64 << 20,
                              .compacts = false,
                              .in_memory = true});
  const auto tree = leveled_tree(tree_keys, levels);
  const auto key_at = [](std::uint64_t i) {
    return std::to_string(i * 0x9e3779b97f4a7c15);
  };
  std::uint64_t next = 0;
  for (int l = levels - 1; l >= 0; --l) {
    for (auto n = static_cast<std::uint64_t>(tree[static_cast<std::size_t>(l)].keys);
         n-- > 0;)
      must(db->Put({}, key_at(2 * next++), "value"));
    must(db->Flush({}));
    std::vector<rocksdb::LiveFileMetaData> files;
    db->GetLiveFilesMetaData(&files);
    std::vector<std::string> names;
    for (const auto& f : files)
      if (f.level == 0) names.push_back(f.name);
    must(db->CompactFiles({}, names, first_level + l));
  }
  constexpr std::uint64_t gets = 100'000;
  std::string value;
  for (std::uint64_t i = 0; i < gets; ++i)
    EXPECT_TRUE(db->Get({}, key_at(2 * i + 1), &value).IsNotFound());
  return {static_cast<double>(db.positive()) / gets, predicted,
          8.0 * static_cast<double>(db.filter_bytes()) / static_cast<double>(next)};
}

TEST(RocksDBPlan, TheBudgetHalvesWastedReads) {
  constexpr double bits = 10;
  const auto tree = leveled_tree(tree_keys, levels);
  const auto built_in =
      plan_levels(tree, {.bits_per_key = bits, .lower = filter_form::built_in_bloom});
  const auto ours = plan_levels(
      tree,
      {.bits_per_key = bits, .upper = filter_form::block, .lower = filter_form::ribbon});
  ASSERT_TRUE(built_in && ours);
  const counted_tree equal = count(built_in_bloom(bits), built_in->wasted_reads_equal),
                     by_budget = count(new_budget_policy(built_in->levels, first_level),
                                       built_in->wasted_reads),
                     by_ours = count(new_filter_policy({.levels = ours->levels,
                                                        .first_level = first_level}),
                                     ours->wasted_reads);
  for (const counted_tree& t : {equal, by_budget, by_ours}) {
    EXPECT_LE(t.bits_per_key, 1.01 * bits);
    EXPECT_NEAR(t.wasted, t.predicted, 0.2 * t.predicted);
  }
  EXPECT_LE(by_budget.wasted, 0.5 * equal.wasted);
  EXPECT_LE(by_ours.wasted, 0.5 * equal.wasted);
  count_cases("gets", 300'000);
}

}  // namespace
}  // namespace bloomery::testing
