// bench_end_to_end: what a user's call costs, with the key that the user has: an integer
// or a text, hashed by the filter's own hash as part of the call.
//
//   bench_end_to_end                               100k, 1M, 10M, 100M keys; some minutes
//   bench_end_to_end --keys 100000000 --rounds 7   one size (the option repeats)
//   bench_end_to_end --only u64 --only text16      some of the keys: u64, text8, text16,
//                                                  text32, text64; string16, string32
//                                                  (std::string) only if named
//   bench_end_to_end --write docs/performance.md
//
// bench_end_to_end is compiled for any x86-64, bench_end_to_end_v3 for x86-64-v3, both as
// a user's program is.  All filters take turns within a round.  --write refuses above a
// load average of 0.5.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "end_to_end/contender.hpp"
#include "kit/document.hpp"
#include "kit/interleave.hpp"
#include "kit/machine.hpp"
#include "kit/table.hpp"
#include "kit/user_keys.hpp"

namespace bloomery::bench {
namespace {

#if defined(__AVX2__)
constexpr const char* caller = "x86-64-v3";
constexpr const char* markers = "end_to_end_v3";
#else
constexpr const char* caller = "any x86-64";
constexpr const char* markers = "end_to_end";
#endif

struct arguments {
  std::vector<std::uint64_t> keys;
  unsigned rounds = 7;
  double fpr = 0.01;
  std::string document;
  std::vector<std::string> only;
};

const std::string key_options[] = {"u64",    "text8",    "text16",  "text32",
                                   "text64", "string16", "string32"};

constexpr const char* columns[] = {
    "insert",  "insert, batched",  "absent", "absent, batched",
    "present", "present, batched", "50/50",  "50/50, batched"};

// How our times compare with those of Boost's filter of the same memory, cell by cell.
struct tally {
  double logs = 0;
  unsigned cells = 0, above_5 = 0, above_10 = 0;

