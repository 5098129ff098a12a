// The filters of a Parquet file, by its footer:
//
//    0  ..   "PAR1"
//    ..      data and filters
//    ..      FileMetaData (parquet_footer.hpp)
//   -8  u32  its length
//   -4  ..   "PAR1"; "PARE": encrypted
//
// Nothing is kept of the footer: a lookup in every filter walks through it again.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/byte_reader.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/excerpt.hpp"
#include "format/dialect/parquet.hpp"
#include "format/dialect/parquet_footer.hpp"
#include "format/dialect/thrift_compact.hpp"
#include "hash/xxh.hpp"

namespace bloomery::format::parquet {
namespace {

constexpr std::size_t magic_size = 4, ending = 8;
constexpr std::int64_t type_int32 = 1;

bool has(std::span<const std::byte> bytes, std::size_t at, const char* magic) noexcept {
  return std::memcmp(bytes.data() + at, magic, magic_size) == 0;
}

bool readable(const column& c) noexcept {
  return c.has_filter() && !c.encrypted && !c.elsewhere;
}

std::span<const std::byte> footer_of(const layout& l,
                                     std::span<const std::byte> bytes) noexcept {
  return bytes.subspan(l.number[footer_at], l.number[footer_size]);
}

// Calls visit(column, place) for every filter that can be read.
// REQUIRES: inspect_file did not refuse the image.
template <class Visit>
void walk_filters(const layout& l, std::span<const std::byte> bytes,
                  Visit visit) noexcept {
  thrift_reader in(footer_of(l, bytes));
  walk_footer(in, [&](const column& c) noexcept {
    if (!readable(c)) return true;
    const auto p =
        read_filter(bytes, static_cast<std::uint64_t>(c.offset), l.number[footer_at]);
    return !p || visit(c, *p);
  });
}

result<place> check_filter(std::span<const std::byte> bytes, const column& c,
                           std::uint64_t end) noexcept {
  const auto at = static_cast<std::uint64_t>(c.offset);  // negative: beyond any file
  if (at < magic_size || at >= end)
    return damaged("a filter that does not lie between the magic and the footer",
                   end + c.offset_at);
  const auto p = read_filter(bytes, at, end);
  if (p && c.length_at != 0 &&
      static_cast<std::uint64_t>(c.length) != p->bits_at + p->bytes - at)
    return damaged("the length of a filter is not that of its header and bitset",
                   end + c.length_at);
  return p;
}

// A number is four bytes in a column of INT32, whatever it was given in.
std::uint64_t hash_of(std::string_view key, key_form form, std::int64_t type) noexcept {
  if (form == key_form::integer && type == type_int32) key = key.substr(0, 4);
  return hash::xxh64(key, 0);
}

bool ask(const image& from, const place& p, std::uint64_t h) noexcept {
  if (!from.whole(p.at, p.bits_at + p.bytes - p.at)) return true;
  return test(from.bytes.data() + p.bits_at, p.bytes, h);
}

// Writes as much of the name as fits.
void write_name(char (&to)[112], const column& c,
                std::span<const std::byte> footer) noexcept {
  int at = std::snprintf(to, sizeof to, "row group %llu, column ",
                         static_cast<unsigned long long>(c.row_group));
  if (c.path_at == 0) return;
  thrift_reader in(footer.subspan(c.path_at));
  const auto names = in.read_list();
  for (std::uint64_t i = 0; i < names.size && in.ok(); ++i) {
    if (names.type != thrift_reader::binary) return;
    const auto name = in.read_binary();
    const int room = static_cast<int>(sizeof to) - at;
    if (room <= 1) return;
    const int length = static_cast<int>(std::min<std::size_t>(name.size(), sizeof to));
    at += std::snprintf(to + at, static_cast<std::size_t>(room), "%s%.*s",
                        i == 0 ? "" : ".", length,
                        reinterpret_cast<const char*>(name.data()));
  }
}

}  // namespace

bool is_file(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < magic_size + ending) return false;
  for (const char* magic : {"PAR1", "PARE"})
    if (has(bytes, 0, magic) && has(bytes, bytes.size() - magic_size, magic)) return true;
  return false;
}

