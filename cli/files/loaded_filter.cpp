#include "files/loaded_filter.hpp"

#include <fmt/core.h>

#include <utility>

#include <bloomery/any_filter.hpp>

#include "files/query_filter.hpp"
#include "files/source.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

[[noreturn]] void refuse(const source& from, std::string_view why,
                         std::string_view verb) {
  throw failure(fmt::format("{}: {}; not {}", from.path(), why, verb));
}

// `keys`: what they are; nothing: what the file says.
any_filter load_contained(const source& from, std::optional<key_source> keys,
                          std::string_view verb, read_report& report) {
  read_options o = from.reading();
  o.source = keys;
  auto f = load_any(from.open_file(), o, &report);
  if (!f) throw failure(describe(from.path(), f.error(), context::reading_container));
  if (report.damaged_chunks != 0) refuse(from, damage_in_words(report), verb);
  return *std::move(f);
}

any_filter load_bare_filter(const source& from, std::string_view verb) {
  auto f = load_bare(from.how->facts.name, from.open_file());
  if (!f) throw failure(describe(from.path(), f.error(), context::reading_bare));
  if (!f->padding_is_clear())
    refuse(from, "damaged or of another dialect: bits beyond the last one are set", verb);
  return *std::move(f);
}

loaded_filter load(source& from, const read_request& r, std::string_view verb) {
  const std::string& path = from.path();
  if (from.container && is_packed(from.container->kind))
    refuse(from, "a packed set holds many filters", verb);
  if (from.is_foreign()) {
    foreign_source f = load_foreign(from);
    if (f.damaged_chunks != 0)
      refuse(from, fmt::format("{} chunks damaged", grouped(f.damaged_chunks)), verb);
    return {path, from.how, std::move(f.filter), from.container, {f.encoding}};
  }
  if (!from.container)
    return {path, from.how, load_bare_filter(from, verb), {}, bare_keys(r)};
  read_report report;
  any_filter f = load_contained(from, {}, verb, report);
  const native_keys keys = keys_of(from, report.facts);
  // Its file does not say what its keys are: what is written says what the user said.
  if (keys.source != f.hasher().source())
    f = load_contained(from, keys.source, verb, report);
  return {path, from.how, std::move(f), from.container, keys};
}

}  // namespace

std::string name_of(const loaded_filter& f) {
  return dialect_name(*f.how, std::get_if<foreign_filter>(&f.filter));
}

loaded_filter load_filter(const std::string& path, const read_request& r,
                          std::string_view verb) {
  source from = find_source(path, r, need::to_write_anew);
  return load_filter(from, verb);
}

loaded_filter load_filter(source& from, std::string_view verb) {
  loaded_filter f =
      read_unless_changed(from.file, [&] { return load(from, from.asked, verb); });
  // Checksums settle what a container is; bare bytes have none.
  if (!from.container) from.file.check_unchanged();
  return f;
}

}  // namespace bloomery::cli
