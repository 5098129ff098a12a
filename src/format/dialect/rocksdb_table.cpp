#include "format/dialect/rocksdb_table.hpp"

#include <algorithm>
#include <cstring>

#include "format/dialect/excerpt.hpp"
#include "format/dialect/leveldb_table.hpp"

namespace bloomery::format {
namespace {

constexpr std::uint64_t magic = 0x88e241b785f4cff7;
constexpr std::size_t footer_size = 53, places_at = 1, format_at = 41, magic_at = 45;
constexpr std::uint32_t last_format = 7, first_with_context = 6;
constexpr std::string_view full = "fullfilter.", partitioned = "partitionedfilter.",
                           per_block = "filter.", properties_name = "rocksdb.properties";

// Tables without filters, and files of values.
constexpr struct {
  std::uint64_t magic;
  const char* what;
} other_tables[] = {
    {0x8242229663bf9564, "a plain table of RocksDB: it has no filters"},
    {0x4f3418eb7a8f13b8, "a plain table of RocksDB: it has no filters"},
    {0x926789d0c5f17873, "a cuckoo table of RocksDB: it has no filters"},
};

std::uint64_t last_word(std::span<const std::byte> bytes) noexcept {
  base::byte_reader in(bytes.last(std::min<std::size_t>(bytes.size(), 8)));
  return in.read<std::uint64_t>();
}

const char* other_table(std::span<const std::byte> bytes) noexcept {
  for (const auto& other : other_tables)
    if (bytes.size() >= footer_size && last_word(bytes) == other.magic) return other.what;
  return nullptr;
}

const char* compressed_block(std::uint8_t how) noexcept {
  constexpr const char* names[] = {
      "",
      "a block of filters or properties compressed with snappy",
      "a block of filters or properties compressed with zlib",
      "a block of filters or properties compressed with bzip2",
      "a block of filters or properties compressed with lz4",
      "a block of filters or properties compressed with lz4hc",
      "a block of filters or properties compressed with xpress",
      "a block of filters or properties compressed with zstd"};
  return how < std::size(names) ? names[how]
                                : "a block of filters or properties compressed in a way "
                                  "that is not known";
}

// The footer; `meta` is the place of the metaindex.
result<rocksdb_table> read_footer(std::span<const std::byte> bytes,
                                  block_place& meta) noexcept {
  rocksdb_table t;
  if (leveldb_table::is_one(bytes)) {
    t.footer = bytes.size() - leveldb_table::footer_size;
    base::byte_reader in(bytes.subspan(t.footer));
    meta = read_place(in);
    return t;
  }
  if (const char* other = other_table(bytes); other != nullptr)
    return error{errc::unsupported, other, bytes.size() - 8};
  if (bytes.size() < footer_size) return too_short(bytes.size(), footer_size);
  t.footer = bytes.size() - footer_size;
  if (last_word(bytes) != magic)
    return damaged("no table's magic at the end", t.footer + magic_at);
  base::byte_reader version(bytes.subspan(t.footer + format_at, 4));
  t.format = version.read<std::uint32_t>();
  if (t.format == 0 || t.format > last_format)
    return error{errc::unsupported, "a table of a format that is not known",
                 t.footer + format_at};
  t.sums.how = static_cast<std::uint8_t>(bytes[t.footer]);
  if (t.sums.how > rocksdb_checksum::last)
    return error{errc::unsupported, "checksums of a kind that is not known", t.footer};
  base::byte_reader in(bytes.subspan(t.footer + places_at, format_at - places_at));
  if (t.format < first_with_context) {
    meta = read_place(in);
    if (!in.ok()) return damaged("the footer does not place the metaindex", t.footer);
    return t;
  }
  if (in.read<std::uint32_t>() != 0x007a003e)
    return damaged("no second magic in the footer", t.footer + places_at);
  const auto sum = in.read<std::uint32_t>();
  t.sums.context = in.read<std::uint32_t>();
  meta.size = in.read<std::uint32_t>();
  if (std::ranges::any_of(in.take(24), [](std::byte b) { return b != std::byte{0}; }))
    return damaged("the reserved bytes of the footer are not 0", t.footer + 17);
  std::byte copy[footer_size];
  std::memcpy(copy, bytes.data() + t.footer, footer_size);
  std::memset(copy + 5, 0, 4);  // the checksum counts as 0
  if (t.sums.how != rocksdb_checksum::none && t.sums.of(copy, t.footer) != sum)
    return damaged("the footer does not match its checksum", t.footer + 5);
  if (meta.size > t.footer || t.footer - meta.size < block_trailer)
    return damaged("a metaindex larger than what is before the footer", t.footer + 13);
  meta.at = t.footer - block_trailer - meta.size;
  return t;
}

// The checksum is that of a block in which the global sequence number is 0.
result<void> check_properties(const rocksdb_table& t, std::span<const std::byte> bytes,
                              std::uint64_t blame) noexcept {
  const auto found = t.check(bytes, t.properties, blame);
  if (found || found.error().code != errc::corrupt ||
      !block_ends_before(t.properties, t.footer))
    return found;
  const auto block = bytes.subspan(t.properties.at, t.properties.size);
  const auto facts = rocksdb_properties::read(block);
  if (!facts || facts->global_sequence.empty()) return found;
  auto copy = copied(bytes.subspan(t.properties.at, t.properties.size + block_trailer));
  if (!copy) return copy.error();
  const auto at = static_cast<std::size_t>(facts->global_sequence.data() - block.data());
  std::memset(copy->data() + at, 0, facts->global_sequence.size());
  base::byte_reader stored(copy->bytes().subspan(t.properties.size + 1));
  if (t.sums.of(copy->bytes().first(t.properties.size + 1), t.properties.at) !=
      stored.read<std::uint32_t>())
    return found;
  if (copy->bytes()[t.properties.size] != std::byte{as_is}) return found;
  return {};
}

// Calls visit(name, value) for the entries of the metaindex until it returns false.
template <class Visit>
bool walk_metaindex(std::span<const std::byte> block, Visit visit) noexcept {
  table_entries entries(block);
  std::string_view name;
  std::span<const std::byte> value;
  while (entries.next(name, value))
    if (!visit(name, value)) return true;
  return !entries.broken();
}

}  // namespace

bool rocksdb_table::is_one(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() >= footer_size &&
      (last_word(bytes) == magic || other_table(bytes) != nullptr))
    return true;
  if (!leveldb_table::is_one(bytes)) return false;
  block_place meta;
  const auto t = read_footer(bytes, meta);
  if (!t || !block_ends_before(meta, t->footer)) return false;
  bool found = false;
  walk_metaindex(bytes.subspan(meta.at, meta.size),
                 [&](std::string_view name, std::span<const std::byte>) noexcept {
                   found = name == properties_name || name.starts_with(full);
                   return !found;
                 });
  return found;
}

