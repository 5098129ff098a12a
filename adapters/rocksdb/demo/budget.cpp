// Wasted reads of a tree of four levels that grow by ten: the same bits per key in each,
// and by the budget; predicted and counted.
#include <cstdio>

#include <bloomery_rocksdb/budget_policy.hpp>
#include <bloomery_rocksdb/filter_policy.hpp>

#include "demo.hpp"

namespace demo {
namespace {

using bloomery_rocksdb::filter_form;
using bloomery_rocksdb::level_filter;
using bloomery_rocksdb::level_plan;

constexpr int levels = 4, first_level = 1;
constexpr double bits_per_key = 10;

struct tree_case {
  const char* name;
  filter_form upper, lower;
  bool by_budget, in_short;
};

void measure(const std::filesystem::path& folder, std::uint64_t keys, const tree_case& c,
             double& wasted_equal) {
  const auto tree = bloomery_rocksdb::leveled_tree(static_cast<double>(keys), levels);
  const auto plan = bloomery_rocksdb::plan_levels(
      tree, {.bits_per_key = bits_per_key, .upper = c.upper, .lower = c.lower});
  if (!plan) return;
  std::vector<level_filter> filters = plan->levels;
  double predicted = plan->wasted_reads;
  if (!c.by_budget) {
    filters = {{c.upper, bits_per_key}};
    predicted = plan->wasted_reads_equal;
  }
  const bool is_built_in = c.upper == filter_form::built_in_bloom;
  const policy_ptr policy =
      is_built_in ? bloomery_rocksdb::new_budget_policy(filters, first_level)
                  : bloomery_rocksdb::new_filter_policy(
                        {.levels = filters, .first_level = first_level});
  store s(folder / c.name, policy);
  // The deepest level first; each has keys that no other has, from everywhere.
  std::vector<std::string> all;
  for (std::uint64_t i = 0; i < keys; ++i) all.push_back(key_of(2 * i));
  std::size_t at = 0;
  for (int l = levels - 1; l >= 0; --l) {
    const auto n = l == 0
                       ? all.size() - at
                       : static_cast<std::size_t>(tree[static_cast<std::size_t>(l)].keys);
    s.put_into_level(std::span(all).subspan(at, n), first_level + l);
    at += n;
  }
  s.count(true);
  const auto gets = some_keys(keys, 100'000, false);
  std::string value;
  for (const std::string& k : gets) (void)s.db().Get({}, k, &value);
  const double wasted =
      static_cast<double>(s.ticker(rocksdb::BLOOM_FILTER_FULL_POSITIVE)) /
      static_cast<double>(gets.size());
  if (wasted_equal == 0) wasted_equal = wasted;
  std::printf("%-34s %6.2f ", c.name,
              8 * static_cast<double>(s.filter_bytes()) / static_cast<double>(keys));
  for (std::size_t l = 0; l < levels; ++l)
    std::printf(" %5.1f", filters[std::min(l, filters.size() - 1)].bits_per_key);
  std::printf("  %9.4f %9.4f %7.0f %%\n", predicted, wasted,
              100 * (1 - wasted / wasted_equal));
}

}  // namespace

void measure_budget(const std::filesystem::path& folder, std::uint64_t keys,
                    bool is_short) {
  constexpr tree_case cases[] = {
      {"Bloom, equal bits", filter_form::built_in_bloom, filter_form::built_in_bloom,
       false, true},
      {"Bloom by the budget", filter_form::built_in_bloom, filter_form::built_in_bloom,
       true, true},
      {"Bloom, last level Ribbon, budget", filter_form::built_in_bloom,
       filter_form::built_in_ribbon, true, false},
      {"ours block, equal bits", filter_form::block, filter_form::block, false, false},
      {"ours block by the budget", filter_form::block, filter_form::block, true, false},
      {"ours block, last ribbon, budget", filter_form::block, filter_form::ribbon, true,
       true}};
  std::printf(
      "\na tree of %llu keys in %d levels that grow by 10, %.0f bits per key; wasted "
      "reads per absent Get\n",
      static_cast<unsigned long long>(keys), levels, bits_per_key);
  std::printf("%-34s %6s  %23s  %9s %9s %9s\n", "filters", "bits/k",
              "bits per key by level", "predicted", "counted", "fewer");
  double wasted_equal = 0;
  for (const tree_case& c : cases)
    if (!is_short || c.in_short) measure(folder, keys, c, wasted_equal);
}

}  // namespace demo
