#include "comparison/sized_candidate.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "kit/workload.hpp"

namespace bloomery::bench {

sized_candidate::handle sized_candidate::own(void* filter) const {
  if (filter == nullptr)
    throw std::runtime_error("bench: no filter from " + figures.name);
  return {filter, calls_.free};
}

double sized_candidate::build(unsigned threads) {
  // Small ones several times: a clock needs some time to be exact.
  const std::size_t times = std::clamp<std::size_t>(queries / sets_.all.size(), 1, 32);
  double sum = 0;
  for (std::size_t i = 0; i < times; ++i) sum += build_once(threads);
  return sum / static_cast<double>(times);
}

double sized_candidate::build_once(unsigned threads) {
  using clock = std::chrono::steady_clock;
  const auto& all = sets_.all;
  full_.reset();
  const auto start = clock::now();
  if (calls_.build != nullptr) {
    full_ = own(calls_.build(all.data(), all.size(), fpr_, threads));
  } else {
    full_ = own(calls_.make(all.size(), fpr_));
    calls_.insert(full_.get(), all.data(), all.size());
  }
  const std::chrono::duration<double, std::nano> took = clock::now() - start;
  return took.count() / static_cast<double>(all.size());
}

void sized_candidate::check() {
  const auto say = [&](bool right, const char* wrong) {
    if (!right) throw std::runtime_error("bench: " + figures.name + wrong);
  };
  const auto single = [&](std::span<const std::uint64_t> keys) {
    return calls_.count(full_.get(), keys.data(), keys.size());
  };
  const auto batched = [&](std::span<const std::uint64_t> keys) {
    return calls_.count_batched(full_.get(), keys.data(), keys.size());
  };
  // Some millions are enough; a hundred would take longer than the measurement.
  const std::span<const std::uint64_t> all(sets_.all);
  const auto some = all.first(std::min(all.size(), 4 * queries));
  say(forgets_ || single(some) == some.size(), " lost a key");
  const std::uint64_t maybe = single(sets_.absent);
  if (calls_.count_batched != nullptr) {
    say(forgets_ || batched(some) == some.size(), " lost a key of a batch");
    say(batched(sets_.absent) == maybe, ": batched and single lookups disagree");
  }
  figures.bytes = calls_.bytes(full_.get());
  figures.bits_per_key =
      8 * static_cast<double>(figures.bytes) / static_cast<double>(figures.keys);
  figures.measured_fpr = static_cast<double>(maybe) / static_cast<double>(queries);
  if (calls_.make != nullptr) scratch_ = own(calls_.make(figures.keys, fpr_));
}

void sized_candidate::add_lookups(schedule& s) {
  const auto add = [&](auto count, const std::vector<std::uint64_t>& keys,
                       std::optional<timing>& into) {
    if (count == nullptr) return;
    s.add({keys.size(),
           [this, count, &keys] { return count(full_.get(), keys.data(), keys.size()); }},
          into.emplace());
  };
  add(calls_.count, sets_.present, figures.present);
  add(calls_.count_batched, sets_.present, figures.present_batched);
  add(calls_.count, sets_.absent, figures.absent);
  add(calls_.count_batched, sets_.absent, figures.absent_batched);
  add(calls_.count, sets_.mixed, figures.mixed);
  add(calls_.count_batched, sets_.mixed, figures.mixed_batched);
}

// Inserts into a cleared filter whose memory has been touched.
void sized_candidate::add_inserts(schedule& s) {
  const auto add = [&](auto insert, std::optional<timing>& into) {
    if (insert == nullptr || scratch_ == nullptr) return;
    s.add({sets_.fresh,
           [this, insert] {
             insert(scratch_.get(), sets_.all.data(), sets_.fresh);
             return std::uint64_t{0};
           },
           [this] { calls_.clear(scratch_.get()); }},
          into.emplace());
  };
  add(calls_.insert, figures.insert);
  add(calls_.insert_batched, figures.insert_batched);
}

// Out of a filter that has just these keys.
void sized_candidate::add_erases(schedule& s) {
  const auto add = [&](auto erase, std::optional<timing>& into) {
    if (erase == nullptr) return;
    s.add({sets_.fresh,
           [this, erase] { return erase(scratch_.get(), sets_.all.data(), sets_.fresh); },
           [this] {
             calls_.clear(scratch_.get());
             calls_.insert_batched(scratch_.get(), sets_.all.data(), sets_.fresh);
           }},
          into.emplace());
  };
  add(erases_.each, figures.erase);
  add(erases_.batched, figures.erase_batched);
}

void sized_candidate::add_tasks(schedule& s, thread_group& both) {
  add_lookups(s);
  add_inserts(s);
  add_erases(s);
  if (figures.one_key_only) return;
  // Every thread looks up all keys, each from another place on.
  const auto count =
      calls_.count_batched != nullptr ? calls_.count_batched : calls_.count;
  const auto work = [this, count, threads = both.size()](unsigned t) {
    const std::span ks(sets_.absent);
    const auto later = ks.subspan(ks.size() * t / threads);
    const auto earlier = ks.first(ks.size() - later.size());
    return count(full_.get(), later.data(), later.size()) +
           count(full_.get(), earlier.data(), earlier.size());
  };
  s.add({sets_.absent.size() * both.size(), [&both, work] { return both.run(work); },
         [&both] { both.ready(); }},
        figures.absent_threaded.emplace());
}

void sized_candidate::take_latencies() {
  if (calls_.ticks == nullptr) return;
  const auto take = [&](const std::vector<std::uint64_t>& keys) {
    std::vector<std::uint64_t> ticks(keys.size());
    calls_.ticks(full_.get(), keys.data(), keys.size(), ticks.data());
    return percentiles_of(std::move(ticks));
  };
  figures.present_latency = take(sets_.present);
  figures.absent_latency = take(sets_.absent);
}

}  // namespace bloomery::bench
