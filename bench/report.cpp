// bench_report: the tables of docs/performance.md, measured now.
//
//   bench_report                      all filters and peers at 10k, 1M, 10M, 100M keys
//   bench_report --keys 1000000 --rounds 21         one size (the option repeats)
//   bench_report --only block --only RocksDB        some of them (a part of the name)
//   bench_report --kind portable                    one of ours, in detail
//   bench_report --json FILE --write docs/performance.md    for charts; into a document
//
// --write refuses, before it measures, above a load average of 0.5: other programs would
// be in the figures.  Progress goes to standard error, the result to standard output.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <bloomery/detail/kernels.hpp>

#include "comparison/comparison.hpp"
#include "comparison/huge_malloc.hpp"
#include "comparison/json.hpp"
#include "comparison/markdown.hpp"
#include "kit/document.hpp"
#include "kit/kinds.hpp"
#include "kit/machine.hpp"
#include "kit/table.hpp"
#include "peers/peers.hpp"

namespace bloomery::bench {
namespace {

struct arguments {
  std::string kind;  // empty: the comparison
  std::vector<std::string> only;
  std::vector<std::uint64_t> keys;
  double fpr = 0.01;
  options measuring;
  std::string document, json;
};

constexpr const char* usage =
    "usage: bench_report [--keys N]... [--fpr P] [--rounds R] [--only NAME]... "
    "[--json FILE] [--write FILE]\n"
    "       bench_report --kind K [--keys N]... [--fpr P] [--rounds R] [--threads T] "
    "[--write FILE]";

arguments parse(int argc, char** argv) {
  arguments a;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const char* value = argv[i + 1];
    const auto number = [&] { return std::strtoull(value, nullptr, 10); };
    if (name == "--kind")
      a.kind = value;
    else if (name == "--only")
      a.only.emplace_back(value);
    else if (name == "--keys")
      a.keys.push_back(number());
    else if (name == "--fpr")
      a.fpr = std::strtod(value, nullptr);
    else if (name == "--rounds")
      a.measuring.rounds = static_cast<unsigned>(number());
    else if (name == "--threads")
      a.measuring.threads = static_cast<unsigned>(number());
    else if (name == "--json")
      a.json = value;
    else if (name == "--write")
      a.document = value;
    else
      throw std::runtime_error(usage);
  }
  if (argc % 2 == 0 || a.measuring.rounds == 0 || a.measuring.threads == 0 ||
      std::ranges::count(a.keys, 0u) != 0)
    throw std::runtime_error(usage);
  if (a.keys.empty()) a.keys = {10'000, 1'000'000, 10'000'000, 100'000'000};
  return a;
}

std::string report_kind(const arguments& a) {
  const kind* measured = find_kind(a.kind);
  if (measured == nullptr) throw std::runtime_error("unknown kind " + a.kind);
  std::string out = describe_machine();
  std::vector<figures> sizes;
  for (const std::uint64_t keys : a.keys) {
    fmt::print(stderr, "measuring {} with {} keys ...\n", a.kind, keys);
    auto f = measured->measure(keys, a.fpr, a.measuring);
    if (!f) throw std::runtime_error(f.error().what);
    sizes.push_back(*std::move(f));
  }
  out += describe_load_at_end();
  out += fmt::format(
      "- filter: {}, kernel {}, target FPR {:g} %; {} rounds; ns are minimum "
      "(median)\n\n",
      a.kind, sizes.front().kernel, 100 * a.fpr, a.measuring.rounds);
  return out + speed_table(sizes) + "\n" + filters_table(sizes);
}

std::vector<candidate> chosen(const std::vector<std::string>& only) {
  std::vector<candidate> all = candidates();
  if (!only.empty())
    std::erase_if(all, [&](const candidate& c) {
      return std::ranges::none_of(only, [&](const std::string& part) {
        return c.name.find(part) != std::string::npos;
      });
    });
  if (all.empty()) throw std::runtime_error("no filter has such a name");
  return all;
}

std::string report_comparison(const arguments& a) {
  const std::vector<candidate> who = chosen(a.only);
  const std::string machine = describe_machine();
  const auto start = std::chrono::steady_clock::now();
  std::vector<row> rows;
  std::vector<string_row> strings;
  std::string missing = missing_peers();
  for (const std::uint64_t keys : a.keys) {
    const comparison_options o{a.fpr, a.measuring.rounds, [&](const std::string& what) {
                                 const std::chrono::duration<double> s =
                                     std::chrono::steady_clock::now() - start;
                                 fmt::print(stderr, "{:4.0f} s, {} keys: {}\n", s.count(),
                                            short_count(keys), what);
                               }};
    comparison_result now = compare(who, keys, o);
    std::ranges::move(now.rows, std::back_inserter(rows));
    for (const std::string& name : now.left_out)
      missing += fmt::format("{}with {} keys {}", missing.empty() ? "" : " and ",
                             short_count(keys), name);
    if (!a.only.empty()) continue;
    o.say("strings");
    strings.push_back(measure_strings(keys, a.fpr, a.measuring.rounds));
  }
  std::vector<set_row> sets;
  if (a.only.empty()) {
    fmt::print(stderr, "filter_set\n");
    sets.push_back(measure_set(64, 100'000, a.fpr, a.measuring.rounds));
  }
  if (!a.json.empty()) {
    std::ofstream file(a.json, std::ios::binary | std::ios::trunc);
    file << comparison_json(rows, strings, sets, machine + describe_load_at_end());
    file.close();
    if (!file) throw std::runtime_error(a.json + ": cannot write");
  }
  std::string out = machine + describe_load_at_end();
  out += fmt::format(
      "- kernel of the block filters: {}; target FPR {:g} %; {} rounds; ns are the "
      "minimum of them\n",
      kernel_name(), 100 * a.fpr, a.measuring.rounds);
  if (!missing.empty()) out += "- not measured: " + missing + "\n";
  out += "\n" + comparison_table(rows) + "\n" + comparison_legend(rows);
  if (!strings.empty())
    out += "\n16-byte strings, absent, batched:\n\n" + strings_table(strings);
  if (!sets.empty())
    out += "\nOne absent key against many filters, ns per key and filter:\n\n" +
           sets_table(sets);
  return out;
}

}  // namespace
}  // namespace bloomery::bench

int main(int argc, char** argv) {
  using namespace bloomery::bench;
  try {
    const arguments a = parse(argc, argv);
    if (!a.document.empty()) require_idle(load_average());
    use_huge_malloc(argv);
    const std::string text = a.kind.empty() ? report_comparison(a) : report_kind(a);
    fmt::print("{}", text);
    const std::string section =
        a.kind.empty() ? "bench_report" : "bench_report " + a.kind;
    if (!a.document.empty()) write_between_markers(a.document, section, text);
  } catch (const std::exception& e) {
    fmt::print(stderr, "bench_report: {}\n", e.what());
    return 2;
  }
}
