#include "files/convert_filter.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <utility>

#include <bloomery/any_filter.hpp>
#include <bloomery/kinds.hpp>

#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// The form in which filters of the kind have another system's bits; null: they have not.
const bare_form* form_as(std::string_view kind, std::string_view dialect) {
  const kind_info* const k = find_kind(kind);
  const bare_form* const form = k != nullptr ? k->bare : nullptr;
  const bool same =
      form != nullptr && form->dialect != nullptr && dialect == form->dialect;
  return same ? form : nullptr;
}

template <class T>
T must(const loaded_filter& f, result<T> made) {
  if (!made) throw failure(describe(f.path, made.error()));
  return *std::move(made);
}

std::string_view hash_of(const loaded_filter& f) {
  if (const auto* native = std::get_if<any_filter>(&f.filter))
    return name_of(native->hasher().id());
  return std::get<foreign_filter>(f.filter).hash();
}

[[noreturn]] void refuse(const loaded_filter& f, std::string_view to,
                         std::string_view hash) {
  const std::string_view own = hash_of(f);
  throw failure(fmt::format(
      "{}: refused: {}; the keys' bits differ and the keys are not in it: rebuild from "
      "the keys",
      f.path,
      own == hash
          ? fmt::format(
                "both it and {} hash with {}, but they place the bits differently", to,
                own)
          : fmt::format("its keys are hashed with {}, those of {} with {}", own, to,
                        hash)));
}

// Another form of the same bits, read back: it is checked, and knows its own options.
foreign_filter in_variant(const loaded_filter& f, const foreign_filter& filter,
                          std::string_view variant) {
  pages bytes = must(f, filter.encode(variant));
  foreign_options o = filter.options();
  o.variant = variant;
  // One of several filters is the only one of what is taken out.
  if (variant != filter.variant()) o.part = foreign_options::every_part;
  // Parameters that the new form does not store come from the old one.
  if (!foreign_filter::decode(filter.dialect(), bytes.bytes(), o)) {
    o.bits = filter.bits();
    o.hashes = filter.hashes();
    o.seed = filter.seed();
  }
  return must(f, foreign_filter::adopt(filter.dialect(), std::move(bytes), o));
}

void to_kind(loaded_filter& f, std::string_view kind) {
  if (const auto* native = std::get_if<any_filter>(&f.filter)) {
    if (native->kind() == kind) return;
    throw failure(fmt::format(
        "{}: refused: a {} filter cannot become a {} one: the keys' bits differ; rebuild "
        "from the keys",
        f.path, native->kind(), kind));
  }
  const auto& filter = std::get<foreign_filter>(f.filter);
  const bare_form* const same = form_as(kind, filter.dialect());
  const bool is_one =
      filter.parts() == 1 || filter.options().part != foreign_options::every_part;
  if (same == nullptr || !is_one)
    throw failure(fmt::format(
        "{}: refused: a {} filter has not the bits of a {} one; leave --kind out and the "
        "container keeps its bytes",
        f.path, filter.dialect(), kind));
  const pages bits = must(f, filter.encode(same->name));
  const key_type* type = f.keys.encoding.type;
  f.keys = keys_to_insert(std::string(type != nullptr ? type->name : "bytes"));
  f.filter = must(f, same->decode(bits.bytes(), f.keys.source));
}

void to_foreign(loaded_filter& f, const dialect& to) {
  if (const auto* foreign = std::get_if<foreign_filter>(&f.filter)) {
    if (foreign->dialect() != to.facts.name) refuse(f, to.facts.name, to.facts.hash);
    return;
  }
  const auto& native = std::get<any_filter>(f.filter);
  const bare_form* const same = form_as(native.kind(), to.facts.name);
  if (same == nullptr) refuse(f, to.facts.name, to.facts.hash);
  foreign_options bare;
  bare.variant = same->name;
  const pages bits = must(f, encode_bare(native, same->name));
  const foreign_filter made =
      must(f, foreign_filter::decode(to.facts.name, bits.bytes(), bare));
  // As its owner writes it: the first of its variants.
  f.filter = in_variant(f, made, variants_of(to.facts).front().name);
}

void to_portable(const loaded_filter& f, const dialect& to) {
  const auto* native = std::get_if<any_filter>(&f.filter);
  if (native == nullptr || !bare_size(*native, to.facts.name))
    refuse(f, to.facts.name, to.facts.hash);
}

// Bare bytes do not say what their keys are, a container does: what the user said.
void record_keys(loaded_filter& f) {
  const key_type* type = f.keys.encoding.type;
  if (type == nullptr || type->source == key_source::bytes) return;
  if (const auto* native = std::get_if<any_filter>(&f.filter)) {
    if (native->hasher().source() == type->source) return;
    // Hashes are keys as they are, and never were in bare bytes.
    if (type->source == key_source::hashes)
      throw failure(fmt::format("{}: --key-type {}: the keys of bare bytes are hashed",
                                f.path, type->name));
    const bare_form* const own = find_kind(native->facts().number)->bare;
    const std::string_view form =
        own != nullptr ? std::string_view(own->name) : f.how->facts.name;
    const pages bytes = must(f, encode_bare(*native, form));
    f.keys = keys_to_insert(std::string(type->name));
    f.filter = must(f, decode_bare(form, bytes.bytes(), f.keys.source));
    return;
  }
  const auto& foreign = std::get<foreign_filter>(f.filter);
  if (foreign.options().form != key_form::bytes || has_named_parts(foreign)) return;
  throw failure(fmt::format(
      "{}: --key-type {}: a container of {} bytes cannot record it, and later queries "
      "would take keys for bytes: leave it out here, and give --key-type with each query",
      f.path, type->name, foreign.dialect()));
}

// How keys are written for another system's filter.
key_encoding encoding_for(const loaded_filter& f) {
  key_encoding e = f.keys.encoding;
  const auto& foreign = std::get<foreign_filter>(f.filter);
  e.rule = dialect_named(foreign.dialect()).facts.integers;
  return fitted(e, foreign);
}

}  // namespace

void convert_filter(loaded_filter& f, const target& t) {
  if (t.to->of == family::foreign) to_foreign(f, *t.to);
  if (t.to->of == family::portable) to_portable(f, *t.to);
  if (!t.variant.empty()) {
    auto* foreign = std::get_if<foreign_filter>(&f.filter);
    if (foreign == nullptr)
      throw failure(fmt::format("{}: --to-variant: a {} filter has no variants", f.path,
                                name_of(f)));
    *foreign = in_variant(f, *foreign, t.variant);
  }
  if (!t.kind.empty()) to_kind(f, t.kind);
  if (t.to->of == family::container) record_keys(f);
  if (std::holds_alternative<foreign_filter>(f.filter)) f.keys = {encoding_for(f)};
}

}  // namespace bloomery::cli
