#include "format/container/notes.hpp"

#include <cstdio>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"

namespace bloomery::format {
namespace {

// A decimal number and nothing else.  Not std::from_chars: it would be exported with us.
template <class T>
bool parse(std::string_view text, T& out) noexcept {
  constexpr std::uint64_t most = std::numeric_limits<T>::max();
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (most - digit) / 10) return false;
    value = 10 * value + digit;
  }
  out = static_cast<T>(value);
  return !text.empty();
}

constexpr std::string_view option_order[] = {"variant", "bits", "hashes",
                                             "seed",    "form", "part"};

bool take_value(std::string_view name, std::string_view value,
                foreign_options& o) noexcept {
  if (name == "variant") {
    o.variant = value;
    return !value.empty();
  }
  if (name == "bits") return parse(value, o.bits.emplace());
  if (name == "hashes") return parse(value, o.hashes.emplace());
  if (name == "seed") return parse(value, o.seed.emplace());
  if (name == "part")
    return parse(value, o.part) && o.part != foreign_options::every_part;
  std::uint8_t form = 0;
  if (!parse(value, form) || form > 2) return false;
  o.form = static_cast<key_form>(form);
  return true;
}

// `place` is where in `option_order` the option before it stood, and one more.
bool take(std::string_view word, std::size_t& place, foreign_options& o) noexcept {
  const auto equals = word.find('=');
  if (equals == std::string_view::npos) return false;
  const auto name = word.substr(0, equals);
  while (place < std::size(option_order) && option_order[place] != name) ++place;
  return place++ < std::size(option_order) &&
         take_value(name, word.substr(equals + 1), o);
}

// Bytes are said by saying nothing.
std::optional<key_source> source_named(std::span<const std::byte> name) noexcept {
  const auto found =
      find_key_source({reinterpret_cast<const char*>(name.data()), name.size()});
  return found == key_source::bytes ? std::nullopt : found;
}

}  // namespace

result<void> check_notes(std::span<const std::byte> notes, std::uint16_t known,
                         std::uint64_t at) noexcept {
  base::byte_reader in(notes);
  while (in.left() != 0) {
    const auto before = notes.first(in.offset());
    const std::uint64_t here = at + in.offset();
    const auto tag = in.read<std::uint16_t>();
    const auto zero = in.read<std::uint16_t>();
    const auto data = in.take(in.read<std::uint32_t>());
    if (!in.ok() || zero != 0)
      return error{errc::corrupt, "a record of the notes does not fit", here};
    if ((tag & must_understand) != 0 && tag != known)
      return error{errc::unsupported, "a record this version does not know", here,
                   static_cast<double>(tag)};
    if (find_note(before, tag).data() != nullptr)
      return error{errc::corrupt, "a record of the notes comes twice", here};
    if (tag == source_tag && !source_named(data))
      return error{errc::unsupported, "a source of keys this version does not know",
                   here};
  }
  return {};
}

std::span<const std::byte> find_note(std::span<const std::byte> notes,
                                     std::uint16_t tag) noexcept {
  base::byte_reader in(notes);
  while (in.left() != 0 && in.ok()) {
    const auto its = in.read<std::uint16_t>();
    in.read<std::uint16_t>();
    const auto data = in.take(in.read<std::uint32_t>());
    if (its == tag && in.ok()) return data;
  }
  return {};
}

source_record read_source(std::span<const std::byte> notes, std::uint64_t at) noexcept {
  const auto name = find_note(notes, source_tag);
  if (name.data() == nullptr) return {};
  constexpr std::size_t before_data = 8;
  return {*source_named(name),
          at + static_cast<std::uint64_t>(name.data() - notes.data()) - before_data};
}

source_note::source_note(key_source source) noexcept {
  if (source == key_source::bytes) return;
  const std::string_view name = name_of(source);
  base::byte_writer out(room);
  out.write(source_tag);
  out.write(std::uint16_t{0});
  out.write(static_cast<std::uint32_t>(name.size()));
  out.write(std::as_bytes(std::span(name)));
  length = out.offset();
}

std::size_t notes_size(key_source source, const receipt_ledger* receipts) noexcept {
  const bool has = receipts != nullptr && receipts->issued() != 0;
  return source_note(source).length + (has ? 16 + 16 * receipts->used().size() : 0);
}

result<filter_notes> filter_notes::make(key_source source,
                                        const receipt_ledger* receipts) noexcept {
  filter_notes made;
  made.size_ = notes_size(source, receipts);
  if (made.size_ == 0) return made;
  auto room = pages::make(made.size_);
  if (!room) return room.error();
  made.room_ = *std::move(room);
  base::byte_writer out(made.room_.bytes().first(made.size_));
  out.write(source_note(source).bytes());
  if (receipts == nullptr || receipts->issued() == 0) return made;
  out.write(receipts_tag);
  out.write(std::uint16_t{0});
  out.write(static_cast<std::uint32_t>(8 + 16 * receipts->used().size()));
  out.write(receipts->issued());
  for (const auto& r : receipts->used()) {
    out.write(r.first);
    out.write(r.end);
  }
  return made;
}

result<void> read_receipts(std::span<const std::byte> notes, std::uint64_t at,
                           receipt_ledger& to) noexcept {
  const auto data = find_note(notes, receipts_tag);
  if (data.data() == nullptr) return {};
  const std::uint64_t here =
      at + static_cast<std::uint64_t>(data.data() - notes.data()) - 8;
  base::byte_reader in(data);
  const auto issued = in.read<std::uint64_t>();
  if (!in.ok() || to.identity() == 0)
    return error{errc::corrupt, "a record of receipts that no filter wrote", here};
  if (auto ok = to.restore(issued, data.subspan(8)); !ok) {
    error e = ok.error();
    e.at = here;
    return e;
  }
  return {};
}

dialect_note write_dialect(std::string_view name, const foreign_options& o) noexcept {
  dialect_note note;
  const auto add = [&](const char* format, auto... values) {
    const int n = std::snprintf(note.text + note.length, dialect_note::room - note.length,
                                format, values...);
    note.length += static_cast<std::size_t>(n);
  };
  add("%.*s", static_cast<int>(name.size()), name.data());
  if (!o.variant.empty())
    add(" variant=%.*s", static_cast<int>(o.variant.size()), o.variant.data());
  if (o.bits) add(" bits=%llu", static_cast<unsigned long long>(*o.bits));
  if (o.hashes) add(" hashes=%u", *o.hashes);
  if (o.seed) add(" seed=%llu", static_cast<unsigned long long>(*o.seed));
  if (o.form != key_form::bytes) add(" form=%u", static_cast<unsigned>(o.form));
  if (o.part != foreign_options::every_part)
    add(" part=%llu", static_cast<unsigned long long>(o.part));
  return note;
}

result<named_dialect> read_dialect(std::span<const std::byte> note,
                                   std::uint64_t at) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(note.data()), note.size());
  if (text.empty()) return error{errc::corrupt, "no dialect is named", at};
  auto end = text.find(' ');
  named_dialect d{text.substr(0, end), {}};
  std::size_t place = 0;
  while (end != std::string_view::npos) {  // a blank: a word must follow
    const auto begin = end + 1;
    end = text.find(' ', begin);
    if (!take(text.substr(begin, end - begin), place, d.options))
      return error{errc::unsupported,
                   "an option of a dialect that is not known, out of range or of place",
                   at};
  }
  return d;
}

}  // namespace bloomery::format
