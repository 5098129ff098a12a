#include "comparison/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace bloomery::bench {
namespace {

using json = nlohmann::ordered_json;

// A picosecond is as far as the clock can be believed.
double rounded(double x) { return std::round(1000 * x) / 1000; }

void put(json& j, const std::string& name, const timing& t) {
  j[name + "_ns"] = rounded(t.min);
  j[name + "_median_ns"] = rounded(t.median);
}

void put(json& j, const std::string& name, const percentiles& p) {
  j[name + "_p50_ns"] = rounded(p.p50);
  j[name + "_p99_ns"] = rounded(p.p99);
  j[name + "_p999_ns"] = rounded(p.p999);
}

json in_json(const row& r) {
  json j;
  j["keys"] = r.keys;
  j["filter"] = r.name;
  j["about"] = r.about;
  j["ours"] = r.ours;
  j["one_key_only"] = r.one_key_only;
  j["bytes"] = r.bytes;
  j["bits_per_key"] = r.bits_per_key;
  j["measured_fpr"] = r.measured_fpr;
  if (const auto over = r.over_limit()) j["over_limit_percent"] = rounded(*over);
  for (const figure_info& f : figure_infos)
    if (const std::optional<timing>& t = r.*f.at) {
      put(j, f.name, *t);
      j[std::string(f.name) + "_floors"] = rounded(t->min / r.floor.best(f.writes).min);
    }
  if (r.present_latency) put(j, "present", *r.present_latency);
  if (r.absent_latency) put(j, "absent", *r.absent_latency);
  put(j, "floor", r.floor.load);
  put(j, "floor_batched", r.floor.load_batched);
  put(j, "rmw_floor", r.floor.update);
  put(j, "rmw_floor_batched", r.floor.update_batched);
  put(j, "floor2", r.floor2.load);
  put(j, "floor2_batched", r.floor2.load_batched);
  put(j, "rmw_floor2", r.floor2.update);
  put(j, "rmw_floor2_batched", r.floor2.update_batched);
  put(j, "floor", r.floor_latency);
  return j;
}

json in_json(const string_row& r) {
  json j;
  j["keys"] = r.keys;
  j["filter"] = r.name;
  put(j, "string_hash", r.hash);
  put(j, "absent_batched", r.hashed);
  put(j, "string_absent_batched", r.strings);
  return j;
}

json in_json(const set_row& r) {
  json j;
  j["filters"] = r.filters;
  j["keys"] = r.keys;
  put(j, "set", r.set);
  put(j, "set_batched", r.set_batched);
  put(j, "loop", r.loop);
  put(j, "loop_batched", r.loop_batched);
  put(j, "floor", r.floor.load);
  put(j, "floor_batched", r.floor.load_batched);
  return j;
}

}  // namespace

std::string comparison_json(std::span<const row> rows,
                            std::span<const string_row> strings,
                            std::span<const set_row> sets, const std::string& machine) {
  json j;
  j["machine"] = machine;
  j["rows"] = json::array();
  for (const row& r : rows) j["rows"].push_back(in_json(r));
  j["strings"] = json::array();
  for (const string_row& r : strings) j["strings"].push_back(in_json(r));
  j["sets"] = json::array();
  for (const set_row& r : sets) j["sets"].push_back(in_json(r));
  return j.dump(1) + "\n";
}

}  // namespace bloomery::bench
