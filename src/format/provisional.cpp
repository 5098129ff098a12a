// The header of a provisional file.
#include "format/provisional.hpp"

#include <algorithm>
#include <string_view>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"

namespace bloomery::format {
namespace {

constexpr std::string_view magic = "BLMprov1";
constexpr std::size_t checked = provisional_header_size - 8;

std::uint64_t check_of(std::span<const std::byte> head) noexcept {
  return hasher::xxh64().hash(head.first(checked)).bits();
}

error damaged(const char* what, std::size_t at) noexcept {
  return {errc::corrupt, what, at};
}

}  // namespace

result<std::array<std::byte, provisional_header_size>> encode_header(
    const provisional_header& h) noexcept {
  if (h.hash.id() == hash_id::siphash13)
    return error{errc::unsupported,
                 "a filter with a secret cannot be stored in a provisional file"};
  std::array<std::byte, provisional_header_size> head;
  base::byte_writer out(head);
  out.write(std::as_bytes(std::span(magic)));
  out.write(static_cast<std::uint8_t>(h.kind));
  out.write(h.profile);
  out.write(static_cast<std::uint8_t>(h.hash.id()));
  out.write(std::uint8_t{0});
  out.write(h.hashes);
  out.write(h.units);
  out.write(h.capacity);
  out.write(h.hash.seed());
  out.write(h.hash.check());
  out.write(std::uint64_t{0});
  out.write(check_of(head));
  return head;
}

result<provisional_header> decode_header(std::span<const std::byte> head) noexcept {
  if (head.size() < provisional_header_size)
    return error{errc::corrupt, "shorter than the 64-byte header of a provisional file",
                 head.size(), double{provisional_header_size},
                 static_cast<double>(head.size())};
  base::byte_reader in(head);
  if (!std::ranges::equal(in.take(magic.size()), std::as_bytes(std::span(magic))))
    return damaged("not a provisional file: it does not begin with BLMprov1", 0);
  const auto kind = in.read<std::uint8_t>();
  const auto profile = in.read<std::uint8_t>();
  const auto hash = in.read<std::uint8_t>();
  const auto zero = in.read<std::uint8_t>();
  const auto hashes = in.read<std::uint32_t>();
  const auto units = in.read<std::uint64_t>();
  const auto capacity = in.read<std::uint64_t>();
  const auto seed = in.read<std::uint64_t>();
  const auto hash_check = in.read<std::uint64_t>();
  const auto zeros = in.read<std::uint64_t>();
  if (in.read<std::uint64_t>() != check_of(head))
    return damaged("the header is damaged: its checksum does not match", checked);
  if (kind < 1 || kind > 3) return damaged("an unknown kind of filter", 8);
  if (zero != 0 || zeros != 0)
    return damaged("reserved bytes are not zero", zero != 0 ? 11 : 48);
  const auto id = static_cast<hash_id>(hash);
  if (id != hash_id::xxh3 && id != hash_id::xxh64 && id != hash_id::fnv1a_splitmix)
    return damaged("an unknown hash", 10);
  if (id == hash_id::fnv1a_splitmix && seed != 0)
    return damaged("a seed for a hash that takes none", 32);
  const hasher h = id == hash_id::xxh3    ? hasher::xxh3(seed)
                   : id == hash_id::xxh64 ? hasher::xxh64(seed)
                                          : hasher::fnv1a_splitmix();
  if (h.check() != hash_check)
    return damaged("written with another hash function of the same name", 40);
  return provisional_header{
      static_cast<provisional_kind>(kind), profile, hashes, units, capacity, h};
}

result<void> check_size(std::uint64_t file_size, std::uint64_t body) noexcept {
  const std::uint64_t found = file_size - provisional_header_size;
  if (found < body)
    return error{errc::corrupt, "truncated: fewer bytes than the header promises",
                 file_size, static_cast<double>(body), static_cast<double>(found)};
  if (found > body)
    return error{errc::corrupt, "trailing bytes after the filter",
                 provisional_header_size + body, static_cast<double>(body),
                 static_cast<double>(found)};
  return {};
}

}  // namespace bloomery::format

namespace bloomery::inline v1 {

result<provisional_kind> inspect_provisional(std::span<const std::byte> head) noexcept {
  const auto h = format::decode_header(head);
  if (!h) return h.error();
  return h->kind;
}

}  // namespace bloomery::inline v1
