#include "format/dialect/leveldb_table.hpp"

#include <array>

#include "format/dialect/snappy.hpp"

namespace bloomery::format {
namespace {

constexpr std::size_t footer_size = leveldb_table::footer_size, magic_at = 40;
constexpr std::uint64_t magic = 0xdb4775248b80fb57;
constexpr std::string_view filter_prefix = "filter.";
constexpr std::size_t sequence_bytes = 8;  // that LevelDB appends to keys

data_block find_in(std::span<const std::byte> index, std::string_view key) noexcept {
  table_entries entries(index);
  std::string_view last, before;
  std::span<const std::byte> value;
  data_block found{data_block::none, 0};
  for (bool first = true; entries.next(last, value); first = false) {
    if (last.size() < sequence_bytes) return {};
    last.remove_suffix(sequence_bytes);
    if (!first && last < before) return {};
    before = last;
    if (found.where != data_block::none || last < key) continue;
    base::byte_reader in(value);
    found = {data_block::found, read_place(in).at};
    if (!in.ok()) return {};
  }
  return entries.broken() ? data_block{} : found;
}

}  // namespace

bool leveldb_table::is_one(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < footer_size) return false;
  base::byte_reader in(bytes.last(footer_size - magic_at));
  return in.read<std::uint64_t>() == magic;
}

result<leveldb_table> leveldb_table::read(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < footer_size) return too_short(bytes.size(), footer_size);
  leveldb_table t;
  t.footer = bytes.size() - footer_size;
  if (!is_one(bytes)) return damaged("no table's magic at the end", t.footer + magic_at);
  base::byte_reader footer(bytes.subspan(t.footer, magic_at));
  const block_place meta = read_place(footer);
  t.index = read_place(footer);
  if (!footer.ok()) return damaged("the footer does not place two blocks", t.footer);
  const auto how = check_block(bytes, meta, t.footer, t.footer);
  if (!how) return how.error();
  if (*how != as_is)
    return error{errc::unsupported, "a compressed metaindex", meta.at + meta.size};
  const auto index = check_block(bytes, t.index, t.footer, t.footer);
  if (!index) return index.error();
  t.index_compression = *index;

  table_entries entries(bytes.subspan(meta.at, meta.size));
  std::string_view name;
  std::span<const std::byte> value;
  while (entries.next(name, value)) {
    if (!name.starts_with(filter_prefix)) continue;
    const auto offset = [&](const void* p) {
      return static_cast<std::uint64_t>(static_cast<const std::byte*>(p) - bytes.data());
    };
    base::byte_reader in(value);
    t.filters = read_place(in);
    if (!in.ok()) return damaged("no place of the filter block", offset(value.data()));
    const auto filters = check_block(bytes, t.filters, t.footer, offset(value.data()));
    if (!filters) return filters.error();
    if (*filters != as_is)
      return error{errc::unsupported, "a compressed filter block",
                   t.filters.at + t.filters.size};
    t.policy_at = offset(name.data()) + filter_prefix.size();
    t.policy_size = name.size() - filter_prefix.size();
    return t;
  }
  if (entries.broken()) return damaged("a metaindex that no table has", meta.at);
  return error{errc::unsupported, "the table has no filters", meta.at};
}

data_block find_data_block(std::span<const std::byte> index, std::uint8_t compression,
                           std::string_view key) noexcept {
  if (compression == as_is) return find_in(index, key);
  if (compression != snappy) return {};
  // Decoded for every lookup: nothing is kept of a table.  Larger indexes than this are
  // those of tables beyond LevelDB's usual 2 MiB.
  std::array<std::byte, std::size_t{1} << 16> room;
  return find_in(snappy_decoded(index, room), key);
}

}  // namespace bloomery::format
