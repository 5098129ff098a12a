#include "files/filter_report.hpp"

#include <algorithm>
#include <cmath>

#include <bloomery/kinds.hpp>

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

json value_json(const field_value& v) {
  switch (v.what) {
    case field_value::type::count:
      return v.count;
    case field_value::type::real:
      return finite(v.real);
    case field_value::type::text:
      return v.text;
    default:
      return nullptr;
  }
}

// The first field that is computed: what a builder noted comes before it.
bool is_computed(const kind_field& f) { return f.group != field_group::layout; }

// A native filter, bare or viewed: the fields of its kind.
template <class F>
json native_facts(const query_filter& from, std::string_view kind, const F& f) {
  json j;
  j["kind"] = kind;
  j["dialect"] = from.dialect_name();
  bool noted = false;
  for_each_field(f, all_fields, [&](const field_place& at, const field_value& v) {
    if (!noted && is_computed(*at.field)) {
      put_notes(j, from.container);
      noted = true;
    }
    json& to = j[at.field->name];
    if (at.column == nullptr) {
      to = value_json(v);
      return;
    }
    if (to.is_null()) to = json::array();
    to.row(at.row)[at.column->name] = value_json(v);
  });
  return j;
}

json parts_of(const foreign_filter& f) {
  json all = json::array();
  for (std::uint64_t i = 0; i < f.parts(); ++i) {
    const auto part = f.part(i);
    json one = json::object({{"name", part.name},
                             {"offset", part.offset},
                             {"length", part.length},
                             {"bits", part.bits},
                             {"hashes", part.hashes}});
    if (part.fpr >= 0) one["realised_fpr"] = part.fpr;
    all.push_back(std::move(one));
  }
  return all;
}

// The seed as its owner shows it.
json seed_of(const foreign_filter& f) {
  if (dialect_named(f.dialect()).facts.signed_seed)
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(f.seed()));
  return f.seed();
}

// A table file of a storage engine.
void put_table(json& j, const foreign_filter& f, const foreign_filter::table_facts& t) {
  const auto put = [&](const char* name, std::string_view text) {
    if (!text.empty()) j[name] = printable(text);
  };
  put("policy", t.policy);
  put("policy_class", t.policy_class);
  put("filters", std::string(t.filters) + (t.filters_are_own ? " (Bloomery)" : ""));
  put("filter_keys", t.keys);
  put("prefixes_by", t.prefix_extractor);
  put("comparator", t.comparator);
  if (t.format >= 0) j["format_version"] = t.format;
  put("checksums", t.checksum);
  if (t.entries != 0) j["entries"] = t.entries;
  if (t.filter_entries != 0) j["filter_entries"] = t.filter_entries;
  j["bits_per_key"] =
      finite(std::round(100 * static_cast<double>(f.bits()) / f.estimated_keys()) / 100);
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
  if (const auto t = f.table(); !t.policy.empty()) put_table(j, f, t);
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
  j["intact"] = report           ? json(report->damaged_chunks == 0)
                : f.damage()     ? json(false)
                : f.is_checked() ? json(true)
                                 : json(nullptr);
  if (report) put_checks(j, *report);
  return j;
}

json header_report(const read_report& report) {
  const container_facts& f = report.facts;
  const kind_info* const kind = find_kind(f.kind);
  json j;
  j["kind"] = name_of(f.kind);
  if (f.member != f.kind) j["member_kind"] = name_of(f.member);
  j["dialect"] = "native";
  const auto put_known = [&] {
    j["hash"] = name_of(f.hash);
    j["seed"] = f.seed;
    j["key_source"] = recorded_source(f.source);
    const bool counts_bits = kind != nullptr && kind->units_are_bits;
    j["bits"] = counts_bits ? f.units : 8 * f.payload_bytes;
    if (f.profile != block_profile::by_rate) j["profile"] = name_of(f.profile);
    j["hashes"] = f.hashes;
    j["bytes"] = f.payload_bytes;
    j["capacity"] = recorded(f.capacity);
  };
  if (kind == nullptr) {
    put_known();
    put_notes(j, f);
    put_no_rates(j);
  } else {
    // All fields of the kind; what takes its keys, or its own reading of the header, is
    // null.
    bool noted = false;
    for (const kind_field& field : kind->fields) {
      if (!noted && is_computed(field)) {
        put_notes(j, f);
        noted = true;
      }
      j[field.name] = nullptr;
    }
    put_known();
  }
  if (is_packed(f.kind)) j["members"] = f.units;
  j["intact"] = report.damaged_chunks == 0;
  put_checks(j, report);
  return j;
}

}  // namespace bloomery::cli
