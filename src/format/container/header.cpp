#include "format/container/header.hpp"

#include <algorithm>
#include <bit>

#include <bloomery/kinds.hpp>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "base/crc32c.hpp"
#include "format/kind/blocks.hpp"
#include "format/kind/row.hpp"
#include "format/static_member.hpp"

namespace bloomery::format {
namespace {

constexpr std::size_t parameters_at = 100, crc_at = 124;
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

bool is_known(hash_id id) noexcept {
  return id >= hash_id::xxh3 && id <= hash_id::siphash13;
}

// In a packed set, the payload without the directory is whole blocks.
result<void> check_directory(const container_facts& f) noexcept {
  if (f.units == 0 || f.payload_bytes < 16 || f.units > f.payload_bytes / 8 - 1)
    return corrupt("more members than the payload has room for", 24);
  const std::uint64_t blocks_end = f.payload_bytes - 8 * (f.units + 1);
  if (f.payload_bytes % 8 != 0 || blocks_end % block_shape{1, f.profile}.block_bytes())
    return corrupt("members that are no whole blocks", 80);
  return {};
}

// The members of a packed set are of a kind that has blocks.
result<void> check_members(const container_facts& f) noexcept {
  if (auto ok = find_calls(f.member)->check_member(f); !ok) return ok;
  return check_directory(f);
}
bool may_be_member(container_kind set, container_kind k) noexcept {
  const kind_info* const info = find_kind(k);
  if (info == nullptr) return false;
  return set == container_kind::packed ? info->files.check_member != nullptr
                                       : info->can.has(capability::build);
}

// Each member of a packed set of static filters has an entry in the directory.
result<void> check_static_members(const container_facts& f) noexcept {
  if (auto ok = check_no_profile(f); !ok) return ok;
  if (f.hashes != 0) return corrupt("hashes of its own beside those of its members", 20);
  if (f.units == 0 || f.units > f.payload_bytes / static_member::entry_bytes)
    return corrupt("more members than the payload has room for", 24);
  if (f.payload_bytes % 8 != 0) return corrupt("members that are no whole words", 80);
  return {};
}

result<void> check_foreign(const container_facts& f) noexcept {
  if (auto ok = check_no_profile(f); !ok) return ok;
  if (f.hashes != 0) return corrupt("hashes of its own around another's bytes", 20);
  if (f.units != 0) return corrupt("units of its own around another's bytes", 24);
  return {};
}

// Hashes that a kind is defined with.
result<void> check_hash(const container_facts& f) noexcept {
  bool own_hash = f.kind == container_kind::foreign;
  hash_id own = hash_id::xxh3;  // of the sentinels
  if (const kind_calls* row = find_calls(f.member); row && !row->facts->any_hasher) {
    own_hash = true;
    own = row->facts->hasher().id();
  }
  if (own_hash && f.hash != own)
    return corrupt("not the hash that the kind is defined with", 16);
  if ((own_hash || f.hash == hash_id::fnv1a_splitmix || f.is_keyed()) && f.seed != 0)
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
      is_packed(f.kind) ? static_cast<std::uint8_t>(f.member) : 0));
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
  out.write(std::span<const std::byte>(f.parameters));
  out.write(base::crc32c(std::span(head).first(crc_at)));
  return head;
}

namespace {

// One sentence for each source: errors do not allocate.
const char* other_keys(key_source source) noexcept {
  switch (source) {
    case key_source::bytes:
      break;
    case key_source::integers:
      return "its keys are integers, and are to be read as integers";
    case key_source::hashes:
      return "its keys are hashes of its maker's own, and are to be read as hashes";
    case key_source::int32:
      return "its keys are int32, and are to be read as int32";
    case key_source::int32be:
      return "its keys are int32be, and are to be read as int32be";
    case key_source::int64be:
      return "its keys are int64be, and are to be read as int64be";
    case key_source::float32:
      return "its keys are float32, and are to be read as float32";
    case key_source::float64:
      return "its keys are float64, and are to be read as float64";
    case key_source::utf16:
      return "its keys are utf16, and are to be read as utf16";
  }
  return "its keys are bytes, and are to be read as bytes";
}

result<hasher> hash_of(const container_facts& f, const read_options& o) noexcept {
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

}  // namespace

result<hasher> hasher_of(const container_facts& f, const read_options& o) noexcept {
  const auto h = hash_of(f, o);
  if (!h) return h;
  if (f.source_at == 0) return h->of(o.source.value_or(key_source::bytes));
  if (o.source && *o.source != f.source)
    return refused(errc::incompatible, other_keys(f.source), f.source_at);
  return h->of(f.source);
}

result<void> check_shape(const container_facts& f) noexcept {
  if (auto ok = check_hash(f); !ok) return ok;
  if (f.kind == container_kind::foreign) return check_foreign(f);
  if (f.kind == container_kind::packed) return check_members(f);
  if (f.kind == container_kind::packed_static) return check_static_members(f);
  return find_calls(f.kind)->check(f);
}

}  // namespace bloomery::format

namespace bloomery::inline v1 {

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
  const kind_calls* const row = find_calls(f.kind);
  if (row == nullptr && f.kind != container_kind::foreign && !is_packed(f.kind))
    return refused(errc::unsupported, "a kind of filter this version does not know", 10,
                   static_cast<double>(f.kind));
  if (!is_known(f.hash))
    return refused(errc::unsupported, "a hash this version does not know", 16,
                   static_cast<double>(f.hash));
  const auto parameters = head.subspan(parameters_at, f.parameters.size());
  std::ranges::copy(parameters, f.parameters.begin());
  // An ignorable flag may say what the bytes hold that the kind does not use.
  const std::size_t used = row != nullptr ? row->facts->parameter_bytes : 0;
  if (f.flags == 0 && !std::ranges::all_of(parameters.subspan(used),
                                           [](std::byte b) { return b == std::byte{0}; }))
    return corrupt("reserved bytes are not zero", parameters_at);
  f.member = is_packed(f.kind) ? member : f.kind;
  if (is_packed(f.kind) ? !may_be_member(f.kind, member) : member != container_kind{})
    return corrupt("an impossible kind of members", 19);
  if (f.chunk_log != 12) return corrupt("chunks that are not 4096 bytes long", 17);
  if (f.sentinels > max_sentinels) return corrupt("more than 8 sentinels", 18);
  if (!is_recordable_rate(f.asked_fpr))
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
  if (!is_packed(f.kind) && f.ones > 8 * f.payload_bytes)
    return corrupt("more ones than bits", 88);
  if (row != nullptr && !row->facts->keeps_sentinels) {
    if (f.sentinels != 0) return corrupt("sentinels of a kind that keeps none", 18);
    if (f.keys != 0) return corrupt("a count of keys of a kind that keeps none", 64);
  }
  if (auto ok = check_shape(f); !ok) return ok.error();
  return f;
}

result<container_facts> inspect(const input_file& file) noexcept {
  format::header_bytes head;
  const auto got = file.read_at(0, head);
  if (!got) return got.error();
  return inspect(std::span(head).first(*got), file.size());
}

result<container_facts> inspect(path_ref path) noexcept {
  const auto file = input_file::open(path);
  if (!file) return file.error();
  return detail::of_file(path, inspect(*file));
}

}  // namespace bloomery::inline v1
