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
#include <bit>
#include <cmath>
#include <cstdio>

#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/tiny_filter.hpp>

#include "base/bits.hpp"
#include "base/byte_writer.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/excerpt.hpp"
#include "format/dialect/leveldb_block.hpp"
#include "format/dialect/leveldb_size.hpp"
#include "format/dialect/leveldb_table.hpp"
#include "format/dialect/probes.hpp"
#include "hash/leveldb.hpp"

namespace bloomery::format {
namespace {

constexpr std::size_t smallest = 9;  // that is written: 64 bits and k

// In layout::number: of a block, and of the table around it.
enum : std::size_t {
  array_at,
  block_at,
  block_size,
  index_at,
  index_size,
  index_form,
  policy_at,
  policy_size
};

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

bool is_table(const layout& l) noexcept { return l.variant[0] == 't'; }
bool is_block(const layout& l) noexcept { return l.variant[0] == 'b' || is_table(l); }

leveldb_block block_of(const layout& l, std::span<const std::byte> bytes) noexcept {
  if (is_table(l)) bytes = bytes.subspan(l.number[block_at], l.number[block_size]);
  return leveldb_block(bytes, l.number[array_at], l.parts);
}

// REQUIRES: i < l.parts
view part_of(const layout& l, std::span<const std::byte> bytes,
             std::uint64_t i) noexcept {
  if (!is_block(l)) return {bytes};
  return {block_of(l, bytes).filter(i)};
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

// --- a table ---

constexpr std::uint64_t all_trials = std::uint64_t{1} << 18, part_trials = 1 << 14;
constexpr std::string_view built_in_policy = "leveldb.BuiltinBloomFilter2";
constexpr std::string_view own_policy = "bloomery.TinyFilter";

bool is_tiny(const view& f) noexcept {
  return f.bytes.size() > 1 && tiny_filter::shape_of(f.bytes).columns != 0;
}

// An empty filter has no keys; what neither policy writes is not trusted.
bool matches_in_table(const view& f, std::string_view key, std::uint32_t h) noexcept {
  if (f.bytes.size() < 2) return !f.bytes.empty();
  if (is_tiny(f)) return tiny_filter::may_contain(f.bytes, hasher::xxh3().hash(key));
  return matches(f, h);
}

// The share of so many hashes that pass.  The fill promises less: the steps of double
// hashing repeat in so few bits.
double measured_fpr(const view& f, std::uint64_t trials) noexcept {
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < trials; ++i)
    found += matches(f, static_cast<std::uint32_t>(hash::splitmix64(i)));
  return static_cast<double>(found) / static_cast<double>(trials);
}

census count_in_table(const view& f, std::uint64_t trials) noexcept {
  const auto shape = is_tiny(f) ? tiny_filter::shape_of(f.bytes) : tiny_filter::shape();
  if (shape.columns == 0) {
    census c = count_one(f);
    if (f.answer() == layout::constant::none) c.fpr = measured_fpr(f, trials);
    return c;
  }
  census c;
  const std::uint64_t cells = shape.slots * shape.columns;
  c.cells = static_cast<double>(cells);
  c.occupied = static_cast<double>(base::count_ones(f.bytes, cells));
  // As many slots as keys, and a few more (spec/tiny_filter.md): a little too many.
  const auto slots = static_cast<double>(shape.slots);
  c.keys = slots <= 56 ? slots : slots - (slots - 40) * (std::log2(slots) + 3.5) / 400;
  c.fpr = tiny_filter::fpr(f.bytes);
  return c;
}

result<layout> inspect_table(std::span<const std::byte> bytes,
                             std::uint64_t part) noexcept {
  const auto t = leveldb_table::read(bytes);
  if (!t) return t.error();
  const std::string_view policy(
      reinterpret_cast<const char*>(bytes.data()) + t->policy_at, t->policy_size);
  if (policy != built_in_policy && policy != own_policy)
    return error{errc::unsupported, "filters of a policy that is not known",
                 t->policy_at};
  const auto b = leveldb_block::read(bytes.subspan(t->filters.at, t->filters.size));
  if (!b) {
    error e = b.error();
    e.at += t->filters.at;
    return e;
  }
  layout l;
  l.variant = "table";
  l.hash = "leveldb";
  l.part = part;
  l.parts = b->count();
  l.at = t->filters.at;
  l.length = t->filters.size;
  l.cells_are_bits = false;
  l.fpr_is_counted = true;
  l.checked = true;
  l.number[array_at] = b->array();
  l.number[block_at] = t->filters.at;
  l.number[block_size] = t->filters.size;
  l.number[index_at] = t->index.at;
  l.number[index_size] = t->index.size;
  l.number[index_form] = t->index_compression;
  l.number[policy_at] = t->policy_at;
  l.number[policy_size] = t->policy_size;
  l.read_by_lookup = t->index.size;
  for (std::uint64_t i = 0; i < l.parts; ++i) {
    const view f = part_of(l, bytes, i);
    l.bits += f.bits();
    if (is_tiny(f)) l.hash = "xxh3";
    if (i == 0)
      l.hashes = is_tiny(f) ? tiny_filter::shape_of(f.bytes).columns : f.hashes();
  }
  return l;
}

// The filter of the data block that the index names; any filter if it names none.
bool table_may_contain(const layout& l, const image& from,
                       std::string_view key) noexcept {
  const std::uint32_t h = hash::leveldb(key);
  const leveldb_block b = block_of(l, from.bytes);
  const auto ask = [&](std::uint64_t i) noexcept {
    return !from.whole(l.at, l.length) || i >= l.parts ||
           matches_in_table(part_of(l, from.bytes, i), key, h);
  };
  if (l.part != foreign_options::every_part) return ask(l.part);
  data_block where;
  if (from.whole(l.number[index_at], l.number[index_size]))
    where = find_data_block(from.bytes.subspan(l.number[index_at], l.number[index_size]),
                            static_cast<std::uint8_t>(l.number[index_form]), key);
  if (where.where == data_block::none) return false;
  if (where.where == data_block::found)
    return b.base_lg() > 63 || ask(where.at >> b.base_lg());
  for (std::uint64_t i = 0; i < l.parts; ++i)
    if (ask(i)) return true;
  return l.parts == 0;
}

// A lookup of the engine asks one filter: the mean of their rates.
census table_count(const layout& l, const image& from) noexcept {
  census all;
  double filters = 0;
  const std::uint64_t trials =
      std::max<std::uint64_t>(16, all_trials / std::max<std::uint64_t>(1, l.parts));
  for (auto [i, end] = queried_parts(l); i < end; ++i) {
    const view f = part_of(l, from.bytes, i);
    if (f.bytes.empty()) continue;
    const census one = count_in_table(f, trials);
    all.cells += one.cells;
    all.occupied += one.occupied;
    all.keys += one.keys;
    all.fpr += f.bytes.size() < 2 ? 1 : one.fpr;
    ++filters;
  }
  if (filters != 0) all.fpr /= filters;
  return all;
}

std::string_view policy(const layout& l, const image& from) noexcept {
  if (!is_table(l)) return {};
  return {reinterpret_cast<const char*>(from.bytes.data()) + l.number[policy_at],
          l.number[policy_size]};
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
  if (leveldb_table::is_one(bytes))
    return leveldb_table::read(bytes) ? likeness::certain : likeness::possible;
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
                  static_cast<unsigned long long>(i), block_of(l, from.bytes).base_lg());
  if (is_table(l)) {
    if (is_tiny(f)) facts.hashes = tiny_filter::shape_of(f.bytes).columns;
    facts.fpr = f.bytes.empty()      ? 0
                : f.bytes.size() < 2 ? 1
                                     : count_in_table(f, part_trials).fpr;
  }
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
    .part = part,
    .policy = policy,
    .make = make,
    .insert = insert,
    .encode = encode,
    .merge = merge,
};

}  // namespace bloomery::format
