// A filter in another system's format: read, queried and written as that system does.
//
//   auto f = bloomery::foreign_filter::load("guava", "users.bin");
//   if (f->may_contain("alice")) ...
//
// A dialect (spec/dialects.md) fixes the hash, the probing rule and the bytes around the
// bits.  Several need more than 64 hash bits, so a foreign filter takes bytes, never a
// key.  What the bytes do not record (hashes of a bare bitset, how integers were encoded)
// are options; `dialects()` lists them.
//
// redisbloom_chain and redisbloom_cuckoo, which are included, are RedisBloom's BF and CF
// for servers: they grow in place, and are dumped and loaded in pieces.
//
// Thread safety: const calls may run together; any other call must run alone.
// A filter that was moved from may only be destroyed or assigned to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/format/input_file.hpp>
#include <bloomery/detail/format/redisbloom_chain.hpp>
#include <bloomery/detail/format/redisbloom_cuckoo.hpp>
#include <bloomery/detail/path_ref.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::format {
struct dialect;
struct damage_map;
}  // namespace bloomery::format

namespace bloomery::inline v1 {

// The type of a key before it became bytes, where a dialect hashes types differently.
enum class key_form : std::uint8_t {
  bytes = 0,    // as they are; in Rust a slice, [u8]
  text = 1,     // Rust's str
  integer = 2,  // little-endian bytes of a number, as many as number_keys says
};

// What the bytes do not record.
struct foreign_options {
  static constexpr std::uint64_t every_part = ~std::uint64_t{0};

  std::string_view variant{};           // one of the dialect's; empty: by the bytes
  std::optional<std::uint64_t> bits{};  // where the bytes do not fix m
  std::optional<std::uint32_t> hashes{};
  std::optional<std::uint64_t> seed{};
  key_form form = key_form::bytes;
  std::uint64_t part = every_part;  // of several filters in one file
};

// The size of a new filter, by its owner's sizing rule, unless bits and hashes are given
// explicitly.
struct foreign_params : foreign_options {
  std::uint64_t keys = 0;
  std::optional<double> fpr{};            // at most one of these two;
  std::optional<double> bits_per_key{};   // none: the owner's default
  std::optional<std::uint32_t> growth{};  // RedisBloom's expansion
};

// How a number becomes the bytes of a key, by how its owner hashes numbers.
enum class number_keys : std::uint8_t {
  plain,                // those of its type; key_form::integer is not known
  own_width,            // those of its type, as key_form::integer
  column_width,         // the same, but 8 where the file records the width of its columns
  sign_extended,        // 8, zeros or ones in front by its sign
  sign_extended_reals,  // the same; reals as doubles, of which one is zero and one is NaN
  zero_extended,        // 8, zeros in front whatever its sign; reals as doubles
};

// A dialect as a user sees it.
struct dialect_facts {
  std::string_view name;
  std::string_view summary;
  std::string_view hash;
  std::string_view variants;  // separated by blanks; "(r)" after those only read
  std::string_view needs;     // options without which a file cannot be read; blanks
  bool writes;
  number_keys integers;
  bool texts;                // knows key_form::text
  bool signed_seed = false;  // 32 bits, to its owner a signed number
  bool builds = false;       // is written from all keys at once, and in no other way
  bool any_bytes = false;    // has a form of bits alone, which any bytes may be
};

// The rows of the table, in the order of spec/dialects.md.
BLOOMERY_EXPORT std::size_t dialect_count() noexcept;
BLOOMERY_EXPORT dialect_facts dialect_at(std::size_t i) noexcept;

// Whether a file of that size with those first bytes may be of a dialect.
enum class likeness : std::uint8_t {
  no,
  possible,  // the header agrees with the length
  certain,   // it has a magic
};
BLOOMERY_EXPORT likeness could_be(std::size_t dialect,
                                  std::span<const std::byte> image) noexcept;

class BLOOMERY_EXPORT foreign_filter {
 public:
  // An empty filter.  Errors: invalid_argument (no such dialect or variant, a parameter
  // out of range), unsupported (the dialect is only read), too_large, out_of_memory.
  static result<foreign_filter> make(std::string_view dialect,
                                     const foreign_params& p) noexcept;

  // A filter of all of `keys`.  Where the dialect can insert, it is made and filled;
  // p.keys is then the number of keys, unless it is given.  Errors: those of make and
  // insert; unattainable (where the owner's own builder finds no filter for these keys).
  static result<foreign_filter> build(std::string_view dialect, const foreign_params& p,
                                      std::span<const std::string_view> keys) noexcept;

  // The filter in `image`, which is copied, or taken over.
  // Errors: corrupt, unsupported, invalid_argument (an option is missing or unknown),
  // out_of_memory.
  static result<foreign_filter> decode(std::string_view dialect,
                                       std::span<const std::byte> image,
                                       const foreign_options& o = {}) noexcept;
  static result<foreign_filter> adopt(std::string_view dialect, pages image,
                                      const foreign_options& o = {}) noexcept;
  // Errors: as decode, too_large (a file beyond `max_bytes`), io.
  static result<foreign_filter> load(std::string_view dialect, path_ref path,
                                     const foreign_options& o = {},
                                     std::uint64_t max_bytes = ~std::uint64_t{
                                         0}) noexcept;
  static result<foreign_filter> load(std::string_view dialect, const input_file& file,
                                     const foreign_options& o = {},
                                     std::uint64_t max_bytes = ~std::uint64_t{
                                         0}) noexcept;

