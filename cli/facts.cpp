#include "facts.hpp"

#include <cmath>

namespace bloomery::cli {
namespace {

using json = nlohmann::ordered_json;

json finite(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }
// 0 where nothing is recorded.
template <class Number>
json recorded(Number n) {
  return n != Number{} ? json(n) : json(nullptr);
}

void put_rates(json& j, const auto& f, json design_fpr) {
  j["keys_estimate"] = finite(f.estimated_keys());
  j["fill"] = f.fill();
  j["design_fpr"] = std::move(design_fpr);
  j["realised_fpr"] = f.realised_fpr();
}

// What a builder noted in a container.
void put_notes(json& j, const opened& f) {
  if (!f.container) return;
  j["keys"] = recorded(f.container->keys);
  j["asked_fpr"] = recorded(f.container->asked_fpr);
}

// One of our own filters, bare or viewed.
template <class F>
json facts_of_ours(const opened& from, std::string_view kind, const F& f) {
  json j;
  j["kind"] = kind;
  if constexpr (requires { f.profile(); }) j["profile"] = name_of(f.profile());
  j["dialect"] = from.dialect_name();
  j["hash"] = name_of(f.hasher().id());
  j["seed"] = f.hasher().seed();
  j["bits"] = f.bits();
  j["hashes"] = f.hashes();
  j["bytes"] = f.size_in_bytes();
  j["capacity"] = recorded(f.capacity());
  put_notes(j, from);
  put_rates(j, f, f.capacity() != 0 ? json(f.expected_fpr(f.capacity())) : json(nullptr));
  return j;
}

json parts_of(const foreign_filter& f) {
  json all = json::array();
  for (std::uint64_t i = 0; i < f.parts(); ++i) {
    const auto part = f.part(i);
    all.push_back({{"name", part.name},
                   {"offset", part.offset},
                   {"length", part.length},
                   {"bits", part.bits},
                   {"hashes", part.hashes}});
  }
  return all;
}

json facts_of(const opened& from, const foreign_filter& f) {
  json j;
  j["kind"] = "foreign";
  j["dialect"] = from.dialect_name();
  j["variant"] = f.variant();
  j["hash"] = f.hash();
  j["seed"] = f.seed();
  j["bits"] = f.bits();
  j["hashes"] = f.hashes();
  j["bytes"] = f.size_in_bytes();
  j["capacity"] = recorded(f.capacity());
  put_notes(j, from);
  put_rates(j, f, nullptr);
  if (f.parts() > 1) j["parts"] = parts_of(f);
  return j;
}

json facts_of(const opened& from, const packed_set& f) {
  const container_facts& c = f.facts();
  json j;
  j["kind"] = "packed";
  j["member_kind"] = name_of(c.member);
  j["profile"] = name_of(c.profile);
  j["dialect"] = from.dialect_name();
  j["hash"] = name_of(c.hash);
  j["seed"] = c.seed;
  j["hashes"] = c.hashes;
  j["bytes"] = c.payload_bytes;
  j["capacity"] = recorded(c.capacity);
  put_notes(j, from);
  j["members"] = f.size();
  if (from.part != foreign_options::every_part) {
    j["part"] = from.part;
    j["part_bytes"] = f.member_bytes(from.part);
  }
  return j;
}

template <class F>
json facts_of(const opened& from, const filter_view<F>& f) {
  return facts_of_ours(from, name_of(f.facts().kind), f.filter());
}
json facts_of(const opened& from, const portable_bloom& f) {
  return facts_of_ours(from, "portable", f);
}

}  // namespace

json facts_of(const opened& f, const std::optional<read_report>& report) {
  json j = std::visit([&](const auto& any) { return facts_of(f, any); }, f.filter);
  // Without a checksum a file can be proved damaged, never intact.
  j["intact"] = report       ? json(report->damaged_chunks == 0)
                : f.damage() ? json(false)
                             : json(nullptr);
  if (!report) return j;
  j["version"] = report->facts.version;
  j["chunks"] = report->facts.chunks();
  j["damaged_chunks"] = report->damaged_chunks;
  j["sentinels"] = report->facts.sentinels;
  return j;
}

}  // namespace bloomery::cli
