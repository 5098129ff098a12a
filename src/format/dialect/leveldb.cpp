// LevelDB: a bare filter, or the filter block of a table (leveldb_block.hpp).
//
//   0     ..  bits, LSB-first; m = 8 times their bytes
//   last  u8  k, hashes
//
// h = LevelDB's hash of the key, 32 bits; then k times: bit h mod m; h += h0 rotated
// right by 17.  The owner's reader defines an answer for all bytes: fewer than 2 match
// nothing; k = 0 tests no bit, and k > 30 is reserved for other encodings, so both
// match everything.
//
// A block ends in 11, and so does a filter of 11 hashes: without a variant the bytes are
// a block if it is one that is written, in its offsets, its sizes and its hashes.  Where
// that finds nothing but empty filters, both forms match no key.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include "base/bits.hpp"
#include "base/byte_writer.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/excerpt.hpp"
#include "format/dialect/leveldb_block.hpp"
#include "format/dialect/leveldb_size.hpp"
#include "format/dialect/probes.hpp"
#include "hash/leveldb.hpp"

namespace bloomery::format {
namespace {

constexpr std::size_t smallest = 9;  // that is written: 64 bits and k

enum : std::size_t { array_at };  // in layout::number, of a block

// --- one filter ---

struct view {
  std::span<const std::byte> bytes;

