// bloomery bench -- what a filter costs on this machine.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "command/commands.hpp"
#include "command/shared_options.hpp"
#include "kit/kinds.hpp"
#include "kit/machine.hpp"
#include "kit/table.hpp"
#include "sizes/kind_choice.hpp"
#include "text/json.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/numbers.hpp"
#include "text/output.hpp"

namespace bloomery::cli {
namespace {

struct bench_options {
  std::string kind = kinds().front().facts.name;
  std::uint64_t keys = 1'000'000;
  double fpr = 0.01;
  unsigned threads = 1;
  unsigned rounds = 9;
  bool end_to_end = false;  // nothing else
  bool as_json = false;
};

using user_rows = std::vector<bench::user_key_figures>;

// A picosecond is as far as the clock can be believed.
double ns(double x) { return std::round(1000 * x) / 1000; }

void put(json& j, const std::string& name, const bench::timing& t) {
  j[name + "_ns"] = ns(t.min);
  j[name + "_median_ns"] = ns(t.median);
}

// A kind without the call has no figure.
void put(json& j, const std::string& name, const std::optional<bench::timing>& t) {
  if (t) put(j, name, *t);
}

void put(json& j, const std::string& name, const std::optional<bench::growth>& g) {
  if (!g) return;
  put(j, name, g->all);
  put(j, name + "_first_tenth", g->first);
  put(j, name + "_last_tenth", g->last);
}

void put(json& j, const std::string& name, const bench::percentiles& p) {
  j[name + "_p50_ns"] = ns(p.p50);
  j[name + "_p99_ns"] = ns(p.p99);
  j[name + "_p999_ns"] = ns(p.p999);
}

json in_json(const user_rows& rows) {
  json all = json::array();
  for (const bench::user_key_figures& f : rows) {
    json j;
    j["key"] = f.type;
    j["key_bytes"] = f.key_bytes;
    j["bits_per_key"] = f.bits_per_key;
    j["measured_fpr"] = f.measured_fpr;
    for (const bench::operation o : bench::user_operations)
      put(j, bench::info_of(o).name, f.times[o]);
    all.push_back(std::move(j));
  }
  return all;
}

// Every time is the minimum of the rounds, beside it the median.
json in_json(const bench::figures& f) {
  json j;
  j["kind"] = f.kind;
  j["keys"] = f.keys;
  j["fpr"] = f.fpr;
  j["bits_per_key"] = f.bits_per_key;
  j["measured_fpr"] = f.measured_fpr;
  j["realised_fpr"] = f.realised_fpr;
  j["kernel"] = f.kernel;
  put(j, "build", f.build);
  if (f.build_threaded) put(j, "build_threaded", *f.build_threaded);
  for (const bench::operation_info& o : bench::operations) put(j, o.name, f.ours[o.what]);
  if (f.growing) j["growing_load"] = f.growing->load;
  put(j, "growing", f.growing);
  put(j, "growing_batched", f.growing_batched);
  if (f.v3) {
    put(j, "insert_v3", f.v3->insert);
    put(j, "present_v3", f.v3->present);
    put(j, "absent_v3", f.v3->absent);
    put(j, "mixed_v3", f.v3->mixed);
  }
  put(j, "string_hash", f.hash);
  put(j, "floor", f.floor.load);
  put(j, "floor_batched", f.floor.load_batched);
  put(j, "rmw_floor", f.floor.update);
  put(j, "rmw_floor_batched", f.floor.update_batched);
  put(j, "floor2", f.floor2.load);
  put(j, "floor2_batched", f.floor2.load_batched);
  put(j, "rmw_floor2", f.floor2.update);
  put(j, "rmw_floor2_batched", f.floor2.update_batched);
  if (f.textbook)
    for (const bench::operation_info& o : bench::operations)
      if (o.textbook_name != nullptr) put(j, o.textbook_name, (*f.textbook)[o.what]);
  put(j, "present", f.present_latency);
  put(j, "absent", f.absent_latency);
  j["threads"] = f.threads;
  if (f.threads > 1) put(j, "absent_threaded", f.absent_threaded);
  return j;
}

std::string in_words(const user_rows& rows) {
  return "Calls with a user's keys, hashed by the filter within the call, in ns per "
         "key:\n"
         "minimum (median); the caller is compiled for any CPU.\n\n" +
         bench::end_to_end_table(rows);
}

std::string in_words(const bench::figures& f) {
  std::string how =
      "Calls with keys hashed before, in ns per key: minimum (median).  floors: how "
      "many\n"
      "random cache lines it costs; of two lines: in units of two random lines per "
      "key.\n";
  if (f.textbook)
    how += "times textbook: how much faster than hashing, % m and a byte loop.\n";
  if (f.v3)
    how +=
        "built for x86-64-v3: one-key calls of a program compiled with "
        "-march=x86-64-v3;\nall else is compiled for any x86-64.\n";
  return fmt::format("{}\n{}\n{}", how, bench::speed_table({&f, 1}),
                     bench::filters_table({&f, 1}));
}

const bench::kind& measurable(const std::string& name) {
  if (const bench::kind* found = bench::find_kind(name)) return *found;
  throw failure(
      fmt::format("unknown kind '{}'; this version measures: {}", name, kind_names()));
}

// What was measured, or the message of the error.
template <class T>
T measured(const bench_options& o, result<T> f) {
  if (f) return *std::move(f);
  if (f.error().code == errc::unattainable)
    throw failure(
        fmt::format("{}: {}: requested {:.3g}, possible {:.3g}; use a higher --fpr{}",
                    o.kind, f.error().what, f.error().asked, f.error().possible,
                    kind_named(o.kind).promise != nullptr ? " or more --keys" : ""));
  throw failure(describe(o.kind, f.error()));
}

void put_load(json& j, const char* name, std::optional<double> load) {
  if (load) j[name] = *load;
}

exit_status run_bench(const bench_options& o) {
  // Before ours is part of it.
  const std::string machine = bench::describe_machine();
  const std::optional<double> load = bench::load_average();
  const bench::kind& kind = measurable(o.kind);
  const bench::options how{.rounds = o.rounds, .threads = o.threads};
  std::optional<bench::figures> hashed;
  if (!o.end_to_end) hashed = measured(o, kind.measure(o.keys, o.fpr, how));
  const user_rows users = measured(o, kind.end_to_end(o.keys, o.fpr, how));
  output out;
  if (o.as_json) {
    json j;
    if (hashed) {
      j = in_json(*hashed);
    } else {
      j["kind"] = o.kind;
      j["keys"] = o.keys;
      j["fpr"] = o.fpr;
      j["kernel"] = kind.kernel();
    }
    j["end_to_end"] = in_json(users);
    put_load(j, "load_average_at_start", load);
    put_load(j, "load_average_at_end", bench::load_average());
    out.write(j.dump() + "\n");
  } else {
    out.write(fmt::format("{}{}- filter: {}, kernel {}\n\n{}", machine,
                          bench::describe_load_at_end(), o.kind, kind.kernel(),
                          in_words(users)));
    if (hashed) out.write("\n" + in_words(*hashed));
  }
  out.flush();
  return yes;
}

}  // namespace

void add_bench(command_line& tool) {
  std::string names = kind_names();
  names.insert(std::min(names.find(','), names.size()), " (default)");
  const auto o = std::make_shared<bench_options>();
  command c = tool.add("bench", "Measure a filter on this machine");
  c.add("--kind", "KIND", o->kind, "which filter: " + names)
      .offers(names_of_kinds([](const kind_info&) { return true; }));
  c.add(
      "--keys", "N", [o](const std::string& n) { o->keys = key_count(n, 1); },
      "how many keys it holds, as in 10M or 1e7 (default: 1M)");
  add_rate_option(c, o->fpr, "false-positive rate it is sized for (default: 1%)");
  c.add("--threads", "T", o->threads, 1, 1024,
        "also measure lookups by this many threads");
  c.add("--rounds", "R", o->rounds, 1, 1000, "how often to measure (default: 9)");
  c.add_flag("--end-to-end", o->end_to_end,
             "only the calls with a user's keys: u64, texts of 8 to 64 bytes");
  c.add_flag("--json", o->as_json, "for programs; times in ns per key");
  c.footer(
      "First the calls as programs make them: with integers and with texts of 8, 16, 32 "
      "and 64\nbytes, which the filter hashes within the call.  Then the same with keys "
      "hashed before,\nbeside the cost of touching one random cache line, and two; the "
      "portable filter beside\nits textbook version too.  All take turns, several times."
      "  docs/performance.md explains\nthe figures.\n\n"
      "Examples:\n"
      "  bloomery bench --keys 10000000\n"
      "  bloomery bench --end-to-end --kind fuse\n"
      "  bloomery bench --json | jq '.absent_batched_ns / .floor_batched_ns'\n"
      "  bloomery bench --end-to-end --json | jq '.end_to_end[] | {key, key_bytes, "
      "absent_ns}'");
  c.run([o] { return run_bench(*o); });
}

}  // namespace bloomery::cli
