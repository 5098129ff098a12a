// The table of Gets: each policy its own database, the same keys in all; they take turns,
// of which minimum and median are shown.
#include <rocksdb/table.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include <bloomery_rocksdb/filter_policy.hpp>

#include "builtin_rates.hpp"
#include "demo.hpp"
#include "internal_classes.hpp"

namespace demo {
namespace {

using bloomery_rocksdb::filter_form;
using bloomery_rocksdb::new_filter_policy;

// As in tables of 64 MiB.
constexpr std::uint64_t keys_per_table = 500'000;

struct times {
  std::vector<double> ns;
  void add(double one) { ns.push_back(one); }
  double least() const { return *std::ranges::min_element(ns); }
  double median() const {
    auto sorted = ns;
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2];
  }
};

template <class Work>
double ns_per(std::size_t n, Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double, std::nano> took =
      std::chrono::steady_clock::now() - start;
  return took.count() / static_cast<double>(n);
}

// A filter of one table's keys, for probes without the engine.
struct bare_filter {
  std::unique_ptr<const char[]> memory;
  std::unique_ptr<rocksdb::FilterBitsReader> reader;

  bare_filter() = default;
  bare_filter(const rocksdb::FilterPolicy& policy, std::span<const std::string> keys) {
    const rocksdb::BlockBasedTableOptions options;
    const std::unique_ptr<rocksdb::FilterBitsBuilder> builder(
        policy.GetBuilderWithContext(rocksdb::FilterBuildingContext(options)));
    for (const std::string& k : keys) builder->AddKey(k);
    const rocksdb::Slice bits = builder->Finish(&memory);
    reader.reset(policy.GetFilterBitsReader(bits));
  }
};

struct contender {
  const char* name;
  policy_ptr policy;
  std::unique_ptr<store> db{};
  bare_filter bare{};
  times absent{}, present{}, batched{}, cold{}, probe{};
  std::uint64_t useful = 0, false_positives = 0;
  double rate = 0;      // of the bare filter, by many more keys
  double build_ns = 0;  // of it, per key, keys hashed; once
};

std::vector<contender> contenders(bool is_short) {
  // The rate of RocksDB's Bloom filter at 10 bits, for "equal rate".
  const double rate = bloomery_rocksdb::builtin_bloom_fpr(10);
  const auto at_rate = [&](filter_form f) {
    return new_filter_policy({.levels = {{f, 0, rate}}});
  };
  const auto at_bits = [](filter_form f) {
    return new_filter_policy({.levels = {{f, 10}}});
  };
  std::vector<contender> all;
  all.push_back({"none", nullptr});
  all.push_back(
      {"built-in Bloom, 10 bits", policy_ptr(rocksdb::NewBloomFilterPolicy(10))});
  all.push_back({"ours block, 10 bits", at_bits(filter_form::block)});
  all.push_back({"built-in Ribbon, equal rate",
                 policy_ptr(rocksdb::NewRibbonFilterPolicy(10, -1))});
  all.push_back({"ours ribbon, equal rate", at_rate(filter_form::ribbon)});
  all.push_back({"ours fuse, 1/128", at_rate(filter_form::fuse)});
  if (is_short) return all;
  all.push_back({"ours block, equal rate", at_rate(filter_form::block)});
  all.push_back({"built-in Ribbon, 10 bits", at_bits(filter_form::built_in_ribbon)});
  all.push_back({"ours ribbon, 10 bits", at_bits(filter_form::ribbon)});
  all.push_back({"ours fuse, 10 bits", at_bits(filter_form::fuse)});
  return all;
}

void get_all(store& s, std::span<const std::string> keys) {
  rocksdb::PinnableSlice value;
  for (const std::string& k : keys) {
    (void)s.db().Get({}, s.db().DefaultColumnFamily(), k, &value);
    value.Reset();
  }
}
void get_batches(store& s, std::span<const std::string> keys) {
  constexpr std::size_t batch = 32;
  std::array<rocksdb::Slice, batch> slices;
  std::array<rocksdb::PinnableSlice, batch> values;
  std::array<rocksdb::Status, batch> found;
  for (std::size_t i = 0; i + batch <= keys.size(); i += batch) {
    for (std::size_t j = 0; j < batch; ++j) slices[j] = keys[i + j];
    s.db().MultiGet({}, s.db().DefaultColumnFamily(), batch, slices.data(), values.data(),
                    found.data());
    for (auto& v : values) v.Reset();
  }
}

// So short that most turns are not interrupted.
constexpr std::size_t gets_per_turn = 2048;

template <class Work>
void take_turns(std::span<contender> all, std::span<const std::string> keys,
                times contender::*kept, Work work) {
  for (std::size_t i = 0; i + gets_per_turn <= keys.size(); i += gets_per_turn)
    for (contender& c : all) {
      const auto some = keys.subspan(i, gets_per_turn);
      (c.*kept).add(ns_per(some.size(), [&] { work(c, some); }));
    }
}

void count_once(contender& c, std::span<const std::string> absent) {
  c.db->count(true);
  const auto useful = c.db->ticker(rocksdb::BLOOM_FILTER_USEFUL),
             passed = c.db->ticker(rocksdb::BLOOM_FILTER_FULL_POSITIVE);
  get_all(*c.db, absent);
  c.useful = c.db->ticker(rocksdb::BLOOM_FILTER_USEFUL) - useful;
  c.false_positives = c.db->ticker(rocksdb::BLOOM_FILTER_FULL_POSITIVE) - passed;
  c.db->count(false);
}

void print_row(contender& c, std::uint64_t keys) {
  const auto bytes = static_cast<double>(c.db->filter_bytes());
  std::printf("%-28s %10.0f %7.3f %7llu %6llu", c.name, bytes,
              8 * bytes / static_cast<double>(keys),
              static_cast<unsigned long long>(c.useful),
              static_cast<unsigned long long>(c.false_positives));
  if (c.bare.reader)
    std::printf(" %6.3f%%", 100 * c.rate);
  else
    std::printf(" %7s", "-");
  for (const times* t : {&c.absent, &c.batched, &c.present, &c.cold})
    std::printf("  %5.0f %5.0f", t->least(), t->median());
  if (c.bare.reader)
    std::printf("  %5.1f %5.1f  %5.0f", c.probe.least(), c.probe.median(), c.build_ns);
  std::puts("");
}

}  // namespace

