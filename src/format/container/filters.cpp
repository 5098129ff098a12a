// Filters in containers, written once for all kinds.
#include <bloomery/container.hpp>

#include <cstring>

#include "format/container/builder_notes.hpp"
#include "format/container/filters.hpp"
#include "format/container/header.hpp"
#include "format/container/notes.hpp"
#include "format/container/reader.hpp"
#include "format/container/writer.hpp"
#include "format/kind/row.hpp"

namespace bloomery::format {
namespace {

// Damaged chunks as the kind's rule has them: ones, or a map that the filter keeps.
damage_set settle_damage(const kind_calls& row, const container_facts& f,
                         chunk_damage damage, std::span<std::byte> room) noexcept {
  if (damage.count == 0) return {};
  if (row.facts->damage == damage_rule::possibly_present)
    return damage_set(std::move(damage.bits), damage.count, f.chunk_log);
  fill_damaged(f, damage.words(), room);
  std::memset(room.data() + f.payload_bytes, 0,
              static_cast<std::size_t>(f.padded_bytes() - f.payload_bytes));
  return {};
}

result<void> check_writable(const kind_calls& row, const void* filter,
                            const write_notes& notes) noexcept {
  if (row.is_damaged(filter))
    return error{errc::corrupt, "bytes of this filter are damaged: it is not written"};
  return check_builder_notes(notes, row, filter);
}

result<void> make_parts(const kind_calls& row, container_parts& to, const void* filter,
                        const write_notes& notes) noexcept {
  if (auto ok = check_writable(row, filter, notes); !ok) return ok;
  const container_facts facts = row.describe(filter);
  const auto records = filter_notes::make(facts.source, row.receipts(filter));
  if (!records) return records.error();
  return to.make(facts, row.payload(filter), notes, records->bytes());
}

}  // namespace

result<void> read_filter(const kind_calls& row, const container_source& from,
                         const read_options& o, read_report* report,
                         void* where) noexcept {
  const auto c = open_container(from, o);
  if (!c) return c.error();
  const container_facts& f = c->facts;
  if (f.kind != row.facts->number)
    return error{errc::incompatible, "a container of another kind of filter", 10};
  const auto h = hasher_of(f, o);
  if (!h) return h.error();
  auto store = pages::make(static_cast<std::size_t>(f.payload_bytes));
  if (!store) return store.error();
  // Pages extend to whole lines, as the payload does.
  const std::span<std::byte> room(store->data(),
                                  static_cast<std::size_t>(f.padded_bytes()));
  auto damage = read_payload(from, *c, room);
  if (!damage) return damage.error();
  const read_report found{f, damage->count, damage->first_at};
  row.adopt(where, f, *h, *std::move(store),
            settle_damage(row, f, *std::move(damage), room));
  if (const char* const defect = row.defect(where); defect != nullptr) {
    row.destroy(where);
    return error{errc::corrupt, defect, f.payload_at};
  }
  // The filter was made here, and is not const.
  if (auto* const receipts = const_cast<receipt_ledger*>(row.receipts(where)))
    if (auto ok =
            read_receipts(c->notes(), f.file_bytes() - 4 - f.notes_bytes, *receipts);
        !ok) {
      row.destroy(where);
      return ok;
    }
  const sentinel_keys sentinels = c->all_sentinels();
  const std::size_t missing = first_missing(row, where, sentinels.all());
  if (missing != f.sentinels) {
    row.destroy(where);
    return error{errc::corrupt, "a sentinel key is missing: these are not its bits",
                 f.tail_at() + 8 * missing};
  }
  if (report != nullptr) *report = found;
  return {};
}

result<pages> encode_filter(const kind_calls& row, const void* filter,
                            const write_notes& notes) noexcept {
  container_parts parts;
  if (auto ok = make_parts(row, parts, filter, notes); !ok) return ok.error();
  return parts.joined();
}

}  // namespace bloomery::format

namespace bloomery::inline v1::detail {

result<void> read_filter(container_kind kind, container_bytes from, const read_options& o,
                         read_report* report, void* where) noexcept {
  using format::container_source;
  return format::read_filter(
      *format::find_calls(kind),
      from.file != nullptr ? container_source(*from.file) : container_source(from.memory),
      o, report, where);
}

result<pages> encode_filter(container_kind kind, const void* filter,
                            const write_notes& notes) noexcept {
  return format::encode_filter(*format::find_calls(kind), filter, notes);
}

result<void> save_filter(container_kind kind, const void* filter, path_ref path,
                         const write_notes& notes) noexcept {
  format::container_parts parts;
  if (auto ok = format::make_parts(*format::find_calls(kind), parts, filter, notes); !ok)
    return ok;
  return of_file(path, parts.save(path.c_str(), notes));
}

result<std::uint64_t> size_of_file(container_kind kind, const void* filter,
                                   const write_notes& notes) noexcept {
  const format::kind_calls& row = *format::find_calls(kind);
  if (auto ok = format::check_writable(row, filter, notes); !ok) return ok.error();
  const container_facts facts = row.describe(filter);
  return format::with_lengths(facts, row.payload(filter).size(),
                              format::notes_size(facts.source, row.receipts(filter)),
                              notes)
      .file_bytes();
}

}  // namespace bloomery::inline v1::detail
