// A live filter in a service that grows, is attacked, and has one failed rebuild: five
// seconds.
//
// This file is the operator's part; the service and its users are in toy_service.hpp.
// Exit status 0 only if there was no false negative and every check passed.
#include <unistd.h>

#include <chrono>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <bloomery/block_bloom.hpp>

#include "toy_service.hpp"

namespace {

using toy::must;
using namespace std::chrono_literals;
using count = unsigned long long;

double seconds() {
  static const auto start = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

[[gnu::format(printf, 1, 2)]] void say(const char* format, ...) {
  std::printf("%5.2f s  ", seconds());
  va_list values;
  va_start(values, format);
  std::vprintf(format, values);
  va_end(values);
  std::puts("");
}

// All keys of the store, shard by shard.  Nothing is read before the first call.
struct store_source {
  toy::service& s;
  std::size_t fails_at;
  std::size_t shard = 0;
  std::vector<std::uint64_t> ids{};

  bloomery::result<std::size_t> operator()(std::span<bloomery::key> out) {
    while (ids.empty() && shard < toy::key_store::shards) {
      if (shard == fails_at) throw std::runtime_error("the store closed the connection");
      ids = s.store.copy_of(shard++);
    }
    std::size_t n = 0;
    for (; n < out.size() && !ids.empty(); ids.pop_back())
      out[n++] = s.live.hash_u64(ids.back());
    return n;
  }
};

// Rebuilds at twice the size, slowly enough for the store, which fails the first time.
void rebuild(toy::service& s) {
  const bool fails = s.live.status().rebuild.started == 0;
  std::vector<bloomery::key> old_keys;  // some in each shard: a missing shard is detected
  for (std::uint64_t id = 0; id < 1000; ++id) old_keys.push_back(s.live.hash_u64(id));
  std::uint64_t reported = 0;
  const auto report = [](void* context, const bloomery::rebuild_progress& now) {
    auto& last = *static_cast<std::uint64_t*>(context);
    if (now.delivered >= last + 10'000)
      say("  %llu keys delivered", static_cast<count>(last += 10'000));
    return true;  // false would stop it
  };
  try {
    must(s.live.rebuild({.params = {.keys = 2 * s.live.status().capacity,
                                    .fpr = 0.01,
                                    .hasher = toy::of_ids()},
                         .min_keys = s.keys(),
                         .sentinels = old_keys,
                         .max_keys_per_second = 100'000,
                         .pause = {report, &reported}},
                        store_source{s, fails ? 30 : toy::key_store::shards}));
    say("  done: generation %llu is active", count{s.live.status().generation});
  } catch (const std::exception& e) {
    say("  rolled back: %s; generation %llu stays active", e.what(),
        count{s.live.status().generation});
  }
}

// At each sample.
void check_alarms(toy::service& s, const bloomery::live_metrics& m,
                  std::jthread& mallory) {
  const bloomery::tenant_metrics& tenant = m.tenants[toy::mallory];
  if (tenant.alarm && !mallory.get_stop_token().stop_requested()) {
    say("ALARM: %.0f %% of mallory's lookups of absent keys pass; blocked",
        100 * tenant.observed.rate.value_or(0));
    mallory.request_stop();
  }
  if (m.exceeded_in_seconds && *m.exceeded_in_seconds < 0.4) {
    say("ALARM: about %.0f keys, above 1 %% FPR in %.1f s; rebuilding", *m.estimated_keys,
        *m.exceeded_in_seconds);
    rebuild(s);
  }
}

// True: the window has the keys it must have, and has expired the keys it must expire.
bool try_window(toy::recent_requests& requests) {
  requests.next_epoch();
  const std::uint64_t now = requests.epoch();
  const std::uint64_t kept = requests.known_of(now - 2),
                      gone = requests.known_of(now - 3);
  say("window: epoch %llu; finds of 1000 requests of epoch %llu %llu, of epoch %llu %llu",
      count{now}, count{now - 2}, count{kept}, count{now - 3}, count{gone});
  return kept == 1000 && gone < 100;
}

// Saves under load to a file, and loads it.  True: earlier keys are in the copy.
bool try_snapshot(toy::service& s, bloomery::live_watch& watch) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("bloomery_live_service_" + std::to_string(::getpid()));
  const std::uint64_t in = s.written[0].load(std::memory_order_acquire);
  must(watch.save_snapshot(s.live, path.c_str()));
  const auto copy = must(bloomery::load_container<bloomery::block_bloom>(
      path.c_str(), {.source = bloomery::key_source::integers}));
  std::filesystem::remove(path);
  say("snapshot: about %.0f keys, written during inserts", copy.estimated_keys());
  bool all = true;
  for (std::uint64_t i = 0; i < in; ++i)
    all &= copy.may_contain(copy.hash_u64(toy::service::id_of(0, i)));
  return all;
}

// `since`: counts from before the filter stopped changing.  True: the observed rate
// agrees with the rate from the bits.
bool print_results(const toy::service& s, const bloomery::live_metrics& m,
                   const bloomery::lookup_counts& since) {
  std::string text, json;
  bloomery::append_text(bloomery::to_prometheus, {&m, 1}, text);
  bloomery::append_text(bloomery::to_json, {&m, 1}, json);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("bloomery_rebuilds") || line.starts_with("bloomery_observed") ||
        line.starts_with("bloomery_tenant_alarm"))
      std::puts(line.c_str());
  std::printf("%.100s ...\n", json.c_str());

  const auto counts = m.lookups.since(since);
  const auto seen = bloomery::observe_rate(counts);
  const auto wide = bloomery::observe_rate(counts, 6).range;  // misses once in 10^9
  say("FPR observed %.3f %% (%.3f to %.3f), from the bits %.3f %%",
      100 * seen.rate.value_or(0), 100 * seen.range.low, 100 * seen.range.high,
      100 * *m.realised_fpr);
  say("%llu lookups of present keys, %llu false negatives", count{s.checked},
      count{s.denied});
  return wide.low <= *m.realised_fpr && *m.realised_fpr <= wide.high;
}

int operate() {
  toy::service s{must(bloomery::live_filter<toy::filter>::make(
      must(toy::filter::make({.keys = 50'000, .fpr = 0.01, .hasher = toy::of_ids()})),
      {.name = "users"}))};
  auto tenants = must(bloomery::tenant_watch::make(s.rates, toy::tenants));
  bloomery::live_watch watch(
      {.kind = "block_bloom", .asked_fpr = 0.01, .tenants = &tenants});
  for (unsigned i = 0; i < 30'000; ++i) s.add(i % toy::writers);
  say("a filter for 50,000 keys, with 30,000 in it");
  std::vector<std::jthread> people;
  for (unsigned w = 0; w < toy::writers; ++w)
    people.emplace_back([&s, w] { toy::write(s, w, 88'000 / toy::writers); });
  for (unsigned tenant = 0; tenant < 2; ++tenant)
    people.emplace_back([&s, tenant](std::stop_token t) { toy::read(t, s, tenant); });
  std::jthread mallory([&s](std::stop_token t) { toy::attack(t, s); });

  toy::recent_requests requests;
  bool right = true;
  for (unsigned tick = 1; tick <= 40 || s.keys() < 88'000; ++tick) {
    std::this_thread::sleep_for(50ms);
    must(watch.sample(s.live, seconds()));
    check_alarms(s, watch.metrics(s.live), mallory);
    if (tick % 15 == 0) right &= try_window(requests);
    if (tick == 25) right &= try_snapshot(s, watch);
    if (tick == 35)
      s.live.kill(), right &= s.live.may_contain(s.live.hash_u64(toy::strangers)),
          say("kill switch on: all answers are \"possibly present\"");
    if (tick == 39) s.live.revive(), say("kill switch off");
  }
  right &= mallory.get_stop_token().stop_requested();

  const bloomery::lookup_counts since = s.live.status().counts.lookups;
  std::this_thread::sleep_for(1s);
  people.clear();
  must(watch.sample(s.live, seconds()));
  const bloomery::live_metrics m = watch.metrics(s.live);
  right &= print_results(s, m, since) && s.checked != 0 && s.denied == 0;
  right &= m.rebuilds_succeeded >= 1 && m.rebuilds_rolled_back == 1 && m.snapshots == 1;
  return right ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return operate();
  } catch (const std::exception& e) {
    return std::fprintf(stderr, "%s\n", e.what()), 1;
  }
}
