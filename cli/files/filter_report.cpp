#include "files/filter_report.hpp"

#include <algorithm>
#include <cmath>

#include <bloomery/filter.hpp>

namespace bloomery::cli {
namespace {

json finite(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }
// 0 where nothing is recorded.
template <class Number>
json recorded(Number n) {
  return n != Number{} ? json(n) : json(nullptr);
}

// A file without a record has keys of bytes, unless its maker knows better.
json recorded_source(key_source s) {
  return s != key_source::bytes ? json(name_of(s)) : json(nullptr);
}

void put_rates(json& j, const auto& f, json design_fpr) {
  j["keys_estimate"] = finite(f.estimated_keys());
  j["fill"] = f.fill();
  j["design_fpr"] = std::move(design_fpr);
  j["realised_fpr"] = f.realised_fpr();
}

// What a builder noted in a container.
void put_notes(json& j, const std::optional<container_facts>& c) {
  if (!c) return;
  j["keys"] = recorded(c->keys);
  j["asked_fpr"] = recorded(c->asked_fpr);
}

// Rates take a filter that can be queried, and only one of them.
void put_no_rates(json& j) {
  for (const char* name : {"keys_estimate", "fill", "design_fpr", "realised_fpr"})
    j[name] = nullptr;
}

// Kinds that are only built: fingerprints in slots.
void put_built_layout(json& j, const auto& f) {
  if constexpr (requires {
                  f.residue();
                  f.shape().shard_slots;
                }) {
    j["layout"] = name_of(f.shape().layout);
    j["slots"] = f.slots();
    j["fingerprint_bits"] = f.shape().width;
    j["shards"] = f.shape().shards;
    j["residue"] = f.residue();
  }
}

// Kinds that erase keys: tags in slots, or counters in cells.
void put_erasable_layout(json& j, const auto& f) {
  if constexpr (requires { f.tag_bits(); }) j["tag_bits"] = f.tag_bits();
  if constexpr (requires {
                  f.slots();
                  f.tag_bits();
                })
    j["slots"] = f.slots();
  if constexpr (requires { f.remainder_bits(); }) {
    j["quotients"] = f.quotients();
    j["remainder_bits"] = f.remainder_bits();
    j["slots"] = f.slots();
  }
  if constexpr (requires { f.cells(); }) j["cells"] = f.cells();
  if constexpr (requires { f.cell_bits(); }) j["cell_bits"] = f.cell_bits();
  if constexpr (requires { f.identity(); }) j["identity"] = f.identity();
}

// load: the share of the slots that have a tag; of a quotient filter, slots in use for
// each quotient.  most_copies: of keys that the filter cannot distinguish.
void put_erasable_state(json& j, const auto& f) {
  if constexpr (requires {
                  f.slots();
                  f.occupied();
                })
    j["load"] = static_cast<double>(f.occupied()) / static_cast<double>(f.slots());
  if constexpr (requires { f.stuck_cells(); }) {
    j["layout"] = name_of(f.shape().layout);
    j["cell_bits"] = f.cell_bits();
    j["stuck_cells"] = f.stuck_cells();
  }
  if constexpr (requires { f.most_copies(); }) j["most_copies"] = f.most_copies();
  if constexpr (requires { f.census().longest_cluster; }) {
    const auto c = f.census();
    j["load"] = static_cast<double>(c.used_slots) / static_cast<double>(f.quotients());
    j["fingerprints"] = c.fingerprints;
    j["copies"] = c.copies;
    j["most_copies"] = c.most_copies;
    j["longest_run"] = c.longest_run;
    j["longest_cluster"] = c.longest_cluster;
  }
}

// Kinds that grow: each level by itself.
void put_levels(json& j, const auto& f) {
  if constexpr (requires { f.level(0u).target_fpr; }) {
    j["policy"] = name_of(f.shape().policy);
    j["growth"] = std::uint64_t{f.shape().growth};
    j["max_levels"] = std::uint64_t{f.shape().most_levels()};
    json all = json::array();
    for (unsigned i = 0; i < f.levels(); ++i) {
      const auto l = f.level(i);
      all.push_back(json::object({{"profile", name_of(l.shape.profile)},
                                  {"bytes", l.shape.size_in_bytes()},
                                  {"room", l.room},
                                  {"keys_estimate", finite(l.estimated_keys)},
                                  {"fill", l.fill},
                                  {"target_fpr", l.target_fpr},
                                  {"realised_fpr", l.realised_fpr}}));
    }
    j["levels"] = std::move(all);
  }
}

// Kinds that forget: their layout, and how much of which age is forgotten.
void put_forgetting(json& j, const auto& f) {
  if constexpr (requires { f.retained(); }) {
    const auto shape = f.shape();
    j["generations"] = shape.generations;
    j["generation_keys"] = shape.generation_keys;
    j["current"] = f.current();
    j["current_keys"] = f.count();
    j["retained"] = shape.generation_keys != 0 ? json(f.retained()) : json(nullptr);
    json all = json::array();
    for (unsigned i = 0; i < shape.generations; ++i) {
      const unsigned g = (f.current() + shape.generations - i) % shape.generations;
      all.push_back(json::object({{"generation", g},
                                  {"keys_estimate", finite(f.estimated_keys(g))},
                                  {"realised_fpr", f.realised_fpr(g)}}));
    }
    j["generation_rates"] = std::move(all);
  }
  if constexpr (requires { f.forgetting(1); }) {
    const auto shape = f.shape();
    j["cell_max"] = shape.max;
    j["decrement"] = shape.steps();
    j["inserts"] = f.inserts();
    j["stable_fpr"] = f.stable_fpr();
    json curve = json::array();
    const std::uint64_t gap = std::max<std::uint64_t>(10, f.capacity());
    for (const std::uint64_t age :
         {gap / 10, gap / 5, gap / 2, gap, 2 * gap, 5 * gap, 10 * gap})
      curve.push_back(json::object({{"age", age}, {"forgotten", f.forgetting(age)}}));
    j["forgetting"] = std::move(curve);
  }
}

// A native filter, bare or viewed.
template <class F>
json native_facts(const query_filter& from, std::string_view kind, const F& f) {
  json j;
  j["kind"] = kind;
  if constexpr (requires { f.profile(); }) j["profile"] = name_of(f.profile());
  j["dialect"] = from.dialect_name();
  j["hash"] = name_of(f.hasher().id());
  j["seed"] = f.hasher().seed();
  j["key_source"] = recorded_source(f.hasher().source());
  if constexpr (requires { f.bits(); }) j["bits"] = f.bits();
  if constexpr (
      requires { f.hashes(); } && !requires { f.tag_bits(); } &&
      !requires { f.remainder_bits(); } && !requires { f.columns(); } &&
      !requires { f.residue(); })
    j["hashes"] = f.hashes();
  if constexpr (requires { f.columns(); }) {
    j["columns"] = f.columns();
    j["ribbon_width"] = f.width();
  }
  put_built_layout(j, f);
  put_erasable_layout(j, f);
  j["bytes"] = f.size_in_bytes();
  j["capacity"] = recorded(f.capacity());
  put_notes(j, from.container);
  // Of a filter that forgets: after any number of keys.
  const std::uint64_t keys = forgetting<F> ? std::uint64_t{1} << 52 : f.capacity();
  put_rates(j, f, f.capacity() != 0 ? json(f.expected_fpr(keys)) : json(nullptr));
  put_erasable_state(j, f);
  put_levels(j, f);
  put_forgetting(j, f);
  return j;
}

json parts_of(const foreign_filter& f) {
  json all = json::array();
  for (std::uint64_t i = 0; i < f.parts(); ++i) {
    const auto part = f.part(i);
    all.push_back(json::object({{"name", part.name},
                                {"offset", part.offset},
                                {"length", part.length},
                                {"bits", part.bits},
                                {"hashes", part.hashes}}));
  }
  return all;
}

// As its owner shows it.
json seed_of(const foreign_filter& f) {
  if (dialect_named(f.dialect()).facts.signed_seed)
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(f.seed()));
  return f.seed();
}

json facts_of(const query_filter& from, const foreign_filter& f) {
  json j;
  j["kind"] = "foreign";
  j["dialect"] = from.dialect_name();
  j["variant"] = f.variant();
  j["hash"] = f.hash();
  j["seed"] = seed_of(f);
  j["bits"] = f.bits();
  j["hashes"] = f.hashes();
  j["bytes"] = f.size_in_bytes();
  j["capacity"] = recorded(f.capacity());
  put_notes(j, from.container);
  put_rates(j, f, nullptr);
  if (has_named_parts(f)) j["parts"] = parts_of(f);
  return j;
}

json facts_of(const query_filter& from, const packed_set& f) {
  const container_facts& c = f.facts();
  json j;
  j["kind"] = name_of(c.kind);
  j["member_kind"] = name_of(c.member);
  j["profile"] = name_of(c.profile);
  j["dialect"] = from.dialect_name();
  j["hash"] = name_of(c.hash);
  j["seed"] = c.seed;
  j["key_source"] = recorded_source(c.source);
  j["hashes"] = c.hashes;
  j["bytes"] = c.payload_bytes;
  j["capacity"] = recorded(c.capacity);
  put_notes(j, from.container);
  put_no_rates(j);
  j["members"] = f.size();
  if (from.part != foreign_options::every_part) {
    j["part"] = from.part;
    j["part_bytes"] = f.member_bytes(from.part);
  }
  return j;
}

json facts_of(const query_filter& from, const any_view& view) {
  return std::visit(
      [&](const auto& v) {
        return native_facts(from, name_of(v.facts().kind), v.filter());
      },
      view);
}
json facts_of(const query_filter& from, const any_filter& bare) {
  return bare.visit([&](const auto& f) { return native_facts(from, bare.kind(), f); });
}

void put_checks(json& j, const read_report& report) {
  j["version"] = report.facts.version;
  j["chunks"] = report.facts.chunks();
  j["damaged_chunks"] = report.damaged_chunks;
  j["sentinels"] = report.facts.sentinels;
}

}  // namespace

