#include "format/dialect/rocksdb_ribbon.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/byte_reader.hpp"
#include "base/multiply.hpp"
#include "format/dialect/check.hpp"
#include "hash/xxph3.hpp"

namespace bloomery::format {
namespace {

__extension__ using u128 = unsigned __int128;

constexpr std::uint64_t segment_bytes = 16, slots_of_block = 128, max_columns = 32;

enum : std::size_t { blocks, columns, upper_start };  // in layout::number

// The seed is stored by its ordinal; these bits of it enter the hash.
std::uint64_t raw_seed(std::uint64_t ordinal) noexcept {
  std::uint64_t t = ordinal * 0xc78219a23eeadd03;
  t ^= (t & 0xf0f0f0f0f0f0f0f0) >> 4;
  return t & 0xffffffff;
}

// The byte-swapped number's low half: bytes 7, 6, 5, 4 become 0, 1, 2, 3.
std::uint32_t result_row(std::uint64_t a) noexcept {
  const auto high = static_cast<std::uint32_t>(a >> 32);
  return high >> 24 | (high >> 8 & 0xff00) | (high << 8 & 0xff0000) | high << 24;
}

u128 segment_at(const image& from, std::uint64_t at) noexcept {
  base::byte_reader in(from.bytes.subspan(at, segment_bytes));
  const u128 low = in.read<std::uint64_t>();
  return low | static_cast<u128>(in.read<std::uint64_t>()) << 64;
}

unsigned parity(u128 v) noexcept {
  const auto both = static_cast<std::uint64_t>(v) ^ static_cast<std::uint64_t>(v >> 64);
  return static_cast<unsigned>(std::popcount(both)) & 1;
}

}  // namespace

result<void> ribbon_inspect(layout& l, std::uint64_t count) noexcept {
  const std::uint64_t segments = l.length / segment_bytes;
  if (l.length % segment_bytes != 0)
    return damaged("not a whole number of 16-byte segments", segments * segment_bytes);
  const std::uint64_t upper = (segments + count - 1) / count;
  if (upper > max_columns) return damaged("more than 32 columns", l.at + l.length + 2);
  l.cells_are_bits = false;
  l.bits = slots_of_block * segments;
  l.hashes = static_cast<std::uint32_t>(upper);
  l.number[blocks] = count;
  l.number[columns] = upper;
  l.number[upper_start] = upper * count - segments;
  return {};
}

bool ribbon_may_contain(const layout& l, const image& from,
                        std::string_view key) noexcept {
  const std::uint64_t h = (hash::xxph3(key) ^ raw_seed(l.seed)) * 0x6193d459236a3a0d;
  // An equation may start at any slot that leaves room for 128.
  const std::uint64_t starts = slots_of_block * (l.number[blocks] - 1) + 1;
  const std::uint64_t start = base::multiply_high(h, starts);
  const std::uint64_t a = h * 0xc28f82822b650bed;
  const u128 row = static_cast<u128>(a) << 64 | (a ^ 0xc367844a6e52731d) | 1;
  const std::uint32_t expected = result_row(a);

  const std::uint64_t block = start / slots_of_block, upper = l.number[columns];
  const unsigned shift = start % slots_of_block;
  const std::uint64_t here = upper - (block < l.number[upper_start] ? 1 : 0);
  const std::uint64_t first =
      l.at + segment_bytes * (block * upper - std::min(block, l.number[upper_start]));
  // The rest of an equation that does not start a block lies in the next, which has as
  // many columns or one more.  The last block has one start, its first slot.
  const std::uint64_t next = first + segment_bytes * here;
  if (!from.whole(first, segment_bytes * (shift == 0 ? here : 2 * here))) return true;
  for (std::uint64_t i = 0; i < here; ++i) {
    u128 v = segment_at(from, first + segment_bytes * i) & row << shift;
    if (shift != 0)
      v ^= segment_at(from, next + segment_bytes * i) & row >> (slots_of_block - shift);
    if (parity(v) != (expected >> i & 1)) return false;
  }
  return true;
}

census ribbon_count(const layout& l) noexcept {
  const auto all = static_cast<double>(l.number[blocks]);
  const auto fewer = static_cast<double>(l.number[upper_start]);
  const double low = std::exp2(-static_cast<double>(l.number[columns]));
  census c;
  c.cells = c.occupied = static_cast<double>(slots_of_block) * all;
  c.keys = 0.97 * c.cells;  // RocksDB's overhead is between 2 and 5 %
  c.fpr = std::min(1.0, (fewer * 2 * low + (all - fewer) * low) / all);
  return c;
}

}  // namespace bloomery::format