  layout::constant answer() const noexcept {
    if (bytes.size() < 2) return layout::constant::never;
    return hashes() == 0 || hashes() > leveldb_most_hashes ? layout::constant::always
                                                           : layout::constant::none;
  }
  std::uint64_t bits() const noexcept {
    return bytes.size() < 2 ? 0 : 8 * (bytes.size() - 1);
  }
  std::uint32_t hashes() const noexcept {
    return bytes.empty() ? 0 : static_cast<std::uint32_t>(bytes.back());
  }
};

template <class Visit>
bool walk(const view& f, std::uint32_t h, Visit visit) noexcept {
  const std::uint32_t delta = std::rotr(h, 17);
  for (std::uint32_t i = 0; i < f.hashes(); ++i, h += delta)
    if (!visit(h % f.bits())) return false;
  return true;
}

bool matches(const view& f, std::uint32_t h) noexcept {
  if (f.answer() != layout::constant::none) return f.answer() == layout::constant::always;
  return walk(f, h, [&](std::uint64_t i) noexcept {
    return (f.bytes[i >> 3] & mask_of(i)) != std::byte{0};
  });
}

census count_one(const view& f) noexcept {
  census c;
  c.fpr = f.answer() == layout::constant::always ? 1 : 0;
  if (f.answer() != layout::constant::none) return c;
  c.cells = static_cast<double>(f.bits());
  c.occupied = static_cast<double>(base::count_ones(f.bytes, f.bits()));
  c.keys = keys_from_ones(c.occupied, c.cells, f.hashes());
  c.fpr = std::pow(c.occupied / c.cells, static_cast<double>(f.hashes()));
  return c;
}

// --- filters of an image ---

bool is_block(const layout& l) noexcept { return l.variant[0] == 'b'; }

// REQUIRES: i < l.parts
view part_of(const layout& l, std::span<const std::byte> bytes,
             std::uint64_t i) noexcept {
  if (!is_block(l)) return {bytes};
  return {leveldb_block(bytes, l.number[array_at], l.parts).filter(i)};
}

// Parts [first, end): the queried part, or all.
struct range {
  std::uint64_t first, end;
};
range queried_parts(const layout& l) noexcept {
  if (l.part == foreign_options::every_part) return {0, l.parts};
  return {l.part, l.part + 1};
}

bool looks_like_a_block(std::span<const std::byte> bytes) noexcept {
  if (bytes.empty() || bytes.back() != std::byte{leveldb_block::usual_base_lg})
    return false;
  const auto b = leveldb_block::read(bytes);
  if (!b) return false;
  if (b->count() == 0) return b->array() == 0 && bytes.size() < smallest;
  if (b->array() == 0 || b->start(0) != 0) return false;
  std::uint32_t hashes = 0;  // one table's filters all have as many
  for (std::uint64_t i = 0; i < b->count(); ++i) {
    const view f{b->filter(i)};
    if (f.bytes.empty()) continue;
    if (f.bytes.size() < smallest || f.answer() != layout::constant::none) return false;
    if (hashes != 0 && f.hashes() != hashes) return false;
    hashes = f.hashes();
  }
  return true;
}

result<layout> inspect(std::span<const std::byte> bytes,
                       const foreign_options& o) noexcept {
  layout l;
  l.hash = "leveldb";
  l.part = o.part;
  if (o.variant == "block" || (o.variant.empty() && looks_like_a_block(bytes))) {
    const auto b = leveldb_block::read(bytes);
    if (!b) return b.error();
    l.variant = "block";
    l.parts = b->count();
    l.length = l.number[array_at] = b->array();
    for (std::uint64_t i = 0; i < l.parts; ++i) l.bits += part_of(l, bytes, i).bits();
    l.hashes = l.parts == 0 ? 0 : part_of(l, bytes, 0).hashes();
  } else {
    const view f{bytes};
    l.variant = "filter";
    // With k: a damaged one becomes 255, which matches everything.
    l.length = bytes.size();
    l.bits = f.bits();
    l.hashes = f.hashes();
    l.answer = f.answer();
  }
  return l;
}

likeness could_be(std::span<const std::byte> bytes) noexcept {
  if (looks_like_a_block(bytes)) return likeness::possible;
  const view f{bytes};
  return bytes.size() >= smallest && f.answer() == layout::constant::none
             ? likeness::possible
             : likeness::no;
}

bool may_contain(const layout& l, const image& from, std::string_view key) noexcept {
  const std::uint32_t h = hash::leveldb(key);
  for (auto [i, end] = queried_parts(l); i < end; ++i)
    if (matches(part_of(l, from.bytes, i), h)) return true;
  return false;
}

census count(const layout& l, const image& from) noexcept {
  census all;
  double none_matches = 1;
  for (auto [i, end] = queried_parts(l); i < end; ++i) {
    const census one = count_one(part_of(l, from.bytes, i));
    all.cells += one.cells;
    all.occupied += one.occupied;
    all.keys += one.keys;
    none_matches *= 1 - one.fpr;
  }
  all.fpr = 1 - none_matches;
  return all;
}

foreign_filter::part_facts part(const layout& l, const image& from,
                                std::uint64_t i) noexcept {
  foreign_filter::part_facts facts = only_part(l);
  const view f = part_of(l, from.bytes, i);
  facts.offset = static_cast<std::uint64_t>(f.bytes.data() - from.bytes.data());
  facts.length = f.bits() / 8;  // without k
  facts.bits = f.bits();
  facts.hashes = f.hashes();
  if (is_block(l))
    std::snprintf(facts.name, sizeof facts.name, "data blocks from %llu << %u",
                  static_cast<unsigned long long>(i),
                  static_cast<unsigned>(from.bytes.back()));
  return facts;
}

// --- writing ---

result<pages> make(const foreign_params& p) noexcept {
  const auto size = leveldb_size(p);
  if (!size) return size.error();
  auto filter = pages::make(base::bytes_for_bits(size->bits) + 1);
  if (!filter) return filter;
  filter->bytes().back() = static_cast<std::byte>(size->hashes);
  if (p.variant != "block") return filter;
  const std::span<const std::byte> only[] = {filter->bytes()};
  return leveldb_filter_block(only);
}

result<void> insert(layout& l, pages& to, std::string_view key) noexcept {
  const auto [i, end] = queried_parts(l);
  if (end - i != 1)
    return error{errc::unsupported, "a block of several filters: say which part"};
  const view f = part_of(l, to.bytes(), i);
  if (f.answer() == layout::constant::always) return {};
  if (f.answer() == layout::constant::never)
    return error{errc::unattainable, "the filter has no bits to set"};
  std::byte* bits = to.data() + (f.bytes.data() - to.data());
  walk(f, hash::leveldb(key), [&](std::uint64_t b) noexcept {
    bits[b >> 3] |= mask_of(b);
    return true;
  });
  return {};
}

result<pages> encode(const layout& l, const image& from,
                     std::string_view variant) noexcept {
  std::span<const std::byte> bytes = from.bytes;
  if (variant != l.variant && !is_block(l)) {
    const std::span<const std::byte> only[] = {bytes};
    return leveldb_filter_block(only);
  }
  if (variant != l.variant) {
    const auto [i, end] = queried_parts(l);
    if (end - i != 1)
      return error{errc::unsupported, "a block of several filters: say which part"};
    bytes = part_of(l, bytes, i).bytes;
  }
  return copied(bytes);
}

// Filter by filter: all must lie in the same place and have the same k.
result<void> merge(const layout& l, pages& to, const layout& theirs,
                   const image& from) noexcept {
  const auto differ = error{errc::incompatible, "the filters differ in bits or hashes"};
  if (to.size() != from.bytes.size() || l.length != theirs.length ||
      l.parts != theirs.parts || l.part != theirs.part ||
      !std::ranges::equal(to.bytes().subspan(l.length),
                          from.bytes.subspan(theirs.length)))
    return differ;
  for (std::uint64_t i = 0; i < l.parts; ++i)
    if (part_of(l, to.bytes(), i).hashes() != part_of(theirs, from.bytes, i).hashes())
      return differ;
  base::or_into(to.bytes().first(l.length), from.bytes.first(l.length));
  return {};
}

}  // namespace

constinit const dialect leveldb_dialect{
    .facts = {.name = "leveldb",
              .summary = "LevelDB's filter, or a table's filter block",
              .hash = "leveldb",
              .variants = "filter block",
              .needs = "",
              .writes = true,
              .integers = number_keys::plain,
              .texts = false},
    .could_be = could_be,
    .inspect = inspect,
    .may_contain = may_contain,
    .count = count,
    .part = part,
    .make = make,
    .insert = insert,
    .encode = encode,
    .merge = merge,
};

}  // namespace bloomery::format