json filter_report(const query_filter& f, const std::optional<read_report>& report) {
  json j = std::visit([&](const auto& any) { return facts_of(f, any); }, f.filter);
  // Without a checksum a file can be proved damaged, never intact.
  j["intact"] = report       ? json(report->damaged_chunks == 0)
                : f.damage() ? json(false)
                             : json(nullptr);
  if (report) put_checks(j, *report);
  return j;
}

json header_report(const read_report& report) {
  const container_facts& f = report.facts;
  json j;
  j["kind"] = name_of(f.kind);
  if (f.member != f.kind) j["member_kind"] = name_of(f.member);
  if (f.profile != block_profile::by_rate) j["profile"] = name_of(f.profile);
  j["dialect"] = "native";
  j["hash"] = name_of(f.hash);
  j["seed"] = f.seed;
  j["key_source"] = recorded_source(f.source);
  const kind_info* kind = find_kind(f.kind);
  const bool counts_bits =
      kind != nullptr && kind->facts.units == std::string_view("bits");
  j["bits"] = counts_bits ? f.units : 8 * f.payload_bytes;
  j["hashes"] = f.hashes;
  j["bytes"] = f.payload_bytes;
  j["capacity"] = recorded(f.capacity);
  put_notes(j, f);
  put_no_rates(j);
  if (is_packed(f.kind)) j["members"] = f.units;
  j["intact"] = report.damaged_chunks == 0;
  put_checks(j, report);
  return j;
}

}  // namespace bloomery::cli
