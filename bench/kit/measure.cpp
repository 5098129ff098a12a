#include "kit/measure.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kit/build_pair.hpp"
#include "kit/floor.hpp"
#include "kit/growth.hpp"
#include "kit/schedule.hpp"
#include "kit/threaded.hpp"
#include "kit/workload.hpp"

namespace bloomery::bench {
namespace {

std::uint64_t run(operation what, const subject_pair& s, const workload& w) {
  switch (what) {
    case operation::insert:
      return s.scratch->insert_each(w.fresh), 0;
    case operation::insert_batched:
      return s.scratch->insert_batched(w.fresh), 0;
    case operation::string_insert_batched:
      return s.scratch->insert_batched(w.fresh_texts.views()), 0;
    case operation::erase:
      return s.scratch->erase_each(w.fresh);
    case operation::erase_batched:
      return s.scratch->erase_batched(w.fresh);
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
    case operation::mixed:
      return s.full->count_each(w.mixed);
    case operation::mixed_batched:
      return s.full->count_batched(w.mixed);
  }
  return 0;
}

task task_of(const operation_info& o, const subject_pair& s, const workload& w) {
  task t{o.writes ? w.fresh.size() : queries,
         [&s, &w, what = o.what] { return run(what, s, w); }};
  if (o.writes)
    t.before = [&s, &w, filled = o.erases()] {
      s.scratch->clear();
      if (filled) s.scratch->insert_batched(w.fresh);
    };
  return t;
}

bool has(const subject_pair& s, const operation_info& o) {
  if (!o.writes) return true;
  return s.scratch != nullptr && (!o.erases() || s.scratch->can_erase());
}

// Also the first touch of everything that is timed afterwards.
void check(const subject_pair& s, const workload& w) {
  const auto say = [](bool right, const char* wrong) {
    if (!right) throw std::runtime_error(wrong);
  };
  const std::uint64_t present = run(operation::present, s, w);
  say(present == queries || s.full->forgets(),
      "bench: the filter lost a key: do not use this build");
  for (const operation o :
       {operation::present_batched, operation::string_present_batched})
    say(run(o, s, w) == present, "bench: batched and single lookups disagree");
  const std::uint64_t maybe = run(operation::absent, s, w);
  for (const operation o : {operation::absent_batched, operation::string_absent_batched})
    say(run(o, s, w) == maybe, "bench: batched and single lookups disagree");
  if (s.scratch == nullptr) return;
  growing_subject& scratch = *s.scratch;
  const auto has_all = [&] {
    return scratch.forgets() || scratch.count_batched(w.fresh) == w.fresh.size();
  };
  scratch.clear();
  scratch.insert_each(w.fresh);
  say(has_all(), "bench: single inserts lost a key: do not use this build");
  const std::vector<std::byte> single(scratch.bytes().begin(), scratch.bytes().end());
  scratch.clear();
  scratch.insert_batched(w.fresh_texts.views());
  say(has_all(), "bench: batched inserts lost a key: do not use this build");
  say(!scratch.sets_bits() || std::ranges::equal(scratch.bytes(), single),
      "bench: batched and single inserts set different bits");
  if (!scratch.can_erase()) return;
  say(scratch.erase_each(w.fresh) == w.fresh.size(),
      "bench: single erases did not find a key: do not use this build");
  scratch.insert_batched(w.fresh);
  say(scratch.erase_batched(w.fresh) == w.fresh.size(),
      "bench: batched erases did not find a key: do not use this build");
}

// A key is 64 bits and nothing else.
const std::uint64_t* hashes_of(const std::vector<key>& ks) {
  static_assert(sizeof(key) == sizeof(std::uint64_t));
  return reinterpret_cast<const std::uint64_t*>(ks.data());
}

// The one-key calls as a program built for x86-64-v3 has them.
void add_v3(schedule& s, const bloomery_v3_loops& loops, const subject_pair& ours,
            const workload& w, inline_times& into) {
  const auto lookups = [&](const std::vector<key>& ks, timing& t) {
    s.add({ks.size(),
           [=, &loops, &ours, &ks] {
             return loops.count(ours.full->object(), hashes_of(ks), ks.size());
           }},
          t);
  };
  lookups(w.present, into.present);
  lookups(w.absent, into.absent);
  lookups(w.mixed, into.mixed);
  s.add({w.fresh.size(),
         [=, &loops, &ours, &w] {
           loops.insert(ours.scratch->object(), hashes_of(w.fresh), w.fresh.size());
           return std::uint64_t{0};
         },
         [&ours] { ours.scratch->clear(); }},
        into.insert);
}

// A filter and its textbook twin next to each other, the floor after them.
void time_all(const subject_spec& p, const subject_pair& ours,
              const subject_pair& textbook, const workload& w, line_floor& floor,
              unsigned rounds, figures& f) {
  schedule s;
  for (const operation_info& o : operations) {
    if (!has(ours, o)) continue;
    s.add(task_of(o, ours, w), f.ours[o.what].emplace());
    if (f.textbook && o.textbook == o.what)
      s.add(task_of(o, textbook, w), (*f.textbook)[o.what]);
  }
  if (p.v3 != nullptr) add_v3(s, *p.v3, ours, w, f.v3.emplace());
  std::vector<key> hashed(queries);
  const hasher h = ours.full->hasher();
  s.add({queries,
         [&] {
           h.hash(w.absent_texts.views(), hashed);
           return hashed.back().bits();
         }},
        f.hash);
  add_floor(s, floor, f.floor);
  add_two_line_floor(s, floor, f.floor2);
  s.run(rounds);
  if (!f.textbook) return;
  for (const operation_info& o : operations)
    (*f.textbook)[o.what] = (*f.textbook)[o.textbook];
}

}  // namespace

result<figures> measure(const subject_spec& p, const options& o) {
  figures f;
  f.kind = p.kind;
  f.kernel = p.kernel;
  f.keys = p.keys;
  f.fpr = p.fpr;
  auto ours = build_pair(p, o, f);
  if (!ours) return ours.error();
  const subject& full = *ours->full;
  f.bytes = full.bytes().size();
  f.bits_per_key = 8 * static_cast<double>(f.bytes) / static_cast<double>(p.keys);
  f.realised_fpr = full.realised_fpr();

  const workload w(p.keys, full.hasher());
  check(*ours, w);
  if (p.v3 != nullptr && p.v3->count(ours->full->object(), hashes_of(w.absent),
                                     queries) != full.count_each(w.absent))
    throw std::runtime_error("bench: the build for x86-64-v3 answers otherwise");
  f.measured_fpr =
      static_cast<double>(full.count_batched(w.absent)) / static_cast<double>(queries);

  subject_pair textbook;
  if (p.make_textbook) {
    subject_spec alone;
    alone.keys = p.keys;
    alone.make = p.make_textbook;
    figures ignored;
    auto built = build_pair(alone, {.rounds = 1}, ignored);
    if (!built) return built.error();
    textbook = *std::move(built);
    if (!std::ranges::equal(textbook.full->bytes(), full.bytes()))
      throw std::runtime_error("bench: the bytes differ from the textbook filter's");
    f.textbook.emplace();
  }

  auto floor = line_floor::make(f.bytes);
  if (!floor) return floor.error();
  time_all(p, *ours, textbook, w, *floor, o.rounds, f);
  measure_growth(p, *ours, o, f);
  f.present_latency = percentiles_of(full.lookup_ticks(w.present));
  f.absent_latency = percentiles_of(full.lookup_ticks(w.absent));
  f.threads = o.threads;
  if (o.threads > 1)
    f.absent_threaded = count_threaded(full, w.absent, o.threads, o.rounds);
  return f;
}

}  // namespace bloomery::bench
