#include "format/container/header.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <bloomery/bloom_sizing.hpp>

#include "base/bits.hpp"
#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "base/crc32c.hpp"
#include "format/file.hpp"

namespace bloomery::format {
namespace {

constexpr std::size_t reserved_at = 100, reserved = 24, crc_at = 124;
constexpr std::uint16_t version = 1;
// Flags of the lower half change what the bytes mean: a reader that does not know one
// must refuse.  Those of the upper half may be ignored.
constexpr std::uint32_t binding_flags = 0xffff;

error refused(errc code, const char* what, std::size_t at, double asked = 0,
              double possible = 0) noexcept {
  return {code, what, at, asked, possible};
}
error corrupt(const char* what, std::size_t at) noexcept {
  return {errc::corrupt, what, at};
}

bool is_filter(container_kind k) noexcept {
  return k >= container_kind::portable && k <= container_kind::bloom;
}
bool has_blocks(container_kind k) noexcept {
  return k == container_kind::block || k == container_kind::split_block;
}
bool is_known(hash_id id) noexcept {
  return id >= hash_id::xxh3 && id <= hash_id::siphash13;
}

// Of a packed set: what the directory leaves of the payload are whole blocks.
result<void> check_directory(const container_facts& f) noexcept {
  if (f.units == 0 || f.payload_bytes < 16 || f.units > f.payload_bytes / 8 - 1)
    return corrupt("more members than the payload has room for", 24);
  const std::uint64_t blocks_end = f.payload_bytes - 8 * (f.units + 1);
  if (f.payload_bytes % 8 != 0 || blocks_end % block_shape{1, f.profile}.block_bytes())
    return corrupt("members that are no whole blocks", 80);
  return {};
}

result<void> check_blocks(const container_facts& f, bool one_filter) noexcept {
  const bool split = f.member == container_kind::split_block;
  if (split
          ? f.profile != block_profile::split
          : f.profile < block_profile::half_line || f.profile > block_profile::two_lines)
    return corrupt("an unknown block profile", 11);
  const block_shape shape{f.units, f.profile};
  if (f.hashes != shape.hashes())
    return corrupt("the number of hashes is not the profile's", 20);
  if (!one_filter) return check_directory(f);
  if (f.units == 0 || f.units > shape.max_blocks())
    return corrupt("an impossible number of blocks", 24);
  if (f.payload_bytes != shape.size_in_bytes())
    return corrupt("the length of the payload is not that of its blocks", 80);
  return {};
}

result<void> check_bits(const container_facts& f) noexcept {
  const bool classic = f.kind == container_kind::bloom;
  const std::uint64_t most = classic ? bloom_probe::max_bits : portable_probe::max_bits;
  if (f.hashes == 0 || (classic && f.hashes > max_bloom_hashes))
    return corrupt("an impossible number of hashes", 20);
  if (f.units == 0 || f.units > most) return corrupt("an impossible number of bits", 24);
  if (f.payload_bytes != base::bytes_for_bits(f.units))
    return corrupt("the length of the payload is not that of its bits", 80);
  return {};
}

// Hashes that a kind is defined with.
result<void> check_hash(const container_facts& f) noexcept {
  if (f.member == container_kind::portable && f.hash != hash_id::fnv1a_splitmix)
    return corrupt("a portable filter hashes with FNV-1a and SplitMix64", 16);
  if (f.member == container_kind::split_block && f.hash != hash_id::xxh64)
    return corrupt("a split-block filter hashes with XXH64", 16);
  if (f.kind == container_kind::foreign && f.hash != hash_id::xxh3)
    return corrupt("sentinels of another system's filter are hashed with XXH3", 16);
  if ((f.member == container_kind::split_block || f.kind == container_kind::foreign ||
       f.hash == hash_id::fnv1a_splitmix || f.is_keyed()) &&
      f.seed != 0)
    return corrupt("a seed where none is used", 32);
  return {};
}

}  // namespace

header_bytes encode_header(const container_facts& f) noexcept {
  header_bytes head{};
  base::byte_writer out(head);
  out.write(std::as_bytes(std::span(container_magic)));
  out.write(f.version);
  out.write(static_cast<std::uint8_t>(f.kind));
  out.write(static_cast<std::uint8_t>(f.profile));
  out.write(f.flags);
  out.write(static_cast<std::uint8_t>(f.hash));
  out.write(static_cast<std::uint8_t>(f.chunk_log));
  out.write(static_cast<std::uint8_t>(f.sentinels));
  out.write(static_cast<std::uint8_t>(
      f.kind == container_kind::packed ? static_cast<std::uint8_t>(f.member) : 0));
  out.write(f.hashes);
  out.write(f.units);
  out.write(f.seed);
  out.write(f.hash_check);
  out.write(std::bit_cast<std::uint64_t>(f.asked_fpr));
  out.write(f.capacity);
  out.write(f.keys);
  out.write(f.payload_at);
  out.write(f.payload_bytes);
  out.write(f.ones);
  out.write(f.notes_bytes);
  out.write(std::span<const std::byte>(std::array<std::byte, reserved>{}));
  out.write(base::crc32c(std::span(head).first(crc_at)));
  return head;
}

result<hasher> hasher_of(const container_facts& f, const read_options& o) noexcept {
  if (!f.is_keyed()) {
    if (o.secret != nullptr)
      return refused(errc::incompatible, "a secret is given, but the hash takes none",
                     16);
    const hasher h = f.hash == hash_id::xxh3    ? hasher::xxh3(f.seed)
                     : f.hash == hash_id::xxh64 ? hasher::xxh64(f.seed)
                                                : hasher::fnv1a_splitmix();
    if (h.check() != f.hash_check)
      return corrupt("written with another hash function of the same name", 40);
    return h;
  }
  if (o.secret == nullptr)
    return refused(errc::incompatible, "its hash is keyed: the secret is needed", 16);
  const hasher h = hasher::siphash13(*o.secret);
  if (h.check() != f.hash_check)
    return refused(errc::incompatible, "the secret is not the one it was made with", 40);
  return h;
}

result<void> check_shape(const container_facts& f) noexcept {
  if (auto ok = check_hash(f); !ok) return ok;
  if (has_blocks(f.member)) return check_blocks(f, f.kind != container_kind::packed);
  if (f.profile != block_profile::by_rate) return corrupt("a profile of no blocks", 11);
  if (f.kind == container_kind::foreign) {
    if (f.hashes != 0) return corrupt("hashes of its own around another's bytes", 20);
    if (f.units != 0) return corrupt("units of its own around another's bytes", 24);
    return {};
  }
  return check_bits(f);
}

}  // namespace bloomery::format

