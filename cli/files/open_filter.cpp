// Opens a filter to be queried.
#include <fmt/core.h>

#include <utility>

#include <bloomery/any_filter.hpp>

#include "files/query_filter.hpp"
#include "files/source.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

template <class T>
T must(const source& from, result<T> made) {
  if (!made) throw failure(describe(from.path(), made.error(), from.reading_context()));
  return *std::move(made);
}

query_filter open_foreign(source& from) {
  foreign_source f = load_foreign(from);
  return {from.path(),         from.how,
          std::move(f.filter), from.container,
          f.damaged_chunks,    foreign_options::every_part,
          {f.encoding},        from.file.is_mapped() ? &from.file : nullptr};
}

query_filter open_packed(const source& from) {
  query_filter f{from.path(), from.how,
                 must(from, packed_set::open(from.open_file(), from.reading())),
                 from.container};
  if (from.asked.part && *from.asked.part >= from.container->units)
    throw failure(fmt::format("{}: --part {}: it has {} members, from 0 on", from.path(),
                              *from.asked.part, from.container->units));
  f.part = from.asked.part.value_or(foreign_options::every_part);
  return f;
}

query_filter open_view(const source& from) {
  if (from.asked.part)
    throw failure(fmt::format("{}: --part: there is only one filter in it", from.path()));
  return {from.path(), from.how, must(from, open_any(from.open_file(), from.reading())),
          from.container};
}

query_filter open_bare(const source& from) {
  query_filter f{from.path(),
                 from.how,
                 must(from, load_bare(from.how->facts.name, from.open_file())),
                 {}};
  f.keys = bare_keys(from.asked);
  return f;
}

// The facts with the notes, which the header alone does not have.
const container_facts& facts_of(const query_filter& f) {
  if (const auto* set = std::get_if<packed_set>(&f.filter)) return set->facts();
  return std::visit([](const auto& v) -> const container_facts& { return v.facts(); },
                    std::get<any_view>(f.filter));
}

query_filter open_any_form(source& from) {
  if (from.is_foreign()) return open_foreign(from);
  if (!from.container) return open_bare(from);
  query_filter f = is_packed(from.container->kind) ? open_packed(from) : open_view(from);
  f.keys = keys_of(from, facts_of(f));
  if (f.keys.in_both_meanings)
    warn(
        fmt::format("{}: it does not say what its keys are, and 64-bit integers have had "
                    "two meanings: both are looked up, which doubles the rate",
                    from.path()));
  return f;
}

}  // namespace

query_filter open_filter(source& from) {
  query_filter f = read_unless_changed(from.file, [&] { return open_any_form(from); });
  // Bare bytes have no checksum that would detect halves of two files.
  if (!from.container) from.file.check_unchanged();
  return f;
}

}  // namespace bloomery::cli
