#include "kit/measure.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kit/floor.hpp"
#include "kit/threaded.hpp"
#include "kit/workload.hpp"

namespace bloomery::bench {
namespace {

// Two of a kind: one that holds all keys, for lookups, and one to insert into.
struct specimen {
  std::unique_ptr<subject> full, scratch;
};

std::uint64_t run(operation what, const specimen& s, const workload& w) {
  switch (what) {
    case operation::insert:
      return s.scratch->insert_each(w.fresh), 0;
    case operation::insert_batched:
      return s.scratch->insert_batched(w.fresh), 0;
    case operation::string_insert_batched:
      return s.scratch->insert_batched(w.fresh_texts.views()), 0;
    case operation::present:
      return s.full->count_each(w.present);
    case operation::present_batched:
      return s.full->count_batched(w.present);
    case operation::string_present_batched:
      return s.full->count_batched(w.present_texts.views());
    case operation::absent:
      return s.full->count_each(w.absent);
    case operation::absent_batched:
      return s.full->count_batched(w.absent);
    case operation::string_absent_batched:
      return s.full->count_batched(w.absent_texts.views());
  }
  return 0;
}

task task_of(const operation_info& o, const specimen& s, const workload& w) {
  task t{o.writes ? w.fresh.size() : queries,
         [&s, &w, what = o.what] { return run(what, s, w); }};
  if (o.writes) t.before = [&s] { s.scratch->clear(); };
  return t;
}

// One build: allocation, page faults, every key in batches.  Making the keys is not
// part of it, so the clock runs only while they are inserted.
result<double> build_once(const subject_maker& make, std::uint64_t keys,
                          std::unique_ptr<subject>& into) {
  using clock = std::chrono::steady_clock;
  into.reset();
  const auto start = clock::now();
  auto made = make();
  clock::duration took = clock::now() - start;
  if (!made) return made.error();
  into = *std::move(made);
  for_each_key(keys, into->hasher(), [&](std::span<const key> ks) {
    const auto before = clock::now();
    into->insert_batched(ks);
    took += clock::now() - before;
  });
  return std::chrono::duration<double, std::nano>(took).count() /
         static_cast<double>(keys);
}

// Large builds are long enough to be steady, and too long to be repeated much.
unsigned build_rounds(std::uint64_t keys, unsigned rounds) {
  if (keys <= queries) return rounds;
  return std::min(rounds, keys <= 16 * queries ? 3u : 1u);
}

result<specimen> grow(const subject_maker& make, std::uint64_t keys, unsigned rounds,
                      timing& build) {
  specimen s;
  std::vector<double> samples;
  for (unsigned i = 0; i < rounds; ++i) {
    const auto ns = build_once(make, keys, s.full);
    if (!ns) return ns.error();
    samples.push_back(*ns);
  }
  build = summary_of(std::move(samples));
  auto scratch = make();
  if (!scratch) return scratch.error();
  s.scratch = *std::move(scratch);
  return s;
}

// Also the first touch of everything that is timed afterwards.
void check(const specimen& s, const workload& w) {
  const auto say = [](bool right, const char* wrong) {
    if (!right) throw std::runtime_error(wrong);
  };
  for (const operation o : {operation::present, operation::present_batched,
                            operation::string_present_batched})
    say(run(o, s, w) == queries, "bench: the filter lost a key: do not use this build");
  const std::uint64_t maybe = run(operation::absent, s, w);
  for (const operation o : {operation::absent_batched, operation::string_absent_batched})
    say(run(o, s, w) == maybe, "bench: batched and single lookups disagree");
  s.scratch->clear();
  s.scratch->insert_each(w.fresh);
  const std::vector<std::byte> single(s.scratch->bytes().begin(),
                                      s.scratch->bytes().end());
  s.scratch->clear();
  s.scratch->insert_batched(w.fresh_texts.views());
  say(std::ranges::equal(s.scratch->bytes(), single),
      "bench: batched and single inserts set different bits");
}

std::vector<task> floor_tasks(line_floor& f) {
  return {{line_floor::accesses, [&] { return f.load_plain(); }},
          {line_floor::batched_accesses, [&] { return f.load_batched(); }},
          {line_floor::accesses, [&] { return f.update_plain(); }},
          {line_floor::batched_accesses, [&] { return f.update_batched(); }}};
}

// The tasks, and where their timings belong.
struct schedule {
  std::vector<task> tasks;
  std::vector<timing*> results;

  void add(task t, timing& into) {
    tasks.push_back(std::move(t));
    results.push_back(&into);
  }
  void run(unsigned rounds) {
    const auto timings = interleave(tasks, rounds);
    for (std::size_t i = 0; i < results.size(); ++i) *results[i] = timings[i];
  }
};

// A filter and its textbook twin next to each other, the floor after them.
void time_all(const specimen& ours, const specimen& textbook, const workload& w,
              line_floor& floor, unsigned rounds, figures& f) {
  schedule s;
  for (const operation_info& o : operations) {
    s.add(task_of(o, ours, w), f.ours[o.what]);
    if (f.textbook && o.textbook == o.what)
      s.add(task_of(o, textbook, w), (*f.textbook)[o.what]);
  }
  auto floors = floor_tasks(floor);
  timing* into[] = {&f.floor.load, &f.floor.load_batched, &f.floor.update,
                    &f.floor.update_batched};
  for (std::size_t i = 0; i < floors.size(); ++i) s.add(std::move(floors[i]), *into[i]);
  s.run(rounds);
  if (!f.textbook) return;
  for (const operation_info& o : operations)
    (*f.textbook)[o.what] = (*f.textbook)[o.textbook];
}

}  // namespace

result<figures> measure(const plan& p, const options& o) {
  figures f;
  f.kind = p.kind;
  f.kernel = p.kernel;
  f.keys = p.keys;
  f.fpr = p.fpr;
  auto ours = grow(p.make, p.keys, build_rounds(p.keys, o.rounds), f.build);
  if (!ours) return ours.error();
  const subject& full = *ours->full;
  f.bytes = full.bytes().size();
  f.bits_per_key = 8 * static_cast<double>(f.bytes) / static_cast<double>(p.keys);
  f.realised_fpr = full.realised_fpr();

  const workload w(p.keys, full.hasher());
  check(*ours, w);
  f.measured_fpr =
      static_cast<double>(full.count_batched(w.absent)) / static_cast<double>(queries);

  specimen textbook;
  if (p.make_textbook) {
    timing ignored;
    auto grown = grow(p.make_textbook, p.keys, 1, ignored);
    if (!grown) return grown.error();
    textbook = *std::move(grown);
    if (!std::ranges::equal(textbook.full->bytes(), full.bytes()))
      throw std::runtime_error("bench: the bytes differ from the textbook filter's");
    f.textbook.emplace();
  }

  auto floor = line_floor::make(f.bytes);
  if (!floor) return floor.error();
  time_all(*ours, textbook, w, *floor, o.rounds, f);
  f.present_latency = percentiles_of(full.lookup_ticks(w.present));
  f.absent_latency = percentiles_of(full.lookup_ticks(w.absent));
  f.threads = o.threads;
  if (o.threads > 1)
    f.absent_threaded = count_threaded(full, w.absent, o.threads, o.rounds);
  return f;
}

}  // namespace bloomery::bench
