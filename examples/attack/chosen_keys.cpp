#include "chosen_keys.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include "chance.hpp"
#include "stopwatch.hpp"

namespace attack {
namespace {

double share(std::uint64_t hits, std::uint64_t trials) {
  return static_cast<double>(hits) / static_cast<double>(trials);
}

std::uint64_t passing(const victim& v, const std::vector<std::string>& keys) {
  std::uint64_t n = 0;
  for (const std::string& k : keys) n += v.may_contain(k);
  return n;
}

outcome wanted_of(const subject& s) { return s.keyed ? outcome::holds : outcome::broken; }

}  // namespace

void insert_honest(victim& v, const subject& s, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) v.insert(honest_key(i, s.integers));
}

double measured_rate(const victim& v, const subject& s, std::size_t lookups) {
  std::uint64_t hits = 0;
  for (std::size_t i = 0; i < lookups; ++i)
    hits += v.may_contain(honest_key(2 * absent + i, s.integers));
  return share(hits, lookups);
}

outcome judged(std::uint64_t hits, std::uint64_t trials, double chance) {
  return is_more_than_chance(hits, trials, chance) ? outcome::broken : outcome::holds;
}

std::vector<double> honest_rates(const subject& s, const scale& much) {
  std::vector<double> rates;
  for (std::uint64_t f = 1; f <= 32; ++f) {
    const auto v = s.make();
    for (std::size_t i = 0; i < much.keys; ++i)
      v->insert(honest_key(f * much.keys + i, s.integers));
    rates.push_back(v->rate());
  }
  return rates;
}

// Half full, so that there is room for the crafted ones.  By chance a target passes in
// the end with the filter's rate at the end, or less.
void frame_absent_keys(const subject& s, const scale& much, report& out) {
  const auto v = s.make();
  insert_honest(*v, s, much.keys / 2);
  std::vector<std::string> targets, crafted;
  for (std::uint64_t i = absent; targets.size() < much.targets; ++i)
    if (std::string t = honest_key(i, s.integers); !v->may_contain(t))
      targets.push_back(std::move(t));
  const auto how = s.forge();
  const stopwatch time;
  for (std::size_t i = 0; i < targets.size(); ++i)
    crafted.push_back(how->same_bits(targets[i], i));
  const double seconds = time.seconds();
  for (const std::string& k : crafted) v->insert(k);
  const std::uint64_t hits = passing(*v, targets);
  const double chance = v->rate();
  out.add({s.victim, s.hash, "a chosen absent key, one insert each", crafted.size(),
           seconds, "chosen keys that pass", 0, share(hits, targets.size()), hits,
           targets.size(), chance, judged(hits, targets.size(), chance), wanted_of(s)});
}

void forge_false_positives(const subject& s, const scale& much, report& out) {
  const auto v = s.make();
  insert_honest(*v, s, much.keys);
  const std::string model = honest_key(0, s.integers);
  const auto how = s.forge();
  std::vector<std::string> crafted;
  const stopwatch time;
  for (std::size_t i = 0; i < much.queries; ++i)
    crafted.push_back(how->same_bits(model, i));
  const double seconds = time.seconds(), chance = v->rate();
  const std::uint64_t hits = passing(*v, crafted);
  out.add({s.victim, s.hash, "queries like one known key", crafted.size(), seconds,
           "absent keys that pass", measured_rate(*v, s, much.lookups),
           share(hits, crafted.size()), hits, crafted.size(), chance,
           judged(hits, crafted.size(), chance), wanted_of(s)});
}

void pollute(const subject& s, const scale& much, report& out) {
  const auto honest = s.make();
  insert_honest(*honest, s, much.keys);
  const auto how = s.forge();
  const stopwatch time;
  const auto crafted = how->pollution(much.keys);
  const double seconds = time.seconds();
  const auto v = s.make();
  for (const std::string& k : crafted) v->insert(k);
  row r{s.victim,
        s.hash,
        "filled to capacity",
        crafted.size(),
        seconds,
        "false-positive rate",
        measured_rate(*honest, s, much.lookups),
        measured_rate(*v, s, much.lookups)};
  // Against a public hash the rate doubles at least, which no honest keys do.
  r.verdict = r.after > 2 * r.before ? outcome::broken : outcome::holds;
  if (s.keyed && v->rate() > upper_bound_of(honest_rates(s, much)))
    r.verdict = outcome::broken;
  r.expected = wanted_of(s);
  out.add(std::move(r));
}

void fill_one_block(const subject& s, const scale& much, report& out) {
  const auto how = s.forge();
  const stopwatch time;
  const auto crafted = how->one_block_full();
  const double seconds = time.seconds();
  if (crafted.empty()) return;
  const auto queries = how->keys_of_that_block(much.queries);
  const auto v = s.make();
  insert_honest(*v, s, much.keys);
  const std::uint64_t before = passing(*v, queries);
  for (const std::string& k : crafted) v->insert(k);
  const std::uint64_t hits = passing(*v, queries);
  const double chance = v->rate();
  out.add({s.victim, s.hash, "one block filled", crafted.size(), seconds,
           "keys of that block that pass", share(before, queries.size()),
           share(hits, queries.size()), hits, queries.size(), chance,
           judged(hits, queries.size(), chance), wanted_of(s)});
}

}  // namespace attack