  void add(double ratio) noexcept {
    logs += std::log(ratio);
    ++cells;
    above_5 += ratio > 1.05;
    above_10 += ratio > 1.10;
  }
  std::string text() const {
    if (cells == 0) return "";
    return fmt::format(
        "\nOurs over Boost mb64, minima of {} cells: geometric mean {:.2f}; {} above "
        "1.05, {} above 1.10.\n",
        cells, std::exp(logs / cells), above_5, above_10);
  }
};

// Few keys are handled several times, or the clock would be a part of the figure.
constexpr std::size_t min_calls = std::size_t{1} << 20;
// Enough that neither a cache nor the branch predictor learns them.
constexpr std::size_t max_queries = std::size_t{1} << 20;
// A larger filter is full already, and a run inserts its first keys again: a store into a
// random line for each, as the first time.
constexpr std::size_t max_inserts = std::size_t{1} << 24;
// Above, integers and texts of 16 bytes only, unless others are named: all of them would
// take many minutes more.
constexpr std::uint64_t max_for_all_texts = 20'000'000;

// Keys 0 .. n-1, some at a time.
template <class Type>
void fill(contender<typename Type::key>& f, std::uint64_t n) {
  constexpr std::uint64_t at_once = 1 << 20;
  for (std::uint64_t first = 0; first < n; first += at_once)
    f.fill(user_keys<Type>(static_cast<std::size_t>(std::min(at_once, n - first)),
                           [first](std::size_t i) { return first + i; })
               .all());
}

template <class Type>
void measure(std::uint64_t n, const arguments& a, std::string& out, tally& sum) {
  using key_type = typename Type::key;
  const auto size = static_cast<std::size_t>(n);
  const std::size_t queries = std::min(size, max_queries);
  const auto drawn = [n](std::size_t i) { return scale(splitmix64(~i), n); };
  const auto other = [](std::size_t i) { return i + (std::uint64_t{1} << 40); };
  const user_keys<Type> fresh(std::min(size, max_inserts),
                              [](std::size_t i) { return i; });
  const user_keys<Type> present(queries, drawn), absent(queries, other),
      mixed(queries,
            [&](std::size_t i) { return splitmix64(i) % 2 == 0 ? drawn(i) : other(i); });
  const auto all = contenders<key_type>(n, a.fpr);
  if (size > max_inserts)
    for (const auto& c : all) fill<Type>(*c.filter, n);
  for (const auto& c : all)
    for (const auto* set : {&fresh, &present, &absent, &mixed})
      c.filter->expect(set->all());
  const std::size_t inserts = (min_calls + size - 1) / size,
                    lookups = (min_calls + queries - 1) / queries;
  std::vector<task> tasks;
  for (const auto& c : all) {
    contender<key_type>* f = c.filter.get();
    // Inserts first, so that the filter is full for the lookups of the round.
    const auto insert = [&](auto call) {
      tasks.push_back({inserts * fresh.all().size(),
                       [&fresh, f, inserts, call] {
                         for (std::size_t i = 0; i < inserts; ++i) call(*f, fresh.all());
                         return std::uint64_t{0};
                       },
                       [f, size] {
                         if (size <= max_inserts) f->clear();
                       }});
    };
    insert(
        [](contender<key_type>& x, std::span<const key_type> ks) { x.insert_each(ks); });
    insert([](contender<key_type>& x, std::span<const key_type> ks) {
      x.insert_batched(ks);
    });
    for (const auto* set : {&absent, &present, &mixed}) {
      const std::span<const key_type> ks = set->all();
      tasks.push_back({lookups * queries, [f, ks, lookups] {
                         std::uint64_t yes = 0;
                         for (std::size_t i = 0; i < lookups; ++i)
                           yes += f->count_each(ks);
                         return yes;
                       }});
      tasks.push_back({lookups * queries, [f, ks, lookups] {
                         std::uint64_t yes = 0;
                         for (std::size_t i = 0; i < lookups; ++i)
                           yes += f->count_batched(ks);
                         return yes;
                       }});
    }
  }
  const auto times = interleave(tasks, a.rounds);
  for (const auto& c : all)  // Nothing is timed that does not work.
    if (c.filter->count_batched(present.all()) != queries)
      throw std::runtime_error(c.name + ": a false negative");
  constexpr std::size_t per_filter = std::size(columns);
  for (std::size_t c = 0; c < all.size(); ++c) {
    out += fmt::format(
        "| {} | {} | {} | {:.2f} |", Type::name(), short_count(n),
        c == 0 ? "**block**" : all[c].name,
        8.0 * static_cast<double>(all[c].filter->bytes()) / static_cast<double>(n));
    for (std::size_t i = 0; i < per_filter; ++i) {
      const timing &ours = times[i], &mine = times[c * per_filter + i];
      out += fmt::format(" {:.1f} ({:.1f})", mine.min, mine.median);
      if (c + 1 == all.size())
        out += fmt::format(", hash {:+.2f}", ours.min - mine.min);
      else if (c != 0)
        out += fmt::format(", {:.2f}x", mine.min / ours.min);
      if (c == 1 && all.size() > 2) sum.add(ours.min / mine.min);
      out += " |";
    }
    out += "\n";
  }
}

// `optional`: only if it is named.
template <class Type>
void measure_if(bool optional, std::uint64_t n, const arguments& a, std::string& out,
                tally& sum) {
  const bool named = std::ranges::count(a.only, Type::option()) != 0;
  if (named || (a.only.empty() && !optional)) measure<Type>(n, a, out, sum);
}

std::string measured(const arguments& a) {
  std::string out = fmt::format(
      "{}- callers compiled for {}; {} rounds; ns per key: minimum (median), and the "
      "minimum as a multiple of ours; last, what our hash adds\n\n| key | keys | filter "
      "| bits/key |",
      describe_machine(), caller, a.rounds);
  for (const char* c : columns) out += fmt::format(" {} |", c);
  out += "\n|:--|--:|:--|--:|";
  for (std::size_t i = 0; i < std::size(columns); ++i) out += "--:|";
  out += "\n";
  tally sum;
  for (const std::uint64_t n : a.keys) {
    std::fprintf(stderr, "%s keys, callers for %s\n", short_count(n).c_str(), caller);
    const bool large = n > max_for_all_texts;
    measure_if<u64_key>(false, n, a, out, sum);
    measure_if<text_of_size<8>>(large, n, a, out, sum);
    measure_if<text_of_size<16>>(false, n, a, out, sum);
    measure_if<text_of_size<32>>(large, n, a, out, sum);
    measure_if<text_of_size<64>>(large, n, a, out, sum);
    measure_if<string_of_size<16>>(true, n, a, out, sum);
    measure_if<string_of_size<32>>(true, n, a, out, sum);
  }
  return out + sum.text() + "\n" + describe_load_at_end();
}

arguments parse(int argc, char** argv) {
  arguments a;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) throw std::runtime_error(name + " needs a value");
    if (name == "--keys")
      a.keys.push_back(std::strtoull(argv[i + 1], nullptr, 10));
    else if (name == "--rounds")
      a.rounds = static_cast<unsigned>(std::strtoul(argv[i + 1], nullptr, 10));
    else if (name == "--only")
      a.only.push_back(argv[i + 1]);
    else if (name == "--write")
      a.document = argv[i + 1];
    else
      throw std::runtime_error(
          "usage: bench_end_to_end [--keys N]... [--only KEY]... [--rounds R] "
          "[--write FILE]");
  }
  if (a.keys.empty()) a.keys = {100'000, 1'000'000, 10'000'000, 100'000'000};
  for (const std::string& only : a.only)
    if (std::ranges::count(key_options, only) == 0)
      throw std::runtime_error(
          "--only u64, text8, text16, text32, text64, string16 or "
          "string32");
  if (a.rounds == 0 || std::ranges::count(a.keys, std::uint64_t{0}) != 0)
    throw std::runtime_error("--keys and --rounds are at least 1");
  return a;
}

}  // namespace
}  // namespace bloomery::bench

int main(int argc, char** argv) try {
  using namespace bloomery::bench;
  const arguments a = parse(argc, argv);
  if (!a.document.empty()) require_idle(load_average());
  const std::string out = measured(a);
  std::fputs(out.c_str(), stdout);
  if (!a.document.empty()) write_between_markers(a.document, markers, out);
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_end_to_end: %s\n", e.what());
  return 2;
}
