// Gets of absent and of present keys: databases take turns, and each turn has other keys.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "engines/leveldb/database.hpp"
#include "kit/interleave.hpp"
#include "kit/mix.hpp"

namespace bloomery::bench {
namespace {

constexpr std::size_t gets_per_turn = 2000;

struct cursor {
  leveldb::DB* db;
  bool present;
  std::uint64_t keys;
  std::uint64_t at = 0;
  std::vector<std::string> next{};

  void prepare() {
    next.clear();
    for (std::size_t i = 0; i < gets_per_turn; ++i, ++at)
      next.push_back(
          leveldb_key(present ? scale(splitmix64(at), keys) : absent_from + at));
  }
  std::uint64_t get() const {
    std::string value;
    std::uint64_t found = 0;
    for (const std::string& k : next) found += db->Get({}, k, &value).ok();
    if (found != (present ? next.size() : 0)) throw std::runtime_error("a wrong Get");
    return found;
  }
};

// Absent and present Gets of each database, in this order.
std::vector<timing> turns(std::vector<database>& all, const leveldb_request& r,
                          std::size_t cache_bytes) {
  std::vector<cursor> cursors;
  for (database& d : all) {
    leveldb::DB& db = d.open(cache_bytes);
    for (const bool present : {false, true}) cursors.push_back({&db, present, r.keys});
    if (cache_bytes == 0) continue;
    std::string value;  // every block into the cache
    for (std::uint64_t i = 0; i < r.keys; ++i) (void)db.Get({}, leveldb_key(i), &value);
  }
  std::vector<task> tasks;
  for (cursor& c : cursors)
    tasks.push_back({gets_per_turn, [&c] { return c.get(); }, [&c] { c.prepare(); }});
  auto times = interleave(tasks, r.rounds);
  for (database& d : all) d.close();
  return times;
}

std::string pair_of(const timing& t) {
  return fmt::format("{:.0f} ({:.0f})", t.min, t.median);
}

}  // namespace

std::string gets_section(const leveldb_request& r) {
  const auto policies = contenders();
  std::vector<database> all;
  all.reserve(policies.size());
  for (const contender& c : policies) all.emplace_back(c, r.folder, r.keys);
  const auto warm = turns(all, r, std::size_t{1} << 30), cold = turns(all, r, 0);

  const auto lookups = std::min<std::uint64_t>(200'000, 10 * r.keys);
  std::string out = fmt::format(
      "{} keys of 16 bytes, values of 100 that Snappy halves; ns per Get, minimum and "
      "(median) of\n"
      "{} rounds of {} Gets in turn. Warm: every block in the block cache; cold: none, "
      "files in memory.\n\n"
      "| filters | bits per key | useful | false positives | absent, warm | present, "
      "warm "
      "| absent, cold | present, cold |\n|---|---|---|---|---|---|---|---|\n",
      r.keys, r.rounds, gets_per_turn);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const answers a = answers_of(all[i], lookups);
    const double bits = 8 * static_cast<double>(all[i].filter_bytes());
    const double asked = static_cast<double>(a.refused + a.passed);
    out += fmt::format("| {} | {:.2f} | {} | {} ({:.2f} %) | {} | {} | {} | {} |\n",
                       policies[i].name, bits / static_cast<double>(r.keys), a.refused,
                       a.passed,
                       asked == 0 ? 0 : 100 * static_cast<double>(a.passed) / asked,
                       pair_of(warm[2 * i]), pair_of(warm[2 * i + 1]),
                       pair_of(cold[2 * i]), pair_of(cold[2 * i + 1]));
  }
  // By their places in contenders().
  out += fmt::format(
      "\nAbsent Gets with ours at 10 bits, of the built-in's time at 10 bits: {:.3f} "
      "warm, "
      "{:.3f} cold (minima).\n",
      warm[4].min / warm[2].min, cold[4].min / cold[2].min);
  return out;
}

}  // namespace bloomery::bench
