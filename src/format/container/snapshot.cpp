#include <bloomery/snapshot.hpp>

#include <algorithm>

#include <bloomery/detail/probe/words.hpp>

#include "base/bits.hpp"
#include "format/container/builder_notes.hpp"
#include "format/container/notes.hpp"
#include "format/container/writer.hpp"
#include "format/kind/row.hpp"
#include "format/replacement_file.hpp"

namespace bloomery::inline v1 {
namespace {

// Whole chunks; large enough that system calls do not show, and stays in the L2 cache
// between the copy and the write.
constexpr std::size_t piece = std::size_t{1} << 20;

// Copies the payload out of the way of its writers, piece by piece.
result<void> write_payload(format::replacement_file& file,
                           std::span<const std::byte> live, container_facts& facts,
                           format::container_tail& tail,
                           progress_call progress) noexcept {
  auto room = pages::make(std::min(piece, live.size()));
  if (!room) return room.error();
  facts.ones = 0;
  for (std::size_t at = 0; at < live.size(); at += piece) {
    const auto copy = room->bytes().first(std::min(piece, live.size() - at));
    words::copy(copy.data(), live.data() + at, copy.size());
    facts.ones += base::count_ones(copy, 8 * std::uint64_t{copy.size()});
    tail.add(copy);
    if (auto done = file.write(copy); !done) return done;
    if (progress.call != nullptr)
      progress.call(progress.context, at + copy.size(), live.size());
  }
  return {};
}

result<void> save(container_kind kind, const void* filter, const char* path,
                  const write_notes& notes) noexcept {
  const format::kind_calls& row = *format::find_calls(kind);
  if (auto ok = format::check_builder_notes(notes, &row); !ok) return ok;
  const auto live = row.payload(filter);
  container_facts facts = row.describe(filter);
  const auto records = format::filter_notes::make(facts.source, row.receipts(filter));
  if (!records) return records.error();
  facts = format::with_lengths(facts, live.size(), records->bytes().size(), notes);
  format::container_tail tail;
  if (auto begun = tail.begin(facts, notes.sentinels); !begun) return begun;
  format::replacement_file file;
  if (auto done = file.open(path); !done) return done;
  const format::header_bytes no_header{};
  for (const auto part : {std::span<const std::byte>(no_header), format::gap_of(facts)})
    if (auto done = file.write(part); !done) return done;
  if (auto done = write_payload(file, live, facts, tail, notes.progress); !done)
    return done;
  tail.end(records->bytes());
  for (const auto part : {format::padding_of(facts), tail.bytes()})
    if (auto done = file.write(part); !done) return done;
  if (auto done = file.write_at(0, format::encode_header(facts)); !done) return done;
  return file.commit();
}

}  // namespace

result<void> detail::save_snapshot(container_kind kind, const void* filter, path_ref path,
                                   const write_notes& notes) noexcept {
  return of_file(path, save(kind, filter, path.c_str(), notes));
}

}  // namespace bloomery::inline v1
