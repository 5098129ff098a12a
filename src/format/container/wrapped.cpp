// Another system's bytes in a container.
#include <bloomery/container.hpp>

#include <cstring>

#include "base/byte_writer.hpp"
#include "format/container/builder_notes.hpp"
#include "format/container/header.hpp"
#include "format/container/notes.hpp"
#include "format/container/reader.hpp"
#include "format/container/writer.hpp"
#include "format/dialect/dialect.hpp"
#include "format/file.hpp"

namespace bloomery::inline v1 {
namespace {

using format::container_source;

// An error about the payload, at its place in the file.
error of_file(error e, const container_facts& f) noexcept {
  if (e.code == errc::corrupt || e.code == errc::unsupported) e.at += f.payload_at;
  return e;
}

result<foreign_filter> read_wrapped(const container_source& from, const read_options& o,
                                    read_report* report) noexcept {
  const auto c = format::open_container(from, o);
  if (!c) return c.error();
  const container_facts& f = c->facts;
  if (f.kind != container_kind::foreign)
    return error{errc::incompatible, "a container of a native filter", 10};
  if (const auto h = format::hasher_of(f, o); !h) return h.error();
  const std::uint64_t notes_at =
      f.tail_at() + 8 * std::uint64_t{f.sentinels} + 4 * f.chunks();
  const auto d =
      format::read_dialect(format::find_note(c->notes(), format::dialect_tag), notes_at);
  if (!d) return d.error();
  if (format::find_dialect(d->name) == nullptr)
    return error{errc::unsupported, "a dialect this version does not know", notes_at};
  auto image = pages::make(static_cast<std::size_t>(f.payload_bytes));
  if (!image) return image.error();
  const auto damage = format::read_payload(
      from, *c, {image->data(), static_cast<std::size_t>(f.padded_bytes())});
  if (!damage) return damage.error();
  // Damage that changes what the bytes mean is refused by mark_damaged, or already here.
  auto filter = foreign_filter::adopt(d->name, *std::move(image), d->options);
  if (!filter) return of_file(filter.error(), f);
  if (damage->count != 0)
    if (auto ok = filter->mark_damaged(damage->words(), f.chunk_log); !ok)
      return error{ok.error().code, ok.error().what, damage->first_at};
  if (report != nullptr) *report = {f, damage->count, damage->first_at};
  return filter;
}

// Sentinels of a foreign filter are under the default hash: it takes no keys itself.
container_facts facts_of() noexcept {
  container_facts f;
  f.kind = container_kind::foreign;
  f.hash = hash_id::xxh3;
  f.hash_check = hasher::xxh3().check();
  return f;
}

template <class Use>
auto with_parts(const foreign_filter& f, const write_notes& notes, Use use) noexcept
    -> decltype(use(std::declval<format::container_parts&>())) {
  // Its sentinels are hashes under another hash than its own: nothing to look up.
  if (auto ok = format::check_builder_notes(notes, nullptr); !ok) return ok.error();
  // As it stands, if it can be: a large filter is not copied to be written.
  const result<pages> made = f.is_as_written() ? pages() : f.encode();
  if (!made) return made.error();
  const auto image = f.is_as_written() ? f.bytes() : made->bytes();
  const auto note = format::write_dialect(f.dialect(), f.options());
  std::array<std::byte, 8 + format::dialect_note::room> record;
  base::byte_writer out(record);
  out.write(format::dialect_tag);
  out.write(std::uint16_t{0});
  out.write(static_cast<std::uint32_t>(note.length));
  out.write(std::as_bytes(std::span(note.text, note.length)));
  format::container_parts parts;
  container_facts facts = facts_of();
  facts.capacity = f.capacity();
  if (auto ok = parts.make(facts, image, notes, std::span(record).first(out.offset()));
      !ok)
    return ok.error();
  return use(parts);
}

}  // namespace

result<foreign_filter> load_wrapped(const input_file& file, const read_options& o,
                                    read_report* report) noexcept {
  return read_wrapped(container_source(file), o, report);
}

result<foreign_filter> load_wrapped(path_ref path, const read_options& o,
                                    read_report* report) noexcept {
  const auto file = input_file::open(path);
  if (!file) return file.error();
  return detail::of_file(path, load_wrapped(*file, o, report));
}

result<foreign_filter> decode_wrapped(std::span<const std::byte> bytes,
                                      const read_options& o,
                                      read_report* report) noexcept {
  return read_wrapped(container_source(bytes), o, report);
}

result<pages> encode_wrapped(const foreign_filter& f, const write_notes& notes) noexcept {
  return with_parts(f, notes,
                    [](format::container_parts& p) noexcept { return p.joined(); });
}

result<void> save_wrapped(const foreign_filter& f, path_ref path,
                          const write_notes& notes) noexcept {
  return detail::of_file(path,
                         with_parts(f, notes, [&](format::container_parts& p) noexcept {
                           return p.save(path.c_str(), notes);
                         }));
}

}  // namespace bloomery::inline v1