namespace bloomery::inline v1 {

const char* name_of(container_kind kind) noexcept {
  switch (kind) {
    case container_kind::portable:
      return "portable";
    case container_kind::block:
      return "block";
    case container_kind::split_block:
      return "split-block";
    case container_kind::bloom:
      return "bloom";
    case container_kind::foreign:
      return "foreign";
    case container_kind::packed:
      return "packed";
  }
  return "unknown";
}

bool has_container_magic(std::span<const std::byte> head) noexcept {
  constexpr auto& magic = format::container_magic;
  return head.size() >= magic.size() &&
         std::ranges::equal(head.first(magic.size()), std::as_bytes(std::span(magic)));
}

result<container_facts> inspect(std::span<const std::byte> head,
                                std::uint64_t file_size) noexcept {
  using namespace format;
  if (head.size() < container_header_size || file_size < container_header_size)
    return error{errc::corrupt, "shorter than the 128-byte header of a container",
                 head.size(), double{container_header_size},
                 static_cast<double>(head.size())};
  if (!has_container_magic(head))
    return corrupt("not a container: it does not begin with 89 'BLM'", 0);
  base::byte_reader in(head);
  in.take(container_magic.size());
  container_facts f;
  f.version = in.read<std::uint16_t>();
  const bool whole = base::crc32c(head.first(crc_at)) ==
                     base::byte_reader(head.subspan(crc_at)).read<std::uint32_t>();
  if (f.version != version)
    return whole ? refused(errc::unsupported,
                           "a version of the container this build does not know", 8,
                           f.version, version)
                 : corrupt("the header is damaged: its checksum does not match", crc_at);
  if (!whole)
    return corrupt("the header is damaged: its checksum does not match", crc_at);
  f.kind = static_cast<container_kind>(in.read<std::uint8_t>());
  f.profile = static_cast<block_profile>(in.read<std::uint8_t>());
  f.flags = in.read<std::uint32_t>();
  f.hash = static_cast<hash_id>(in.read<std::uint8_t>());
  f.chunk_log = in.read<std::uint8_t>();
  f.sentinels = in.read<std::uint8_t>();
  const auto member = static_cast<container_kind>(in.read<std::uint8_t>());
  f.hashes = in.read<std::uint32_t>();
  f.units = in.read<std::uint64_t>();
  f.seed = in.read<std::uint64_t>();
  f.hash_check = in.read<std::uint64_t>();
  f.asked_fpr = std::bit_cast<double>(in.read<std::uint64_t>());
  f.capacity = in.read<std::uint64_t>();
  f.keys = in.read<std::uint64_t>();
  f.payload_at = in.read<std::uint64_t>();
  f.payload_bytes = in.read<std::uint64_t>();
  f.ones = in.read<std::uint64_t>();
  f.notes_bytes = in.read<std::uint32_t>();

  if ((f.flags & binding_flags) != 0)
    return refused(errc::unsupported, "a flag this version does not know", 12,
                   f.flags & binding_flags);
  if (!is_filter(f.kind) && f.kind != container_kind::foreign &&
      f.kind != container_kind::packed)
    return refused(errc::unsupported, "a kind of filter this version does not know", 10,
                   static_cast<double>(f.kind));
  if (!is_known(f.hash))
    return refused(errc::unsupported, "a hash this version does not know", 16,
                   static_cast<double>(f.hash));
  // An ignorable flag may tell what the reserved bytes hold.
  const auto rest = head.subspan(reserved_at, reserved);
  if (f.flags == 0 &&
      std::ranges::any_of(rest, [](std::byte b) { return b != std::byte{0}; }))
    return corrupt("reserved bytes are not zero", reserved_at);
  f.member = f.kind == container_kind::packed ? member : f.kind;
  if (f.kind == container_kind::packed ? !has_blocks(member) : member != container_kind{})
    return corrupt("an impossible kind of members", 19);
  if (f.chunk_log != 12) return corrupt("chunks that are not 4096 bytes long", 17);
  if (f.sentinels > max_sentinels) return corrupt("more than 8 sentinels", 18);
  if (!(f.asked_fpr >= 0 && f.asked_fpr < 1))
    return corrupt("the asked rate lies outside 0 to 1", 48);
  // Nothing below can wrap: both are at most the length of the file.
  if (f.payload_bytes > file_size)
    return refused(errc::corrupt, "truncated: fewer bytes than the header promises",
                   file_size, static_cast<double>(f.payload_bytes),
                   static_cast<double>(file_size));
  if (f.payload_at != payload_place(f))
    return corrupt("the payload does not begin where it must", 72);
  if (f.file_bytes() != file_size)
    return refused(errc::corrupt,
                   file_size < f.file_bytes()
                       ? "truncated: fewer bytes than the header promises"
                       : "trailing bytes after the container",
                   std::min(file_size, f.file_bytes()),
                   static_cast<double>(f.file_bytes()), static_cast<double>(file_size));
  if (f.kind != container_kind::packed && f.ones > 8 * f.payload_bytes)
    return corrupt("more ones than bits", 88);
  if (auto ok = check_shape(f); !ok) return ok.error();
  return f;
}

result<container_facts> inspect(const char* path) noexcept {
  auto file = format::input_file::open(path);
  if (!file) return file.error();
  format::header_bytes head;
  const auto got = file->read(head);
  if (!got) return got.error();
  return inspect(std::span(head).first(*got), file->size());
}

}  // namespace bloomery::inline v1
