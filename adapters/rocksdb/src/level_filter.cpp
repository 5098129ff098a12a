#include "bloomery_rocksdb/level_filter.hpp"

#include <algorithm>
#include <cmath>

#include <bloomery/kinds.hpp>
#include <bloomery/model.hpp>

#include "builtin_rates.hpp"
#include "own_forms.hpp"

namespace bloomery_rocksdb {
namespace {

using bloomery::errc;
using bloomery::error;
using bloomery::result;
namespace model = bloomery::model;

model::rate_curve curve_of(filter_form form, double keys) {
  const double of_table = std::max(keys, 1.0);
  if (const auto* const kind = kind_of(form))
    return bloomery::rate_curve_of(*kind, static_cast<std::uint64_t>(of_table));
  double least = 1;  // steps of RocksDB's tables must not make rates rise
  return model::rate_curve::of([&](double bits) {
    if (form == filter_form::built_in_bloom)
      least = std::min(least, builtin_bloom_fpr(bits));
    else if (const double p = builtin_ribbon_parameter(bits, of_table); p > 0)
      least = std::min(least, builtin_bloom_fpr(p));
    return least;
  });
}

}  // namespace

std::vector<level> leveled_tree(double keys, int levels, double growth) {
  std::vector<level> tree(static_cast<std::size_t>(levels));
  double part = 1, all = 0;
  for (level& l : tree) {
    l.keys = part;
    all += part;
    part *= growth;
  }
  for (level& l : tree) l.keys *= keys / all;
  return tree;
}

double expected_fpr(filter_form form, double bits_per_key, double keys) {
  return form == filter_form::none ? 1 : curve_of(form, keys).at(bits_per_key);
}

result<level_plan> plan_levels(std::span<const level> tree, const plan_options& o) {
  if (tree.empty()) return error{errc::invalid_argument, "a tree has levels"};
  if (o.upper == filter_form::none || o.lower == filter_form::none)
    return error{errc::invalid_argument, "a budget is for forms that are filters"};
  const auto last = static_cast<int>(tree.size()) - 1;
  const int lower_from = o.lower_from < 0 ? last : o.lower_from;
  std::vector<model::rate_curve> curves, equal;
  std::vector<model::budget_filter> filters;
  double keys = 0;
  for (const level& l : tree) {
    const bool is_lower = static_cast<int>(curves.size()) >= lower_from;
    const double of_table = std::min(l.keys, o.keys_per_table);
    curves.push_back(curve_of(is_lower ? o.lower : o.upper, of_table));
    equal.push_back(curve_of(o.upper, of_table));
    keys += l.keys;
  }
  for (std::size_t i = 0; i < tree.size(); ++i)
    filters.push_back({tree[i].keys, tree[i].lookups * tree[i].runs, &curves[i]});
  std::vector<double> bits(tree.size());
  const auto best = model::budget(filters, keys * o.bits_per_key, bits);
  if (!best) return best.error();
  level_plan plan;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const bool is_lower = static_cast<int>(i) >= lower_from;
    const filter_form form = is_lower ? o.lower : o.upper;
    plan.levels.push_back({bits[i] > 0 ? form : filter_form::none, bits[i]});
    plan.wasted_reads_equal += filters[i].lookups * equal[i].at(o.bits_per_key);
  }
  plan.bits_per_key = keys > 0 ? best->bits / keys : 0;
  plan.wasted_reads = best->wasted_reads;
  return plan;
}

}  // namespace bloomery_rocksdb
