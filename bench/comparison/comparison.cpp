#include "comparison/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <stdexcept>

#include "comparison/sized_candidate.hpp"
#include "kit/floor.hpp"
#include "kit/machine.hpp"
#include "kit/workload.hpp"

namespace bloomery::bench {
namespace {

// Large builds are long enough to be steady, and too long to be repeated much.
unsigned build_rounds(std::uint64_t keys, unsigned rounds) {
  if (keys <= queries) return rounds;
  return std::min(rounds, keys <= 16 * queries ? 3u : 1u);
}

void build_all(std::deque<sized_candidate>& all, const comparison_options& o) {
  const std::uint64_t keys = all.front().figures.keys;
  std::vector<std::vector<double>> alone(all.size()), threaded(all.size());
  for (unsigned round = 0; round < build_rounds(keys, o.rounds); ++round)
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (keys > queries) o.say("building " + all[i].figures.name);
      const bool twice = all[i].builds_in_parallel() && !all[i].figures.one_key_only;
      if (twice) threaded[i].push_back(all[i].build(2));
      alone[i].push_back(all[i].build(1));
    }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].figures.one_key_only) continue;
    all[i].figures.build = summary_of(std::move(alone[i]));
    if (!threaded[i].empty())
      all[i].figures.build_threaded = summary_of(std::move(threaded[i]));
  }
}

// The others and the keys take their share, too.
bool fits(const bloomery_peer& p, std::uint64_t keys) {
  const std::size_t free = available_memory();
  return free == 0 || p.peak_bytes_per_key * keys < free / 5 * 4;
}

// Filters of nearly one size share a floor.
struct shared_floor {
  line_floor lines;
  std::size_t bytes;
  floor_times times = {}, two_lines = {};
  percentiles latency = {};

  bool serves(std::size_t other) const noexcept {
    return std::abs(static_cast<double>(other) / static_cast<double>(bytes) - 1) < 0.02;
  }
};

shared_floor& floor_of(std::deque<shared_floor>& floors, std::size_t bytes) {
  for (shared_floor& f : floors)
    if (f.serves(bytes)) return f;
  auto made = line_floor::make(bytes);
  if (!made) throw std::runtime_error(made.error().what);
  return floors.emplace_back(shared_floor{*std::move(made), bytes});
}

}  // namespace

std::optional<double> row::over_limit() const {
  if (measured_fpr <= 0) return std::nullopt;
  return 100 * (bits_per_key / std::log2(1 / measured_fpr) - 1);
}

comparison_result compare(const std::vector<candidate>& who, std::uint64_t keys,
                          const comparison_options& o) {
  comparison_result result;
  const query_sets q(keys);
  std::deque<sized_candidate> all;
  for (const candidate& c : who)
    if (c.calls.max_keys != 0 && keys > c.calls.max_keys)
      result.left_out.push_back(c.name + " (takes minutes to build)");
    else if (!fits(c.calls, keys))
      result.left_out.push_back(c.name + " (not enough memory)");
    else
      all.emplace_back(c, q, o.fpr);
  if (all.empty()) return result;
  build_all(all, o);

  thread_group both(2);
  schedule s;
  std::deque<shared_floor> floors;
  std::vector<shared_floor*> mine;
  for (sized_candidate& e : all) {
    o.say("checking " + e.figures.name);
    e.check();
    const std::size_t before = floors.size();
    mine.push_back(&floor_of(floors, e.figures.bytes));
    e.add_tasks(s, both);
    if (floors.size() > before) {
      add_floor(s, floors.back().lines, floors.back().times);
      add_two_line_floor(s, floors.back().lines, floors.back().two_lines);
    }
  }
  s.run(o.rounds, [&](unsigned round) {
    o.say("round " + std::to_string(round + 1) + " of " + std::to_string(o.rounds));
  });

  for (shared_floor& f : floors) f.latency = percentiles_of(f.lines.load_ticks());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].take_latencies();
    all[i].figures.floor = mine[i]->times;
    all[i].figures.floor2 = mine[i]->two_lines;
    all[i].figures.floor_latency = mine[i]->latency;
    result.rows.push_back(std::move(all[i].figures));
  }
  return result;
}

}  // namespace bloomery::bench
