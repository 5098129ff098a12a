#include "format/dialect/rocksdb_properties.hpp"

#include <algorithm>
#include <array>

#include "format/dialect/table_block.hpp"

namespace bloomery::format {
namespace {

// As RocksDB reads them: what is not there or too short is 0.
std::uint64_t varint_of(std::span<const std::byte> value) noexcept {
  base::byte_reader in(value);
  const std::uint64_t n = read_varint(in);
  return in.ok() ? n : 0;
}
std::uint64_t fixed_of(std::span<const std::byte> value) noexcept {
  base::byte_reader in(value);
  return in.read<std::uint64_t>();
}

void take(rocksdb_properties& to, std::string_view name,
          std::span<const std::byte> value) noexcept {
  constexpr std::string_view all = "rocksdb.";
  if (!name.starts_with(all)) return;
  name.remove_prefix(all.size());
  const std::string_view text = text_of(value);
  if (name == "filter.policy") {
    to.policy = text;
  } else if (name == "comparator") {
    to.comparator = text;
  } else if (name == "prefix.extractor.name") {
    if (text != "nullptr") to.prefix_extractor = text;
  } else if (name == "num.entries") {
    to.entries = varint_of(value);
  } else if (name == "num.filter_entries") {
    to.filter_entries = varint_of(value);
  } else if (name == "block.based.table.whole.key.filtering") {
    to.whole_keys = text != "0";
  } else if (name == "block.based.table.prefix.filtering") {
    to.prefixes = text == "1";
  } else if (name == "index.key.is.user.key") {
    to.keys_have_sequence = varint_of(value) == 0;
  } else if (name == "index.value.is.delta.encoded") {
    to.sizes_are_deltas = varint_of(value) != 0;
  } else if (name == "external_sst_file.global_seqno" && value.size() == 8) {
    if (fixed_of(value) != 0) to.global_sequence = value;
  }
}

}  // namespace

std::optional<rocksdb_properties> rocksdb_properties::read(
    std::span<const std::byte> block) noexcept {
  const block_entries all = entries_of(block);
  if (!all.whole) return std::nullopt;
  rocksdb_properties p;
  std::array<char, 64> name;  // longer ones are not read
  std::uint64_t length = 0;
  base::byte_reader in(all.bytes);
  while (in.left() != 0) {
    const std::uint64_t shared = read_varint(in), more = read_varint(in),
                        size = read_varint(in);
    const auto rest = in.take(static_cast<std::size_t>(more));
    const auto value = in.take(static_cast<std::size_t>(size));
    if (!in.ok() || shared > length) return std::nullopt;
    for (std::uint64_t i = 0; i < more && shared + i < name.size(); ++i)
      name[shared + i] = static_cast<char>(rest[i]);
    length = shared + more;
    if (length <= name.size()) take(p, {name.data(), length}, value);
  }
  return p;
}

}  // namespace bloomery::format