  // The owner's bytes.  `variant`: another form of the same bits, where the dialect has
  // one.  Errors: out_of_memory, unsupported, invalid_argument (no such variant), corrupt
  // (`mark_damaged` found damage that this format cannot express).
  result<pages> encode(std::string_view variant = {}) const noexcept;
  // Atomic and durable.  Only if `path` is still the file `replaces`, as in write_notes,
  // if that is given.  Errors: as encode, io.
  result<void> save(path_ref path, const input_file* replaces = nullptr) const noexcept;

  bool may_contain(std::string_view key) const noexcept;
  // REQUIRES: out.size() == keys.size()
  void may_contain(std::span<const std::string_view> keys,
                   std::span<bool> out) const noexcept;

  // Errors: unsupported (only read), out_of_memory, unattainable (full).
  result<void> insert(std::string_view key) noexcept;

  // Union: afterwards this filter answers "possibly present" wherever either did.
  // Errors: incompatible, unsupported.
  result<void> merge(const foreign_filter& other) noexcept;

  std::string_view dialect() const noexcept;
  std::string_view variant() const noexcept;
  std::string_view hash() const noexcept;
  std::uint64_t bits() const noexcept;    // cells, of all parts
  std::uint32_t hashes() const noexcept;  // of the first part
  std::uint64_t seed() const noexcept;
  std::uint64_t capacity() const noexcept;  // 0: not recorded
  std::uint64_t parts() const noexcept;
  // What was needed to read it, as given or found out.
  const foreign_options& options() const noexcept { return options_; }
  std::size_t size_in_bytes() const noexcept { return image_.size(); }
  std::span<const std::byte> bytes() const noexcept { return image_.bytes(); }
  // bytes() are the owner's as they stand: `encode` would only copy them.
  bool is_as_written() const noexcept { return is_as_written(options_.variant); }

  // One of several filters in a file: "row group 0, column id".
  struct part_facts {
    char name[112];
    std::uint64_t offset, length;  // of its cells in the file
    std::uint64_t bits;
    std::uint32_t hashes;
    double fpr = -1;  // its rate, from its bits; -1: not computed for one part alone
  };
  // REQUIRES: i < parts()
  part_facts part(std::uint64_t i) const noexcept;

  // What the table file of a storage engine records of its filters; no policy if it is
  // none.  Texts are empty and numbers 0 where nothing is recorded; valid as long as this
  // filter.
  struct table_facts {
    std::string_view policy;        // under which name the engine looks for them
    std::string_view policy_class;  // what the engine recorded beside it
    std::string_view filters;       // "bloom", "fastlocal", "tiny", ...
    bool filters_are_own = false;   // of a policy of this project
    std::string_view keys;          // in them: "whole keys", "prefixes", ...
    std::string_view prefix_extractor;
    std::string_view comparator;
    std::string_view checksum;         // "crc32c", ...; "none"
    std::int64_t format = -1;          // version of the table; -1: it has none
    std::uint64_t entries = 0;         // of the table
    std::uint64_t filter_entries = 0;  // keys and prefixes that its filters were given
  };
  table_facts table() const noexcept;
  // Whether the file has checksums of its filters, which were right when it was read.
  bool is_checked() const noexcept;

  // --- current state: each reads every cell ---
  double fill() const noexcept;
  double estimated_keys() const noexcept;
  // The current rate: measured by 2^18 lookups of absent keys (fewer where lookups are
  // slow: many parts or hashes) if at least 100 of them are found; otherwise computed
  // from the fill.
  double realised_fpr() const noexcept;

  // Marks damaged chunks: cells that can be set are set; other kinds remember the damage,
  // and lookups that read it answer "possibly present".  `damaged`: a bit for every chunk
  // of 2^chunk_log bytes.  Errors: corrupt (damage outside the cells: headers, JSON).
  result<void> mark_damaged(std::span<const std::uint64_t> damaged,
                            unsigned chunk_log) noexcept;

 private:
  struct layout_storage {
    alignas(8) std::byte bytes[192];
  };
  foreign_filter(const format::dialect& how, pages image, const layout_storage& l,
                 const foreign_options& o) noexcept
      : how_(&how), image_(std::move(image)), layout_(l), options_(o) {}

  // Whether the image is what `encode` would give.
  bool is_as_written(std::string_view variant) const noexcept;

  const format::dialect* how_;
  bool changed_ = false;  // since it was read; a new one counts as changed
  pages image_;
  pages damage_;  // of kinds whose cells cannot be set
  unsigned chunk_log_ = 0;
  layout_storage layout_;
  foreign_options options_;
};

}  // namespace bloomery::inline v1
