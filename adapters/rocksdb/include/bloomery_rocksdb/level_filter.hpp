// Which filter the tables of each level of a tree get, by hand or from one memory budget.
//
//   const auto tree = bloomery_rocksdb::leveled_tree(1e9, 4);      // levels that grow by
//   10 const auto plan = bloomery_rocksdb::plan_levels(tree, {.bits_per_key = 10});
//   plan->levels[0].bits_per_key                                   // of the smallest
//   level plan->wasted_reads / plan->wasted_reads_equal                  // what it is
//   worth
//
// A Get of an absent key asks the filter of every level, and each false positive reads a
// block.  Levels that are a hundredth of the tree take a hundredth of its bits: with a
// few bits more there, and half a bit less in the last level, false positives fall by
// half (Dayan, Athanassoulis and Idreos, "Monkey", 2017; model::budget).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <bloomery/result.hpp>

namespace bloomery_rocksdb {

enum class filter_form : std::uint8_t {
  none,
  built_in_bloom,   // RocksDB's FastLocalBloom
  built_in_ribbon,  // RocksDB's Standard128Ribbon
  block,            // one cache line per lookup
  ribbon,           // the smallest
  fuse,             // between the two; the rate is a power of 1/2
};

struct level_filter {
  filter_form form = filter_form::block;
  // Bits that the filter takes, of built_in_ribbon too: RocksDB's own parameter there is
  // that of a Bloom filter of the same rate.
  double bits_per_key = 10;
  double fpr = 0;  // not 0: the rate, instead of bits; of built-in filters too
};

// A level, or one run of level 0.
struct level {
  double keys = 0;
  double lookups = 1;  // of keys that are not in it, in any unit
  int runs = 1;        // of level 0: its files, each of which every Get asks
};

// Levels that grow by `growth`, with so many keys in all; the first is the smallest.
// REQUIRES: levels >= 1, growth >= 1
std::vector<level> leveled_tree(double keys, int levels, double growth = 10);

struct plan_options {
  double bits_per_key = 10;  // on average over all keys: the budget
  filter_form upper = filter_form::built_in_bloom;
  filter_form lower = filter_form::built_in_ribbon;
  // The first level that gets `lower`, as RocksDB's bloom_before_level; -1: the last one
  // alone; the number of levels or more: none.
  int lower_from = -1;
  double keys_per_table = 500'000;  // small filters cost more bits
};

struct level_plan {
  std::vector<level_filter> levels;
  double bits_per_key = 0;        // on average, at most the budget
  double wasted_reads = 0;        // expected for one lookup of an absent key
  double wasted_reads_equal = 0;  // with `upper` and the same bits per key in every level
};

// Errors: those of model::budget; invalid_argument (no level, a form without filters).
bloomery::result<level_plan> plan_levels(std::span<const level> tree,
                                         const plan_options& options = {});

// The rate of a filter of `form` for so many keys, with so many bits per key.
double expected_fpr(filter_form form, double bits_per_key, double keys = 500'000);

}  // namespace bloomery_rocksdb
