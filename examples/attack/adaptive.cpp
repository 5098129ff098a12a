#include "adaptive.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/live/live_watch.hpp>
#include <bloomery/live/rekeyable_filter.hpp>
#include <bloomery/live/tenant_rates.hpp>

#include "chance.hpp"
#include "chosen_keys.hpp"
#include "murmur3.hpp"
#include "murmur64a.hpp"
#include "must.hpp"
#include "stopwatch.hpp"

namespace attack {

using bloomery::block_bloom;
using bloomery::hasher;
using live = bloomery::rekeyable_filter<bloomery::concurrent<block_bloom>>;

namespace {

double share(std::uint64_t hits, std::uint64_t trials) {
  return static_cast<double>(hits) / static_cast<double>(trials);
}

// Keys that a public hash may not distinguish from `key`: twins under each hash, and
// neighbours.
std::vector<std::string> variants(const std::string& key, forger& twins) {
  std::vector<std::string> all{murmur64a::twin(key)};
  for (std::uint64_t i = 0; i < 8; ++i) {
    all.push_back(twins.same_bits(key, i));
    all.push_back(murmur3::same_state(key, i));
    all.push_back(key + static_cast<char>('0' + i));
    std::string turned = key;
    turned[4 * i] = static_cast<char>(turned[4 * i] ^ 1 << i % 3);
    all.push_back(std::move(turned));
  }
  return all;
}

// The absent keys, of so many, that pass.
template <class MayContain>
std::vector<std::string> found_among(std::size_t asked, MayContain may_contain) {
  std::vector<std::string> found;
  for (std::uint64_t i = 0; i < asked; ++i)
    if (std::string key = honest_key(3 * absent + i, false); may_contain(key))
      found.push_back(std::move(key));
  return found;
}

}  // namespace

void ask_and_vary(const subject& s, const scale& much, report& out) {
  const auto v = s.make();
  insert_honest(*v, s, much.keys);
  const double rate = v->rate();
  const std::size_t asked = 100 * much.targets;
  const auto found =
      found_among(asked, [&](const std::string& k) { return v->may_contain(k); });
  out.add({s.victim, s.hash, "random queries", asked, 0, "absent keys that pass", rate,
           share(found.size(), asked), found.size(), asked, rate,
           judged(found.size(), asked, rate), outcome::holds});

  const auto twins = s.forge();
  std::uint64_t hits = 0, trials = 0;
  double seconds = 0;
  for (const std::string& key : found) {
    const stopwatch time;
    const auto all = variants(key, *twins);
    seconds += time.seconds();
    trials += all.size();
    for (const std::string& k : all) hits += v->may_contain(k);
  }
  if (trials == 0) give_up("no false positive was found to vary");
  out.add({s.victim, s.hash, "variants of false positives", trials, seconds,
           "variants that pass", rate, share(hits, trials), hits, trials, rate,
           judged(hits, trials, rate), s.keyed ? outcome::holds : outcome::broken});
}

void repeat_and_rekey(const scale& much, const hasher::secret& first,
                      const hasher::secret& second, report& out) {
  block_bloom::params p{.keys = much.keys, .hasher = hasher::siphash13(first)};
  auto filter = must(live::make(must(bloomery::concurrent<block_bloom>::make(p))));
  for (std::size_t i = 0; i < much.keys; ++i) filter.insert(honest_key(i, false));
  const auto rate = [&] {
    double r = 0;
    filter.examine([&](const auto& f) { r = f.realised_fpr(); });
    return r;
  };
  const auto found = found_among(
      100 * much.targets, [&](const std::string& k) { return filter.may_contain(k); });

  // --- four tenants, of whom one repeats: who shows ---
  constexpr std::array<std::string_view, 4> names{"alice", "bob", "carol", "mallory"};
  auto rates = must(bloomery::tenant_rates::make(names.size()));
  auto watch = must(bloomery::tenant_watch::make(rates, names, {.false_alarm = rarely}));
  std::uint64_t number = 4 * absent;
  const auto traffic = [&](bool attack) {  // all of it for absent keys
    for (unsigned tenant = 0; tenant < names.size(); ++tenant)
      for (std::size_t i = 0; i < much.queries; ++i) {
        const bool repeats = attack && tenant == 3 && i % 2 == 0;
        const bool maybe = filter.may_contain(repeats ? found[i / 2 % found.size()]
                                                      : honest_key(++number, false));
        rates.lookup(tenant, maybe);
        if (maybe) rates.confirm(tenant, false);  // the store did not have it
      }
  };
  traffic(false);
  const auto quiet = watch.rows(rate());
  const double before = quiet[3].observed.rate.value_or(0);
  const std::size_t alarms_before = watch.alarms();
  watch.mark(), watch.mark();
  traffic(true);
  const auto rows = watch.rows(rate());
  const bool only_mallory = watch.alarms() == 1 && rows[3].alarm && alarms_before == 0;
  out.add({"block, texts", "SipHash-1-3", "one tenant of four repeats false positives",
           much.queries / 2, 0, "that tenant's observed rate", before,
           rows[3].observed.rate.value_or(0), 0, 0, 0,
           only_mallory ? outcome::noticed : outcome::broken, outcome::noticed});

  // --- the same keys again, before and after a rebuild under another secret ---
  const auto passing = [&] {
    std::uint64_t n = 0;
    for (const std::string& k : found) n += filter.may_contain(k);
    return n;
  };
  const std::uint64_t again = passing();
  out.add({"block, texts", "SipHash-1-3", "repeats false positives", found.size(), 0,
           "repeated keys that pass", rate(), share(again, found.size()), again,
           found.size(), rate(),
           again == found.size() ? outcome::remains : outcome::holds, outcome::remains});
  p.hasher = hasher::siphash13(second);
  must(filter.rebuild({.params = p}, [&](auto& put) -> bloomery::result<void> {
    for (std::size_t i = 0; i < much.keys && put(honest_key(i, false)); ++i) continue;
    return {};
  }));
  for (std::size_t i = 0; i < much.keys; ++i)
    if (!filter.may_contain(honest_key(i, false))) give_up("a key was lost");
  const std::uint64_t left = passing();
  out.add({"block, texts", "SipHash-1-3, new secret", "repeats false positives",
           found.size(), 0, "repeated keys that pass", share(again, found.size()),
           share(left, found.size()), left, found.size(), rate(),
           judged(left, found.size(), rate()) == outcome::holds ? outcome::ended
                                                                : outcome::broken,
           outcome::ended});
}

void insert_denied_keys(const subject& s, const scale& much, report& out) {
  const auto honest = honest_rates(s, much);
  const auto v = s.make();
  std::uint64_t asked = 0;
  for (std::size_t i = 0; i < much.keys; ++asked) {
    const std::string key = honest_key(5 * absent + asked, s.integers);
    if (v->may_contain(key)) continue;
    v->insert(key);
    ++i;
  }
  double mean = 0;
  for (const double r : honest) mean += r / static_cast<double>(honest.size());
  out.add({s.victim, s.hash, "inserts only keys that test absent", asked, 0,
           "false-positive rate", mean, v->rate(), 0, 0, 0,
           v->rate() > upper_bound_of(honest) ? outcome::broken : outcome::holds,
           outcome::holds});
}

}  // namespace attack
