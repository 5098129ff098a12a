#include "files/convert_filter.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// Kinds of ours whose bits are another system's too.
struct twin {
  std::string_view kind;
  std::string_view dialect;
  std::string_view variant;  // that is the bare bits
  result<any_filter> (*from_bits)(std::span<const std::byte> bits);
};

constexpr std::array twins{
    twin{"split-block", "parquet", "bitset",
         [](std::span<const std::byte> bits) -> result<any_filter> {
           auto f = split_block_bloom::from_bitset(bits);
           if (!f) return f.error();
           return any_filter(*std::move(f));
         }},
};

const twin* find_twin(std::string_view kind, std::string_view dialect) {
  const auto* found = std::ranges::find_if(
      twins, [&](const twin& t) { return t.kind == kind && t.dialect == dialect; });
  return found != twins.end() ? found : nullptr;
}

template <class T>
T must(const loaded_filter& f, result<T> made) {
  if (!made) throw failure(describe(f.path, made.error()));
  return *std::move(made);
}

std::string_view hash_of(const loaded_filter& f) {
  if (const auto* ours = std::get_if<any_filter>(&f.filter))
    return name_of(ours->hasher().id());
  return std::get<foreign_filter>(f.filter).hash();
}

[[noreturn]] void refuse(const loaded_filter& f, std::string_view to,
                         std::string_view hash) {
  const std::string_view mine = hash_of(f);
  throw failure(fmt::format(
      "{}: refused: {}; the keys' bits differ and the keys are not in it: rebuild from "
      "the keys",
      f.path,
      mine == hash
          ? fmt::format(
                "both it and {} hash with {}, but they place the bits differently", to,
                mine)
          : fmt::format("its keys are hashed with {}, those of {} with {}", mine, to,
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
  // What the new form's bytes do not tell, the old one's did.
  if (!foreign_filter::decode(filter.dialect(), bytes.bytes(), o)) {
    o.bits = filter.bits();
    o.hashes = filter.hashes();
    o.seed = filter.seed();
  }
  return must(f, foreign_filter::adopt(filter.dialect(), std::move(bytes), o));
}

void to_kind(loaded_filter& f, std::string_view kind) {
  if (const auto* ours = std::get_if<any_filter>(&f.filter)) {
    if (ours->kind() == kind) return;
    throw failure(fmt::format(
        "{}: refused: a {} filter cannot become a {} one: the keys' bits differ; rebuild "
        "from the keys",
        f.path, ours->kind(), kind));
  }
  const auto& filter = std::get<foreign_filter>(f.filter);
  const twin* same = find_twin(kind, filter.dialect());
  const bool is_one =
      filter.parts() == 1 || filter.options().part != foreign_options::every_part;
  if (same == nullptr || !is_one)
    throw failure(fmt::format(
        "{}: refused: a {} filter has not the bits of a {} one; leave --kind out and the "
        "container keeps its bytes",
        f.path, filter.dialect(), kind));
  const pages bits = must(f, filter.encode(same->variant));
  f.filter = must(f, same->from_bits(bits.bytes()));
}

void to_foreign(loaded_filter& f, const dialect& to) {
  if (const auto* theirs = std::get_if<foreign_filter>(&f.filter)) {
    if (theirs->dialect() != to.facts.name) refuse(f, to.facts.name, to.facts.hash);
    return;
  }
  const auto& ours = std::get<any_filter>(f.filter);
  const twin* same = find_twin(ours.kind(), to.facts.name);
  if (same == nullptr) refuse(f, to.facts.name, to.facts.hash);
  foreign_options bare;
  bare.variant = same->variant;
  const foreign_filter made = ours.visit([&](const auto& any) {
    return must(f, foreign_filter::decode(to.facts.name, any.bytes(), bare));
  });
  // As its owner writes it: the first of its variants.
  f.filter = in_variant(f, made, variants_of(to.facts).front().name);
}

void to_portable(const loaded_filter& f, const dialect& to) {
  const auto* ours = std::get_if<any_filter>(&f.filter);
  if (ours == nullptr || ours->kind() != "portable")
    refuse(f, to.facts.name, to.facts.hash);
}

// Keys are asked in the new form as that one wants them.
key_encoding encoding_for(const loaded_filter& f) {
  key_encoding e = f.encoding;
  const auto* theirs = std::get_if<foreign_filter>(&f.filter);
  e.rule = theirs != nullptr ? dialect_named(theirs->dialect()).facts.integers
                             : number_keys::plain;
  return theirs != nullptr ? fitted(e, *theirs) : e;
}

}  // namespace

void convert_filter(loaded_filter& f, const target& t) {
  if (t.to->of == family::foreign) to_foreign(f, *t.to);
  if (t.to->of == family::portable) to_portable(f, *t.to);
  if (!t.variant.empty()) {
    auto* theirs = std::get_if<foreign_filter>(&f.filter);
    if (theirs == nullptr)
      throw failure(fmt::format("{}: --to-variant: a {} filter has no variants", f.path,
                                name_of(f)));
    *theirs = in_variant(f, *theirs, t.variant);
  }
  if (!t.kind.empty()) to_kind(f, t.kind);
  f.encoding = encoding_for(f);
}

}  // namespace bloomery::cli
