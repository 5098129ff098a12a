// A service that outgrows its filter, is attacked, fails once and goes on: five seconds.
//
// This is what its operator does; the service and its users are in toy_service.hpp.  Ends
// 0 only if no key was ever denied and everything else went as it should.
#include <chrono>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

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

// All keys of the store, shard by shard.  Nothing is read before the first question.
struct store_source {
  toy::service& s;
  std::size_t fails_at;
  std::size_t shard = 0;
  std::vector<std::uint64_t> ids{};

  bloomery::result<std::size_t> operator()(std::span<bloomery::key> out) {
    while (ids.empty() && shard < toy::key_store::shards) {
      if (shard == fails_at) throw std::runtime_error("the store hung up");
      ids = s.store.copy_of(shard++);
    }
    std::size_t n = 0;
    for (; n < out.size() && !ids.empty(); ids.pop_back())
      out[n++] = s.live.hash_u64(ids.back());
    return n;
  }
};

// To twice the size, slowly enough for the store.
void rebuild(toy::service& s, std::size_t fails_at) {
  std::uint64_t told = 0;
  const auto tell = [](void* context, const bloomery::rebuild_progress& now) {
    auto& last = *static_cast<std::uint64_t*>(context);
    if (now.delivered >= last + 10'000)
      say("  %llu keys delivered", static_cast<count>(last += 10'000));
    return true;  // false would stop it
  };
  try {
    must(s.live.rebuild({.params = {.keys = 2 * s.live.status().capacity, .fpr = 0.01},
                         .least_keys = s.keys(),
                         .most_keys_a_second = 100'000,
                         .pause = {tell, &told}},
                        store_source{s, fails_at}));
    say("  done: generation %llu serves", static_cast<count>(s.live.status().generation));
  } catch (const std::exception& e) {
    say("  rolled back: %s.  Generation %llu goes on", e.what(),
        static_cast<count>(s.live.status().generation));
  }
}

// Requests of the last epochs are not handled twice.  True: the window kept its word.
class recent_requests {
 public:
  bool next_epoch() {
    must(seen_.advance(++epoch_));
    for (std::uint64_t i = 0; i < a_turn; ++i) seen_.insert(request(epoch_, i));
    const std::uint64_t kept = known(epoch_ - 2), gone = known(epoch_ - 3);
    say("window: epoch %llu; of epoch %llu all %llu are known, of epoch %llu %llu",
        count{epoch_}, count{epoch_ - 2}, count{kept}, count{epoch_ - 3}, count{gone});
    return kept == a_turn && gone < a_turn / 10;
  }

 private:
  static constexpr std::uint64_t a_turn = 1000;

  bloomery::key request(std::uint64_t epoch, std::uint64_t i) const {
    return seen_.hash_u64(epoch * a_turn + i);
  }
  std::uint64_t known(std::uint64_t epoch) const {
    std::uint64_t n = 0;
    for (std::uint64_t i = 0; i < a_turn; ++i) n += seen_.may_contain(request(epoch, i));
    return n;
  }

  std::uint64_t epoch_ = 100;
  bloomery::window_filter<toy::filter> seen_ =
      must(bloomery::window_filter<toy::filter>::make(
          {.params = {.keys = a_turn, .fpr = 0.003},
           .retention = 2,
           .first_epoch = 100}));
};

int operate() {
  toy::service s{must(bloomery::live_filter<toy::filter>::make(
      must(toy::filter::make({.keys = 50'000, .fpr = 0.01})), {.name = "users"}))};
  auto tags = must(bloomery::tag_watch::make(s.rates, toy::tenants));
  bloomery::live_watch watch({.kind = "block_bloom", .asked_fpr = 0.01, .tags = &tags});
  for (unsigned i = 0; i < 30'000; ++i) s.add(i % toy::writers);
  say("a filter for 50,000 keys, with 30,000 in it");
  std::vector<std::jthread> people;
  for (unsigned w = 0; w < toy::writers; ++w)
    people.emplace_back([&s, w] { toy::write(s, w, 85'000 / toy::writers); });
  for (unsigned tenant = 0; tenant < 2; ++tenant)
    people.emplace_back([&s, tenant](std::stop_token t) { toy::read(t, s, tenant); });
  std::jthread attacker([&s](std::stop_token t) { toy::attack(t, s); });

  const auto path =
      std::filesystem::temp_directory_path() / "bloomery_live_service.bloom";
  recent_requests requests;
  bool attacked = false, right = true;
  std::size_t fails_at = toy::key_store::shards / 2;  // the first time only
  for (unsigned tick = 1; tick <= 80 || s.keys() < 85'000; ++tick) {
    std::this_thread::sleep_for(50ms);
    must(watch.sample(s.live, seconds()));
    const bloomery::live_metrics m = watch.metrics(s.live);
    if (m.tags[toy::mallory].alarm && !std::exchange(attacked, true)) {
      say("ALARM: %.0f %% of mallory's lookups are false positives; shut out",
          100 * m.tags[toy::mallory].observed.rate.value_or(0));
      attacker.request_stop();
    }
    if (m.exceeded_in_seconds && *m.exceeded_in_seconds < 0.4) {
      say("ALARM: about %.0f keys, 1 %% wrong in %.1f s; rebuilding", *m.estimated_keys,
          *m.exceeded_in_seconds);
      rebuild(s, std::exchange(fails_at, toy::key_store::shards));
    }
    if (tick % 20 == 0) right &= requests.next_epoch();
    if (tick == 30) {
      const std::uint64_t in = s.written[0];
      must(watch.save_snapshot(s.live, path.c_str()));
      const auto copy = must(bloomery::block_bloom::load(path.c_str()));
      for (std::uint64_t i = 0; i < in; ++i)
        right &= copy.may_contain(copy.hash_u64(toy::service::id_of(0, i)));
      say("snapshot: about %.0f keys, written while others were", copy.estimated_keys());
    }
    if (tick == 40) {
      s.live.kill();
      say("killed: a stranger is \"%s\"", s.live.may_contain("?") ? "perhaps" : "no");
      right &= s.live.may_contain("?");
    }
    if (tick == 44) s.live.revive(), say("revived");
  }

  // The rate of a filter that no longer changes, as its users see it and by its bits.
  const bloomery::lookup_counts before = s.live.status().counts.lookups;
  std::this_thread::sleep_for(700ms);
  people.clear();
  must(watch.sample(s.live, seconds()));
  const bloomery::live_metrics m = watch.metrics(s.live);
  const auto lately = m.lookups.since(before);
  const bloomery::observed_rate seen = bloomery::observe_rate(lately);
  const auto wide =
      bloomery::observe_rate(lately, 6).range;  // one run in 10^9 is outside
  std::string text, json;
  bloomery::append_text(bloomery::to_prometheus, {&m, 1}, text);
  bloomery::append_text(bloomery::to_json, {&m, 1}, json);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("bloomery_rebuild") || line.starts_with("bloomery_tag_alarm"))
      std::puts(line.c_str());
  std::printf("%.100s ...\n", json.c_str());
  say("%llu lookups of keys that were in, %llu false negatives", s.checked.load() + 0ULL,
      s.denied.load() + 0ULL);
  say("rate observed %.3f %% (%.3f to %.3f), by its bits %.3f %%",
      100 * seen.rate.value_or(0), 100 * seen.range.low, 100 * seen.range.high,
      100 * *m.realised_fpr);
  std::filesystem::remove(path);
  right &= s.denied == 0 && s.checked != 0 && attacked && m.rebuilds_succeeded >= 1 &&
           m.rebuilds_rolled_back == 1 && m.snapshots == 1 && m.generation >= 2 &&
           wide.low <= *m.realised_fpr && *m.realised_fpr <= wide.high;
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