result<void> rocksdb_table::check(std::span<const std::byte> bytes, block_place p,
                                  std::uint64_t blame) const noexcept {
  if (!block_ends_before(p, footer))
    return damaged("a block that does not end before the footer", blame);
  const auto how = static_cast<std::uint8_t>(bytes[p.at + p.size]);
  if (sums.how != rocksdb_checksum::none) {
    const auto found =
        check_block(bytes, p, footer, blame,
                    [&](std::span<const std::byte> checked, std::uint64_t at) noexcept {
                      return sums.of(checked, at);
                    });
    if (!found) return found.error();
  }
  if (how != as_is) return error{errc::unsupported, compressed_block(how), p.at + p.size};
  return {};
}

result<rocksdb_table> rocksdb_table::read(std::span<const std::byte> bytes) noexcept {
  block_place meta;
  auto t = read_footer(bytes, meta);
  if (!t) return t;
  if (const auto ok = t->check(bytes, meta, t->footer); !ok) return ok.error();
  const auto offset = [&](const void* p) noexcept {
    return static_cast<std::uint64_t>(static_cast<const std::byte*>(p) - bytes.data());
  };
  std::span<const std::byte> filter_value, properties_value;
  bool is_per_block = false;
  const bool whole = walk_metaindex(
      bytes.subspan(meta.at, meta.size),
      [&](std::string_view name, std::span<const std::byte> value) noexcept {
        is_per_block |= name.starts_with(per_block);
        if (name == properties_name) properties_value = value;
        const bool parts = name.starts_with(partitioned);
        if ((!parts && !name.starts_with(full)) || t->policy_at != 0) return true;
        filter_value = value;
        t->is_partitioned = parts;
        t->policy_at = offset(name.data()) + (parts ? partitioned : full).size();
        t->policy_size = name.size() - (parts ? partitioned : full).size();
        return true;
      });
  if (!whole) return damaged("a metaindex that no table has", meta.at);
  if (filter_value.data() == nullptr)
    return error{errc::unsupported,
                 is_per_block ? "filters of data blocks, which RocksDB 7.0 gave up"
                              : "the table has no filters",
                 meta.at};
  base::byte_reader in(filter_value);
  t->filters = read_place(in);
  if (!in.ok())
    return damaged("no place of the filter block", offset(filter_value.data()));
  if (properties_value.data() != nullptr) {
    base::byte_reader place(properties_value);
    t->properties = read_place(place);
    const std::uint64_t blame = offset(properties_value.data());
    if (!place.ok()) return damaged("no place of the properties", blame);
    if (const auto ok = check_properties(*t, bytes, blame); !ok) return ok.error();
    const auto facts =
        rocksdb_properties::read(bytes.subspan(t->properties.at, t->properties.size));
    if (!facts) return damaged("properties that no table has", t->properties.at);
    t->facts = *facts;
  }
  if (const auto ok = t->check(bytes, t->filters, offset(filter_value.data())); !ok)
    return ok.error();
  return t;
}

}  // namespace bloomery::format