result<layout> inspect_file(std::span<const std::byte> bytes,
                            const foreign_options& o) noexcept {
  if (bytes.size() < magic_size + ending)
    return too_short(bytes.size(), magic_size + ending);
  if (!is_file(bytes)) return damaged("no PAR1 at both ends", 0);
  if (has(bytes, 0, "PARE"))
    return error{errc::unsupported, "the footer is encrypted", bytes.size() - magic_size};
  base::byte_reader tail(bytes.last(ending));
  const std::uint64_t size = tail.read<std::uint32_t>();
  const std::uint64_t ends = bytes.size() - ending;
  if (size > ends - magic_size)
    return damaged("the footer is longer than the file", ends);
  layout l;
  l.variant = "file";
  l.hash = "xxh64";
  l.hashes = hashes;
  l.cells_are_bits = false;
  l.parts = 0;
  l.number[footer_at] = ends - size;
  l.number[footer_size] = size;
  // Damage to data does not matter, and every lookup minds that to filters.
  l.at = magic_size;
  l.length = l.number[footer_at] - l.at;

  result<void> bad;
  std::uint64_t unreadable = 0;
  std::int64_t type = 0;
  place last{};
  std::uint64_t total = 0;
  thrift_reader in(footer_of(l, bytes));
  walk_footer(in, [&](const column& c) noexcept {
    unreadable += !readable(c) && (c.has_filter() || c.encrypted);
    if (!readable(c)) return true;
    const auto p = check_filter(bytes, c, l.number[footer_at]);
    if (!p) {
      bad = p.error();
      return false;
    }
    total += p->bits_at + p->bytes - p->at;
    if (total > l.length) {  // or reading them all would take longer than the file
      bad = damaged("filters that overlap", l.number[footer_at] + c.offset_at);
      return false;
    }
    if (l.parts == o.part || o.part == foreign_options::every_part) {
      last = *p;
      type = c.type;
    }
    l.bits += 8 * p->bytes;
    ++l.parts;
    return true;
  });
  if (!bad) return bad.error();
  if (!in.ok())
    return damaged("the footer is not the Thrift structure it should be",
                   l.number[footer_at]);
  if (l.parts == 0)
    return error{errc::unsupported,
                 unreadable != 0 ? "the filters are encrypted, or in other files"
                                 : "no column of the file has a filter",
                 l.number[footer_at]};
  if (o.part < l.parts || l.parts == 1) {
    l.number[part_at] = last.at;
    l.number[part_bits_at] = last.bits_at;
    l.number[part_bytes] = last.bytes;
    l.number[part_type] = static_cast<std::uint64_t>(type);
  } else {
    l.read_by_lookup = size;  // the footer
  }
  return l;
}

bool file_may_contain(const layout& l, const image& from, std::string_view key) noexcept {
  if (l.number[part_bytes] != 0)
    return ask(from, {l.number[part_at], l.number[part_bits_at], l.number[part_bytes]},
               hash_of(key, l.form, static_cast<std::int64_t>(l.number[part_type])));
  bool found = false;
  walk_filters(l, from.bytes, [&](const column& c, const place& p) noexcept {
    found = ask(from, p, hash_of(key, l.form, c.type));
    return !found;
  });
  return found;
}

census file_count(const layout& l, const image& from) noexcept {
  census all;
  double none = 1;  // that no filter finds a key
  walk_filters(l, from.bytes, [&](const column&, const place& p) noexcept {
    if (l.number[part_bytes] != 0 && p.at != l.number[part_at]) return true;
    const census c = count_bits(from.bytes.subspan(p.bits_at, p.bytes));
    all.cells += c.cells;
    all.occupied += c.occupied;
    all.keys += c.keys;
    none *= 1 - c.fpr;
    return true;
  });
  all.fpr = 1 - none;
  return all;
}

foreign_filter::part_facts file_part(const layout& l, const image& from,
                                     std::uint64_t i) noexcept {
  foreign_filter::part_facts f{{}, 0, 0, 0, hashes};
  walk_filters(l, from.bytes, [&](const column& c, const place& p) noexcept {
    if (i-- != 0) return true;
    f.offset = p.bits_at;
    f.length = p.bytes;
    f.bits = 8 * p.bytes;
    write_name(f.name, c, footer_of(l, from.bytes));
    // It may be shown on a terminal.
    for (char& letter : f.name)
      if (letter != 0 && (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f))
        letter = '?';
    return false;
  });
  return f;
}

}  // namespace bloomery::format::parquet
