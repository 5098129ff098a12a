// LevelDB's filters: one, those of a block, and those of a whole table
// (leveldb_table.hpp), where some may be tiny filters of ours (tiny_filter.hpp).
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/bits.hpp"
#include "format/dialect/leveldb_block.hpp"
#include "format/dialect/leveldb_size.hpp"
#include "format/dialect/probes.hpp"

namespace bloomery::format::leveldb {

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

inline bool matches(const view& f, std::uint32_t h) noexcept {
  if (f.answer() != layout::constant::none) return f.answer() == layout::constant::always;
  return walk(f, h, [&](std::uint64_t i) noexcept {
    return (f.bytes[i >> 3] & mask_of(i)) != std::byte{0};
  });
}

inline census count_one(const view& f) noexcept {
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

inline bool is_table(const layout& l) noexcept { return l.variant[0] == 't'; }
inline bool is_block(const layout& l) noexcept {
  return l.variant[0] == 'b' || is_table(l);
}

inline leveldb_block block_of(const layout& l,
                              std::span<const std::byte> bytes) noexcept {
  if (is_table(l)) bytes = bytes.subspan(l.number[block_at], l.number[block_size]);
  return leveldb_block(bytes, l.number[array_at], l.parts);
}

// REQUIRES: i < l.parts
inline view part_of(const layout& l, std::span<const std::byte> bytes,
                    std::uint64_t i) noexcept {
  if (!is_block(l)) return {bytes};
  return {block_of(l, bytes).filter(i)};
}

// Parts [first, end): the queried part, or all.
struct range {
  std::uint64_t first, end;
};
inline range queried_parts(const layout& l) noexcept {
  if (l.part == foreign_options::every_part) return {0, l.parts};
  return {l.part, l.part + 1};
}

// --- those of a table ---

// Errors: those of leveldb_table::read and leveldb_block::read; unsupported (a policy
// that is not known).
result<layout> inspect_table(std::span<const std::byte> bytes,
                             std::uint64_t part) noexcept;

bool table_may_contain(const layout& l, const image& from, std::string_view key) noexcept;

census table_count(const layout& l, const image& from) noexcept;

double table_rate(const layout& l, const image& from) noexcept;

foreign_filter::table_facts facts_of_table(const layout& l, const image& from) noexcept;

// The kind, hashes and rate of one part.
struct table_part {
  const char* kind;
  std::uint32_t hashes;
  double fpr;
};
table_part part_of_table(const view& f) noexcept;

}  // namespace bloomery::format::leveldb
