#include "format/dialect/leveldb_filters.hpp"

#include <algorithm>
#include <cmath>

#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/tiny_filter.hpp>

#include "format/dialect/leveldb_table.hpp"
#include "hash/leveldb.hpp"

namespace bloomery::format::leveldb {
namespace {

constexpr std::uint64_t all_trials = std::uint64_t{1} << 18, part_trials = 1 << 14;
constexpr std::string_view built_in_policy = "leveldb.BuiltinBloomFilter2";
constexpr std::string_view own_policy = "bloomery.TinyFilter";

bool is_tiny(const view& f) noexcept {
  return f.bytes.size() > 1 && tiny_filter::shape_of(f.bytes).columns != 0;
}

const char* kind_of(const view& f) noexcept {
  return f.bytes.empty() ? "no keys" : is_tiny(f) ? "tiny" : "bloom";
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

census count_in_table(const view& f) noexcept {
  if (!is_tiny(f)) return count_one(f);
  const auto shape = tiny_filter::shape_of(f.bytes);
  census c;
  const std::uint64_t cells = shape.slots * shape.columns;
  c.cells = static_cast<double>(cells);
  c.occupied = static_cast<double>(base::count_ones(f.bytes, cells));
  // As many slots as keys, and a few more (spec/tiny_filter.md): a little too many.
  const auto slots = static_cast<double>(shape.slots);
  c.keys = slots <= 56 ? slots : slots - (slots - 40) * (std::log2(slots) + 3.5) / 400;
  return c;
}

// 1 for what neither policy writes.
double rate_in_table(const view& f, std::uint64_t trials) noexcept {
  if (f.bytes.size() < 2) return f.bytes.empty() ? 0 : 1;
  if (is_tiny(f)) return tiny_filter::fpr(f.bytes);
  return f.answer() == layout::constant::none ? measured_fpr(f, trials) : 1;
}

}  // namespace

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
  l.at = l.head_at = t->filters.at;  // data in front is not looked at
  l.length = t->filters.size;
  l.cells_are_bits = false;
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

census table_count(const layout& l, const image& from) noexcept {
  census all;
  for (auto [i, end] = queried_parts(l); i < end; ++i) {
    const view f = part_of(l, from.bytes, i);
    if (f.bytes.empty()) continue;
    const census one = count_in_table(f);
    all.cells += one.cells;
    all.occupied += one.occupied;
    all.keys += one.keys;
  }
  return all;
}

// A lookup of the engine asks one filter: the mean of their rates.
double table_rate(const layout& l, const image& from) noexcept {
  double sum = 0, filters = 0;
  const std::uint64_t trials =
      std::max<std::uint64_t>(16, all_trials / std::max<std::uint64_t>(1, l.parts));
  for (auto [i, end] = queried_parts(l); i < end; ++i) {
    const view f = part_of(l, from.bytes, i);
    if (f.bytes.empty()) continue;
    sum += rate_in_table(f, trials);
    ++filters;
  }
  return filters == 0 ? 0 : sum / filters;
}

foreign_filter::table_facts facts_of_table(const layout& l, const image& from) noexcept {
  foreign_filter::table_facts facts;
  facts.policy = {reinterpret_cast<const char*>(from.bytes.data()) + l.number[policy_at],
                  static_cast<std::size_t>(l.number[policy_size])};
  facts.keys = "whole keys";
  facts.checksum = "crc32c";
  for (std::uint64_t i = 0; i < l.parts; ++i) {
    const view f = part_of(l, from.bytes, i);
    if (f.bytes.empty()) continue;
    const std::string_view kind = kind_of(f);
    facts.filters_are_own = is_tiny(f);
    if (!facts.filters.empty() && facts.filters != kind) {
      facts.filters = "several kinds";
      facts.filters_are_own = false;
      break;
    }
    facts.filters = kind;
  }
  return facts;
}

table_part part_of_table(const view& f) noexcept {
  return {kind_of(f), is_tiny(f) ? tiny_filter::shape_of(f.bytes).columns : f.hashes(),
          rate_in_table(f, part_trials)};
}

}  // namespace bloomery::format::leveldb
