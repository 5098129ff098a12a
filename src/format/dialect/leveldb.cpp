// LevelDB: a bare filter, the filter block of a table (leveldb_block.hpp), or a whole
// table (leveldb_table.hpp), whose filters may be tiny filters of ours (tiny_filter.hpp).
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
#include <cstdio>
#include <cstring>

#include "base/byte_writer.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/excerpt.hpp"
#include "format/dialect/leveldb_filters.hpp"
#include "format/dialect/leveldb_table.hpp"
#include "format/dialect/rocksdb_table.hpp"
#include "hash/leveldb.hpp"

namespace bloomery::format {
namespace {

using namespace leveldb;

constexpr std::size_t smallest = 9;  // that is written: 64 bits and k

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
  if (o.variant == "table" || (o.variant.empty() && leveldb_table::is_one(bytes)))
    return inspect_table(bytes, o.part);
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
  // A magic; RocksDB's tables of its first format have the same one.
  if (leveldb_table::is_one(bytes))
    return rocksdb_table::is_one(bytes) ? likeness::no : likeness::certain;
  if (looks_like_a_block(bytes)) return likeness::possible;
  const view f{bytes};
  return bytes.size() >= smallest && f.answer() == layout::constant::none
             ? likeness::possible
             : likeness::no;
}

bool may_contain(const layout& l, const image& from, std::string_view key) noexcept {
  if (is_table(l)) return table_may_contain(l, from, key);
  const std::uint32_t h = hash::leveldb(key);
  for (auto [i, end] = queried_parts(l); i < end; ++i)
    if (matches(part_of(l, from.bytes, i), h)) return true;
  return false;
}

census count(const layout& l, const image& from) noexcept {
  if (is_table(l)) return table_count(l, from);
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

double rate(const layout& l, const image& from) noexcept {
  return is_table(l) ? table_rate(l, from) : -1;
}

foreign_filter::table_facts table(const layout& l, const image& from) noexcept {
  return is_table(l) ? facts_of_table(l, from) : foreign_filter::table_facts();
}

// By where the data begins whose keys it has.
void name_part(char (&to)[112], unsigned base_lg, std::uint64_t i) noexcept {
  const bool fits = base_lg < 64 && (i << base_lg) >> base_lg == i;
  std::snprintf(to, sizeof to,
                fits ? "data blocks from %llu" : "data blocks from %llu << %u",
                static_cast<unsigned long long>(fits ? i << base_lg : i), base_lg);
}

foreign_filter::part_facts part(const layout& l, const image& from,
                                std::uint64_t i) noexcept {
  foreign_filter::part_facts facts = only_part(l);
  const view f = part_of(l, from.bytes, i);
  facts.offset = static_cast<std::uint64_t>(f.bytes.data() - from.bytes.data());
  facts.length = f.bits() / 8;  // without k
  facts.bits = f.bits();
  facts.hashes = f.hashes();
  if (is_block(l)) name_part(facts.name, block_of(l, from.bytes).base_lg(), i);
  if (!is_table(l)) return facts;
  const table_part more = part_of_table(f);
  facts.hashes = more.hashes;
  facts.fpr = more.fpr;
  const std::size_t named = std::strlen(facts.name);
  std::snprintf(facts.name + named, sizeof facts.name - named, ", %s", more.kind);
  return facts;
}

// --- writing ---

result<pages> make(const foreign_params& p) noexcept {
  if (p.variant == "table")
    return error{errc::unsupported, "tables are read, not written"};
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
  if (is_table(l)) {
    if (variant != "block") return no_such_form();
    return copied(from.bytes.subspan(l.number[block_at], l.number[block_size]));
  }
  if (variant == "table") return no_such_form();
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
  if (is_table(l))
    return error{errc::unsupported, "filters of this form cannot be united"};
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
              .summary = "LevelDB's filter, a table's filter block, or a table (.ldb)",
              .hash = "leveldb",
              .variants = "filter block table (r)",
              .needs = "",
              .writes = true,
              .integers = number_keys::plain,
              .texts = false},
    .could_be = could_be,
    .inspect = inspect,
    .may_contain = may_contain,
    .count = count,
    .rate = rate,
    .part = part,
    .table = table,
    .make = make,
    .insert = insert,
    .encode = encode,
    .merge = merge,
};

}  // namespace bloomery::format
