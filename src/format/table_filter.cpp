// The bytes of spec/table_filter.md: a payload, what a header would say of it, a mark.
#include "format/table_filter.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <bloomery/container.hpp>
#include <bloomery/kinds.hpp>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "base/crc32c.hpp"
#include "format/container/reader.hpp"
#include "format/kind/row.hpp"

namespace bloomery::format {
namespace {

constexpr std::array magic{std::byte{'b'}, std::byte{'l'}, std::byte{'m'}};
// CRC, blocks or bytes, zero, mark, magic.
constexpr std::size_t end_bytes = 13;
// Before those, unless blocks: the parameters of a header, its units and its hashes.
constexpr std::size_t shape_bytes = 24 + 8 + 4;
// Marks below are the profiles of blocks, from here on 64 and the number of a kind.
constexpr std::uint8_t first_kind_mark = 64;

constexpr container_kind of_blocks() noexcept {
  return []<class First, class... Rest>(detail::type_list<First, Rest...>) {
    return First::kind.number;
  }(filter_types{});
}
constexpr bool has_mark(block_profile p) noexcept {
  return p >= block_profile::half_line && p <= block_profile::two_lines;
}
bool is_only_built(container_kind number) noexcept {
  const kind_info* const kind = find_kind(number);
  return kind != nullptr && kind->can.has(capability::build);
}
std::size_t trailer_bytes(container_kind kind) noexcept {
  return end_bytes + (kind == of_blocks() ? 0 : shape_bytes);
}

// The CRC of all bytes but its own.
std::uint32_t crc_around(std::span<const std::byte> bytes) noexcept {
  const std::size_t at = bytes.size() - end_bytes;
  return base::crc32c(bytes.subspan(at + 4), base::crc32c(bytes.first(at)));
}

container_kind kind_of(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < end_bytes || bytes[bytes.size() - 5] != std::byte{0} ||
      !std::ranges::equal(bytes.last(magic.size()), magic))
    return container_kind::foreign;
  const auto mark = static_cast<std::uint8_t>(bytes[bytes.size() - 4]);
  if (has_mark(static_cast<block_profile>(mark))) return of_blocks();
  const auto number = static_cast<container_kind>(mark - first_kind_mark);
  return mark > first_kind_mark && is_only_built(number) ? number
                                                         : container_kind::foreign;
}

}  // namespace

bool table_filter_is_whole(std::span<const std::byte> bytes) noexcept {
  base::byte_reader in(bytes.last(end_bytes));
  return in.read<std::uint32_t>() == crc_around(bytes);
}

result<container_facts> table_filter_facts(container_kind kind,
                                           std::span<const std::byte> bytes) noexcept {
  container_facts f;
  f.kind = f.member = kind;
  f.payload_bytes = bytes.size() - trailer_bytes(kind);
  base::byte_reader in(bytes.subspan(static_cast<std::size_t>(f.payload_bytes)));
  if (kind != of_blocks()) {
    std::ranges::copy(in.take(f.parameters.size()), f.parameters.begin());
    f.units = in.read<std::uint64_t>();
    f.hashes = in.read<std::uint32_t>();
  }
  in.take(4);  // the checksum
  const auto count = in.read<std::uint32_t>();
  if (kind == of_blocks()) {
    f.profile = static_cast<block_profile>(bytes[bytes.size() - 4]);
    f.units = count;
    f.hashes = block_shape{f.units, f.profile}.hashes();
  } else if (count != f.payload_bytes) {
    return error{errc::corrupt, "the length of a table filter is another one",
                 bytes.size() - end_bytes + 4};
  }
  const kind_calls& row = *find_calls(kind);
  const auto unused = std::span(f.parameters).subspan(row.facts->parameter_bytes);
  if (!all_zero(unused))
    return error{errc::corrupt, "parameters that the kind does not have",
                 f.payload_bytes + row.facts->parameter_bytes};
  if (auto ok = row.check(f); !ok) return ok.error();
  return f;
}

}  // namespace bloomery::format

namespace bloomery::inline v1 {

container_kind table_filter_kind(std::span<const std::byte> bytes) noexcept {
  const container_kind kind = format::kind_of(bytes);
  if (kind == container_kind::foreign || bytes.size() < format::trailer_bytes(kind))
    return container_kind::foreign;
  return kind;
}

std::size_t table_filter_trailer(container_kind kind) noexcept {
  return format::trailer_bytes(kind);
}

namespace detail {

result<std::uint64_t> table_filter_size(container_kind kind,
                                        const void* filter) noexcept {
  const format::kind_calls& row = *format::find_calls(kind);
  const container_facts facts = row.describe(filter);
  if (kind == format::of_blocks() ? !format::has_mark(facts.profile)
                                  : !format::is_only_built(kind))
    return error{errc::unsupported, "table filters have no filters of this kind"};
  if (!(row.hasher_of(filter) == hasher::xxh3()))
    return error{errc::incompatible, "the keys of table filters are hashed by xxh3"};
  if (row.is_damaged(filter))
    return error{errc::corrupt, "bytes of this filter are damaged: it is not written"};
  const std::uint64_t payload = row.payload(filter).size();
  if (payload > std::numeric_limits<std::uint32_t>::max())
    return error{errc::too_large, "more bytes than a table filter has", 0,
                 static_cast<double>(payload), 0x1p32 - 1};
  return payload + format::trailer_bytes(kind);
}

void write_table_filter(container_kind kind, const void* filter,
                        std::span<std::byte> to) noexcept {
  const format::kind_calls& row = *format::find_calls(kind);
  const container_facts facts = row.describe(filter);
  const std::span<const std::byte> payload = row.payload(filter);
  const bool is_blocks = kind == format::of_blocks();
  base::byte_writer out(to);
  out.write(payload);
  if (!is_blocks) {
    out.write(std::span<const std::byte>(facts.parameters));
    out.write(facts.units);
    out.write(facts.hashes);
  }
  out.write(std::uint32_t{0});
  out.write(static_cast<std::uint32_t>(is_blocks ? facts.units : payload.size()));
  out.write(std::uint8_t{0});
  out.write(static_cast<std::uint8_t>(is_blocks ? static_cast<unsigned>(facts.profile)
                                                : format::first_kind_mark +
                                                      static_cast<unsigned>(kind)));
  out.write(std::span<const std::byte>(format::magic));
  base::byte_writer crc(to.subspan(to.size() - format::end_bytes));
  crc.write(format::crc_around(to));
}

result<void> view_table_filter(container_kind kind, std::span<const std::byte> bytes,
                               void* where) noexcept {
  if (table_filter_kind(bytes) != kind)
    return error{errc::incompatible, "no table filter of this kind"};
  if (!format::table_filter_is_whole(bytes))
    return error{errc::corrupt, "the checksum of a table filter is another one",
                 bytes.size() - format::end_bytes};
  const auto facts = format::table_filter_facts(kind, bytes);
  if (!facts) return facts.error();
  // A filter that is const never writes to its bytes.
  auto* const data = const_cast<std::byte*>(bytes.data());
  format::find_calls(kind)->adopt(
      where, *facts, hasher::xxh3(),
      pages::borrow({data, static_cast<std::size_t>(facts->payload_bytes)}),
      damage_set());
  return {};
}

}  // namespace detail
}  // namespace bloomery::inline v1