void measure_gets(const std::filesystem::path& folder, std::uint64_t keys, int rounds,
                  bool is_short) {
  const std::uint64_t gets = is_short ? 20'000 : std::min<std::uint64_t>(keys, 200'000);
  const auto absent = some_keys(keys, gets, false), present = some_keys(keys, gets, true);
  const auto many_absent = some_keys(keys, is_short ? 500'000 : 4'000'000, false);
  const auto few_absent = std::span(absent).first(gets / 10);
  const std::uint64_t tables = (keys + keys_per_table - 1) / keys_per_table;
  std::vector<std::string> of_table;
  for (std::uint64_t i = 0; i < keys / tables; ++i) of_table.push_back(key_of(2 * i));
  auto all = contenders(is_short);
  for (contender& c : all) {
    c.db = std::make_unique<store>(folder / c.name, c.policy);
    c.db->ingest(keys, tables);
    if (c.policy) {
      c.build_ns =
          ns_per(keys / tables, [&] { c.bare = bare_filter(*c.policy, of_table); });
      std::uint64_t passed = 0;
      for (const std::string& k : many_absent) passed += c.bare.reader->MayMatch(k);
      c.rate = static_cast<double>(passed) / static_cast<double>(many_absent.size());
    }
    get_all(*c.db, present);  // into the cache
    count_once(c, absent);
  }
  std::uint64_t found = 0;
  const auto probe = [&](contender& c, std::span<const std::string> some) {
    for (const std::string& k : some) found += c.bare.reader->MayMatch(k);
  };
  for (int round = 0; round < rounds; ++round) {
    take_turns(all, absent, &contender::absent,
               [](contender& c, auto some) { get_all(*c.db, some); });
    take_turns(all, absent, &contender::batched,
               [](contender& c, auto some) { get_batches(*c.db, some); });
    take_turns(all, present, &contender::present,
               [](contender& c, auto some) { get_all(*c.db, some); });
    take_turns(std::span(all).subspan(1), absent, &contender::probe, probe);
  }
  for (int round = 0; round < rounds; ++round)
    for (contender& c : all) {
      c.db->empty_cache();
      c.cold.add(ns_per(few_absent.size(), [&] { get_all(*c.db, few_absent); }));
    }
  std::printf(
      "\n%llu keys of 16 bytes, values of 100, %llu tables, %llu Gets of each sort; "
      "ns, minimum and median of turns, %d rounds\n",
      static_cast<unsigned long long>(keys), static_cast<unsigned long long>(tables),
      static_cast<unsigned long long>(gets), rounds);
  std::printf("%-28s %10s %7s %7s %6s %7s  %11s  %11s  %11s  %11s  %11s  %5s\n", "policy",
              "filters, B", "bits/k", "useful", "false", "rate", "absent Get", "MultiGet",
              "present Get", "cold absent", "probe", "build");
  for (contender& c : all) print_row(c, keys);
  const auto ratio = [](const times& a, const times& b) { return a.least() / b.least(); };
  std::printf(
      "absent Get, ours block / built-in Bloom: %.3f of minima; probe, ours ribbon / "
      "built-in Ribbon: %.3f\n",
      ratio(all[2].absent, all[1].absent), ratio(all[4].probe, all[3].probe));
  const auto bytes = [](contender& c) {
    return static_cast<double>(c.db->filter_bytes());
  };
  std::printf(
      "filters at equal rate, ours ribbon: %.1f %% below built-in Ribbon, %.1f %% "
      "below built-in Bloom\n",
      100 * (1 - bytes(all[4]) / bytes(all[3])),
      100 * (1 - bytes(all[4]) / bytes(all[1])));
  if (found == ~std::uint64_t{0}) std::puts("");  // the probes are not optimised away
}

}  // namespace demo
