// Verbs that read a filter out of bytes.
#include <fstream>

#include <bloomery/any_filter.hpp>

#include "interpreter.hpp"

namespace bloomery::conform {
namespace {

std::string facts_of(const foreign_filter& f) {
  return "dialect=" + std::string(f.dialect()) + " variant=" + std::string(f.variant()) +
         " bits=" + std::to_string(f.bits()) + " parts=" + std::to_string(f.parts());
}

std::string damage_of(const read_report& r) {
  return std::string("ok kind=") + name_of(r.facts.kind) +
         " damaged=" + std::to_string(r.damaged_chunks);
}

key_form form_named(const std::string& name) {
  if (name == "bytes") return key_form::bytes;
  if (name == "text") return key_form::text;
  if (name == "integer") return key_form::integer;
  throw bad_script("no such form of keys: " + name);
}

}  // namespace

std::string interpreter::decode(const line& l) {
  const std::string &name = l.word(1), &form = l.word(3);
  if (form == "native") return decode_native(l);
  if (find_form(form) != nullptr) {
    auto f =
        decode_bare(form, view_of(l.word(2)), l.source().value_or(key_source::bytes));
    if (!f) return shown_at(f.error());
    const std::string kind(f->kind());
    keep(name, *std::move(f));
    return "ok kind=" + kind + " damaged=0";
  }
  foreign_options o;
  if (l.has("variant")) o.variant = l.option("variant");
  if (l.has("part")) o.part = l.number("part");
  if (l.has("form")) o.form = form_named(l.option("form"));
  auto f = foreign_filter::decode(form, view_of(l.word(2)), o);
  if (!f) return shown_at(f.error());
  const std::string facts = facts_of(*f);
  keep(name, *std::move(f));
  return "ok " + facts;
}

std::string interpreter::decode_native(const line& l) {
  const auto bytes = view_of(l.word(2));
  hasher::secret secret;
  read_options o{.source = l.source()};
  if (l.has("secret")) secret = parse_secret(l.option("secret")), o.secret = &secret;
  const auto facts = bloomery::inspect(
      bytes.first(std::min(bytes.size(), container_header_size)), bytes.size());
  if (!facts) return shown_at(facts.error());
  read_report report;
  if (is_filter(facts->kind)) {
    auto own = decode_any(bytes, o, &report);
    if (!own) return shown_at(own.error());
    keep(l.word(1), *std::move(own));
    return damage_of(report);
  }
  if (is_packed(facts->kind)) return decode_packed(l, o);
  auto f = decode_wrapped(bytes, o, &report);
  if (!f) return shown_at(f.error());
  const std::string said = damage_of(report) + ' ' + facts_of(*f);
  keep(l.word(1), *std::move(f));
  return said;
}

std::string interpreter::decode_packed(const line& l, const read_options& o) {
  const std::string path = scratch_ / std::to_string(scratched_++);
  std::ofstream(path, std::ios::binary) << bytes_of(l.word(2));
  auto set = packed_set::open(path.c_str(), o);
  if (!set) return shown_at(set.error());
  const std::string said = std::string("ok kind=") + name_of(set->facts().kind) +
                           " damaged=" + std::to_string(set->verify_all()) +
                           " members=" + std::to_string(set->size());
  keep(l.word(1), *std::move(set));
  return said;
}

std::string interpreter::inspect(const line& l) {
  const auto bytes = view_of(l.word(1));
  const auto f = bloomery::inspect(
      bytes.first(std::min(bytes.size(), container_header_size)), bytes.size());
  if (!f) return shown_at(f.error());
  return std::string("kind=") + name_of(f->kind) +
         " hashes=" + std::to_string(f->hashes) + " units=" + std::to_string(f->units) +
         " payload=" + std::to_string(f->payload_at) + '+' +
         std::to_string(f->payload_bytes) + " sentinels=" + std::to_string(f->sentinels) +
         " notes=" + std::to_string(f->notes_bytes) + " keys=" + std::to_string(f->keys);
}

}  // namespace bloomery::conform
