// What a dialect is: a row of functions over an image of its bytes.
//
// A dialect is one file in this directory: it parses its header into a `layout`, names
// the bits of a key (probes.hpp has the engine), and, if it writes, sizes and starts an
// empty image.  Nothing is allocated to read: every number is checked against the length
// of the image before it is used.  spec/dialects.md has the bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <bloomery/foreign_filter.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::format {

// Bit i of a table: bit i % 8 of byte i / 8, or bit i % 64 of big-endian word i / 64.
enum class bit_order : std::uint8_t { lsb_first, be_words };

// More hashes than this are nobody's: half full, a filter of as many would be wrong once
// in 2^4096 lookups.
inline constexpr std::uint64_t max_probes = 4096;

// What the bytes of one image turned out to be.  Plain numbers, copied freely.
struct layout {
  const char* variant = "";  // a literal out of the dialect's list
  const char* hash = "";     // a literal
  std::uint64_t at = 0;      // where the cells begin in the image ...
  std::uint64_t length = 0;  // ... and how many bytes they take
  // Bytes outside the cells give the filter its form, but for those before `head_at` and
  // those between the cells and `foot_at` (if it is not 0): nobody looks at them.
  std::uint64_t head_at = 0;
  std::uint64_t foot_at = 0;
  std::uint64_t bits = 0;    // modulus of the probes, or cells; 0: matches nothing
  std::uint32_t hashes = 0;  // as stored
  bit_order order = bit_order::lsb_first;
  key_form form = key_form::bytes;
  // Formats whose reserved values mean so.
  enum class constant : std::uint8_t { none, never, always } answer = constant::none;
  // Cells are bits that only insert sets: a damaged one may count as set.  False: cuckoo,
  // fuse, ribbon and text, which have no such value.
  bool cells_are_bits = true;
  bool checked = false;  // all that a lookup reads lies under checksums, which are right
  std::uint64_t seed = 0;
  std::uint64_t capacity = 0;  // 0: not recorded
  std::uint64_t parts = 1;
  std::uint64_t part = foreign_options::every_part;  // the one to ask
  // Bytes that a lookup may read besides its cells: lists it walks through, cells that
  // have no fixed place.  An estimate, for calls that make many lookups.
  std::uint64_t read_by_lookup = 0;
  std::uint64_t number[8] = {};  // whatever else the dialect keeps
};

// Testing fewer bits is never a false negative: a hostile number of hashes costs a lookup
// no more than this.
constexpr std::uint64_t probes_of(const layout& l) noexcept {
  return std::min<std::uint64_t>(l.hashes, max_probes);
}

// A bit for every chunk of the image that failed its checksum.
struct damage_map {
  std::span<const std::uint64_t> chunks;
  unsigned chunk_log = 12;

  bool touches(std::uint64_t at, std::uint64_t length) const noexcept {
    if (chunks.empty() || length == 0) return false;
    for (std::uint64_t c = at >> chunk_log; c <= (at + length - 1) >> chunk_log; ++c)
      if ((chunks[c / 64] >> (c % 64) & 1) != 0) return true;
    return false;
  }
};

struct image {
  std::span<const std::byte> bytes;
  damage_map damage = {};

  // Whether these bytes may be trusted; a lookup of others answers "possibly present".
  bool whole(std::uint64_t at, std::uint64_t length) const noexcept {
    return !damage.touches(at, length);
  }
};

// What the cells say.
struct census {
  double cells = 0, occupied = 0;
  double keys = 0;  // estimated; infinite if every cell is taken
  double fpr = 0;   // from the fill, assuming ideal hashes
};

struct dialect {
  dialect_facts facts;

  // Whether these bytes may be of this dialect, whatever the options.
  likeness (*could_be)(std::span<const std::byte> bytes) noexcept;

  // Checks everything that a lookup relies on.  Errors: corrupt with the offset,
  // invalid_argument (an option is missing or out of range), unsupported.
  result<layout> (*inspect)(std::span<const std::byte> bytes,
                            const foreign_options& o) noexcept;

  bool (*may_contain)(const layout& l, const image& from, std::string_view key) noexcept;

  census (*count)(const layout& l, const image& from) noexcept;

  // The rate, where trial lookups would not meet what its owner's do; negative: where
  // they would.  Null: they always would.
  double (*rate)(const layout& l, const image& from) noexcept = nullptr;

  // REQUIRES: i < l.parts.  Null: there is one part, and it is l.
  foreign_filter::part_facts (*part)(const layout& l, const image& from,
                                     std::uint64_t i) noexcept = nullptr;

  // Facts of a table file; texts are literals or lie within the image.  Null: it has
  // none.
  foreign_filter::table_facts (*table)(const layout& l,
                                       const image& from) noexcept = nullptr;

  // --- of dialects that are written; null otherwise ---
  // The parameters with every option set that the sizing gives and the bytes do not say
  // (hashes).  Null: the bytes say all.  Errors: as make.
  result<foreign_params> (*settle)(const foreign_params& p) noexcept = nullptr;
  // An empty image.  Errors: invalid_argument, unattainable, too_large, out_of_memory.
  result<pages> (*make)(const foreign_params& p) noexcept = nullptr;
  // The whole image at once, of a dialect that has neither make nor insert: in the
  // variant of the parameters, or its first.  Errors: as make; unattainable (the owner's
  // builder fails).
  result<pages> (*build)(const foreign_params& p,
                         std::span<const std::string_view> keys) noexcept = nullptr;
  // May replace the image by a larger one; then also the layout.
  result<void> (*insert)(layout& l, pages& to, std::string_view key) noexcept = nullptr;
  // The bytes the owner would write: counts filled in, text made.  Null: as they are.
  result<pages> (*encode)(const layout& l, const image& from,
                          std::string_view variant) noexcept = nullptr;
  // Null: equal outside the cells, and cells are OR-ed.  An image that it replaces by one
  // of another size is inspected again.
  result<void> (*merge)(const layout& l, pages& to, const layout& theirs,
                        const image& from) noexcept = nullptr;
  // Its variants are forms of the same bits, and `merge` takes any with any.
  bool merges_variants = false;
};

// --- rows, one to a file ---
extern const dialect nori_dialect, atomicbloom_dialect, blockbloom_dialect,
    bits_and_blooms_dialect, parquet_dialect, guava_dialect, spark_dialect,
    redisbloom_dialect, leveldb_dialect, rocksdb_dialect, cassandra_dialect,
    datasketches_dialect, fastbloom_dialect, rust_bloomfilter_dialect, fastfilter_dialect,
    clickhouse_dialect;

std::span<const dialect* const> all_dialects() noexcept;

// Null if there is none.
const dialect* find_dialect(std::string_view name) noexcept;

}  // namespace bloomery::format
