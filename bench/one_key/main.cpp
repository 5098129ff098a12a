// bench_one_key: one call with an integer, its hash included, of every kind, beside other
// libraries' filters.
//
//   bench_one_key                                1M and 10M keys
//   bench_one_key --keys 1000000 --rounds 21 --only fuse --only BinaryFuse8
//   bench_one_key --write docs/performance.md
//
// "Called" is the loop of the public yardstick, fastfilter_cpp's bulk-insert-and-query: a
// function that is not inlined, integer in, bool out.  "Inline" is a user's loop around
// the call.  bench_one_key is compiled for any x86-64, bench_one_key_v3 for x86-64-v3,
// both as a user's program is.  All filters take turns within a round.  The floors are
// one and two random cache lines per key of an array of the same size, with keys that are
// hashed already.  --write refuses above a load average of 0.5.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "comparison/huge_malloc.hpp"
#include "kit/document.hpp"
#include "kit/floor.hpp"
#include "kit/interleave.hpp"
#include "kit/machine.hpp"
#include "kit/mix.hpp"
#include "kit/table.hpp"
#include "one_key/contenders.hpp"

namespace bloomery::bench {
namespace {

#if defined(__AVX2__)
constexpr const char* caller = "x86-64-v3";
constexpr const char* markers = "one_key_v3";
#else
constexpr const char* caller = "any x86-64";
constexpr const char* markers = "one_key";
#endif

struct arguments {
  std::vector<std::uint64_t> keys;
  std::vector<std::string> only;
  unsigned rounds = 7;
  std::string document;
};

using filter_ptr = std::unique_ptr<void, void (*)(void*)>;

struct subject {
  const one_key_contender* contender;
  filter_ptr filter{nullptr, nullptr};
  line_floor floor;
};

// Random, and no two alike: those below 2^40 are present, if they are below n.
std::uint64_t key_of(std::uint64_t i) { return splitmix64(i); }

struct key_sets {
  std::vector<std::uint64_t> fresh, present, absent, mixed;
  explicit key_sets(std::uint64_t n) {
    // Enough that neither a cache nor the branch predictor learns them.
    constexpr std::uint64_t queries = std::uint64_t{1} << 20;
    const auto drawn = [n](std::uint64_t i) { return key_of(scale(splitmix64(~i), n)); };
    const auto other = [](std::uint64_t i) {
      return key_of(i + (std::uint64_t{1} << 40));
    };
    for (std::uint64_t i = 0; i < n; ++i) fresh.push_back(key_of(i));
    for (std::uint64_t i = 0; i < queries; ++i) {
      present.push_back(drawn(i));
      absent.push_back(other(i));
      mixed.push_back(splitmix64(i) % 2 == 0 ? drawn(i) : other(i));
    }
  }
};

bool is_wanted(const one_key_contender& c, const arguments& a) {
  return a.only.empty() || std::ranges::find(a.only, c.name) != a.only.end();
}

std::vector<subject> subjects(const arguments& a, const key_sets& keys) {
  std::vector<subject> all;
  for (const one_key_contender& c : one_key_contenders()) {
    if (!is_wanted(c, a)) continue;
    const auto& ks = keys.fresh;
    filter_ptr f(c.make != nullptr ? c.make(ks.size(), c.bits)
                                   : c.build(ks.data(), ks.size(), c.bits),
                 c.free);
    if (f == nullptr) continue;
    if (c.make != nullptr) c.insert(f.get(), ks.data(), ks.size());
    // Nothing is timed that does not work.
    const auto& there = keys.present;
    for (const auto count : {c.count_inline, c.count_called})
      if (!c.forgets && count(f.get(), there.data(), there.size()) != there.size())
        throw std::runtime_error(std::string(c.name) + ": a false negative");
    auto floor = line_floor::make(c.bytes(f.get()));
    if (!floor) throw std::runtime_error(floor.error().what);
    all.push_back({&c, std::move(f), *std::move(floor)});
  }
  return all;
}

constexpr const char* columns[] = {"insert",          "absent, called", "present, called",
                                   "50/50, called",   "absent, inline", "present, inline",
                                   "floor, one line", "two lines"};
constexpr std::size_t lookups_from = 1, floors_from = 6;

// Those of one subject, in the order of the columns.
void add_tasks(subject& s, const key_sets& keys, std::vector<task>& tasks) {
  const one_key_contender& c = *s.contender;
  const auto& fresh = keys.fresh;
  if (c.make != nullptr)
    tasks.push_back({fresh.size(),
                     [&] {
                       c.insert(s.filter.get(), fresh.data(), fresh.size());
                       return std::uint64_t{0};
                     },
                     [&] { s.filter.reset(c.make(fresh.size(), c.bits)); }});
  else
    tasks.push_back({1, [] { return std::uint64_t{0}; }});
  const auto ask = [&](const std::vector<std::uint64_t>& ks, auto count) {
    tasks.push_back(
        {ks.size(), [&, count] { return count(s.filter.get(), ks.data(), ks.size()); }});
  };
  for (const auto* ks : {&keys.absent, &keys.present, &keys.mixed})
    ask(*ks, c.count_called);
  for (const auto* ks : {&keys.absent, &keys.present}) ask(*ks, c.count_inline);
  tasks.push_back({line_floor::accesses, [&] { return s.floor.load_plain(); }});
  tasks.push_back({line_floor::accesses, [&] { return s.floor.load_two_plain(); }});
}

std::string measured(std::uint64_t n, const arguments& a) {
  std::fprintf(stderr, "%s keys, callers for %s\n", short_count(n).c_str(), caller);
  const key_sets keys(n);
  std::vector<subject> all = subjects(a, keys);
  std::vector<task> tasks;
  for (subject& s : all) add_tasks(s, keys, tasks);
  const auto times = interleave(tasks, a.rounds);
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const one_key_contender& c = *all[i].contender;
    void* const f = all[i].filter.get();
    const double size = static_cast<double>(keys.absent.size()),
                 wrong = static_cast<double>(
                     c.count_called(f, keys.absent.data(), keys.absent.size()));
    out += fmt::format("| {} | {} | {:.2f} | {:.3g} % |", short_count(n), c.name,
                       8.0 * static_cast<double>(c.bytes(f)) / static_cast<double>(n),
                       100 * wrong / size);
    for (std::size_t j = 0; j < std::size(columns); ++j) {
      const timing& t = times[i * std::size(columns) + j];
      if (j < lookups_from && c.make == nullptr)
        out += " - |";
      else if (j >= floors_from)
        out += fmt::format(" {:.1f} |", t.min);
      else
        out += fmt::format(" {:.1f} ({:.1f}) |", t.min, t.median);
    }
    out += "\n";
  }
  return out;
}

std::string measured(const arguments& a) {
  std::string out = fmt::format(
      "{}- callers compiled for {}; {} rounds; ns per key: minimum (median){}\n\n"
      "| keys | filter | bits/key | rate |",
      describe_machine(), caller, a.rounds, missing_one_key_peers());
  for (const char* c : columns) out += fmt::format(" {} |", c);
  out += "\n|--:|:--|--:|--:|";
  for (std::size_t i = 0; i < std::size(columns); ++i) out += "--:|";
  out += "\n";
  for (const std::uint64_t n : a.keys) out += measured(n, a);
  return out + "\n" + describe_load_at_end();
}

arguments parse(int argc, char** argv) {
  arguments a;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) throw std::runtime_error(name + " needs a value");
    if (name == "--keys")
      a.keys.push_back(std::strtoull(argv[i + 1], nullptr, 10));
    else if (name == "--only")
      a.only.push_back(argv[i + 1]);
    else if (name == "--rounds")
      a.rounds = static_cast<unsigned>(std::strtoul(argv[i + 1], nullptr, 10));
    else if (name == "--write")
      a.document = argv[i + 1];
    else
      throw std::runtime_error(
          "usage: bench_one_key [--keys N]... [--only NAME]... [--rounds R] "
          "[--write FILE]");
  }
  if (a.keys.empty()) a.keys = {1'000'000, 10'000'000};
  if (a.rounds == 0 || std::ranges::count(a.keys, std::uint64_t{0}) != 0)
    throw std::runtime_error("--keys and --rounds are at least 1");
  return a;
}

}  // namespace
}  // namespace bloomery::bench

int main(int argc, char** argv) try {
  using namespace bloomery::bench;
  const arguments a = parse(argc, argv);
  use_huge_malloc(argv);
  if (!a.document.empty()) require_idle(load_average());
  const std::string out = measured(a);
  std::fputs(out.c_str(), stdout);
  if (!a.document.empty()) write_between_markers(a.document, markers, out);
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_one_key: %s\n", e.what());
  return 2;
}
