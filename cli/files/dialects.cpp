#include "files/dialects.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <bloomery/container.hpp>
#include <bloomery/portable_bloom.hpp>

#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

// A table is known by its last bytes.
std::string_view cut_table(std::string_view path) {
  return path.ends_with(".sst") || path.ends_with(".ldb")
             ? " (by its name a table whose end is missing, or another engine's)"
             : "";
}

std::vector<dialect> make_table() {
  std::vector<dialect> all{
      {family::container,
       0,
       {.name = "native",
        .summary = "our container: filters of every kind, and any dialect, checksummed",
        .hash = "xxh3 xxh64 siphash13",
        .variants = "",
        .needs = "",
        .writes = true,
        .integers = number_keys::plain,
        .texts = false}},
      {family::portable,
       0,
       {.name = "portable",
        .summary = "12-byte header and bits: C++, Go, Rust, Python",
        .hash = "fnv1a-splitmix",
        .variants = "",
        .needs = "",
        .writes = true,
        .integers = number_keys::plain,
        .texts = false}}};
  for (std::size_t i = 0; i < dialect_count(); ++i)
    all.push_back({family::foreign, i, dialect_at(i)});
  return all;
}

std::vector<std::string_view> words_of(std::string_view list) {
  std::vector<std::string_view> all;
  while (!list.empty()) {
    const auto end = std::min(list.find(' '), list.size());
    if (end != 0) all.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return all;
}

// Whether the bytes have a structure that fits, rather than being bits alone.
bool has_structure_of(const dialect& d, std::span<const std::byte> image) {
  return !d.facts.any_bytes || foreign_filter::decode(d.facts.name, image).has_value();
}

std::string any_bytes_names() {
  std::vector<std::string_view> all;
  for (const dialect& d : dialects())
    if (d.facts.any_bytes) all.push_back(d.facts.name);
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace

likeness dialect::could_be(std::span<const std::byte> image) const {
  switch (of) {
    case family::container:
      return has_container_magic(image) ? likeness::certain : likeness::no;
    case family::portable:
      return inspect_portable(image.first(std::min(image.size(), portable_header_size)),
                              image.size())
                 ? likeness::possible
                 : likeness::no;
    case family::foreign:
      break;
  }
  return bloomery::could_be(row, image);
}

std::span<const dialect> dialects() {
  static const std::vector<dialect> table = make_table();
  return table;
}

std::vector<std::string> names_of_dialects() {
  std::vector<std::string> all;
  for (const dialect& d : dialects()) all.emplace_back(d.facts.name);
  return all;
}

std::string dialect_names() {
  return fmt::format("{}", fmt::join(names_of_dialects(), ", "));
}

std::vector<std::string> names_of_variants() {
  std::vector<std::string> all;
  for (const dialect& d : dialects())
    for (const variant_facts& v : variants_of(d.facts))
      if (std::ranges::find(all, v.name) == all.end()) all.emplace_back(v.name);
  return all;
}

const dialect& dialect_named(std::string_view name) {
  for (const dialect& d : dialects())
    if (d.facts.name == name) return d;
  throw failure(
      fmt::format("unknown dialect '{}'; this version knows: {}", name, dialect_names()));
}

const dialect& recognise(filter_file& file) {
  if (file.has_container_magic()) return dialects().front();
  const pages& image = file.image();
  std::vector<const dialect*> certain;
  std::vector<std::string_view> candidates;
  for (const dialect& d : dialects()) {
    const likeness like = d.could_be(image.bytes());
    if (like == likeness::certain) certain.push_back(&d);
    if (like != likeness::no && has_structure_of(d, image.bytes()))
      candidates.push_back(d.facts.name);
  }
  if (certain.size() == 1) return *certain.front();
  if (candidates.empty())
    throw unrecognised(fmt::format(
        "{}: not a filter this tool recognises{}, unless it is a bare bitset "
        "({}), which any bytes may be; if you know what it is, name it: "
        "--dialect {}",
        file.path(), cut_table(file.path()), any_bytes_names(), dialect_names()));
  throw unrecognised(fmt::format(
      "{}: could be {}{}, or a bare bitset ({}), which any bytes may be: the format is "
      "ambiguous; name it, for example --dialect {}{}; bloomery info {} shows the "
      "evidence for each",
      file.path(), fmt::join(candidates, " or "), cut_table(file.path()),
      any_bytes_names(), candidates.front(),
      example_options(dialect_named(candidates.front()).facts), file.argument()));
}

std::string example_options(const dialect_facts& facts) {
  std::string text;
  for (const std::string& option : needs_of(facts))
    text += fmt::format(" {} {}", option,
                        option == "--variant" ? variants_of(facts).front().name : "N");
  return text;
}

std::string dialect_name(const dialect& how, const foreign_filter* inside) {
  if (inside == nullptr) return std::string(how.facts.name);
  return fmt::format("{}{}", inside->dialect(),
                     how.of == family::container ? " in a container" : "");
}

std::vector<variant_facts> variants_of(const dialect_facts& facts) {
  std::vector<variant_facts> all;
  for (const std::string_view word : words_of(facts.variants))
    if (word == "(r)" && !all.empty())
      all.back().writes = false;
    else
      all.push_back({word, facts.writes});
  return all;
}

std::vector<std::string> needs_of(const dialect_facts& facts) {
  std::vector<std::string> all;
  for (const std::string_view word : words_of(facts.needs))
    all.push_back(fmt::format("--{}", word));
  return all;
}

std::string needed_if(const error& e, const dialect_facts& facts) {
  if (e.code != errc::invalid_argument || facts.needs.empty()) return "";
  return fmt::format("; {} needs {}", facts.name, fmt::join(needs_of(facts), " "));
}

}  // namespace bloomery::cli
