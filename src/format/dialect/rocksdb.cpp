// RocksDB: a whole table (rocksdb_sst.hpp), or the "full filter" of one, known by the
// last 5 bytes.
//
//   ff 00 k 00 00   fastlocal: lines of 64 bytes; k probes in the low 5 bits
//   k  u32 lines    legacy, k = 1 .. 127: lines of length / lines bytes, a power of two
//   fe seed u24     ribbon: a seed and the number of blocks (rocksdb_ribbon.hpp)
//
// fastlocal: H = XXPH3(key); line = lo32(H) * lines >> 32; x = hi32(H); then k times: bit
// x >> 23 of the line; x *= 0x9e3779b9.
// legacy: h = RocksDB's 32-bit hash; line = h mod lines; then k times: the low bits of h
// name a bit of the line; h += h0 rotated right by 17.
//
// The owner's reader defines an answer for other trailers: no more bytes than the trailer
// match nothing; whatever is reserved matches everything, so that newer filters are safe
// with older readers.  What no reader could have meant is refused: cells that are no
// whole number of lines or segments.
#include <bit>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/excerpt.hpp"
#include "format/dialect/probes.hpp"
#include "format/dialect/rocksdb_full.hpp"
#include "format/dialect/rocksdb_ribbon.hpp"
#include "format/dialect/rocksdb_size.hpp"
#include "format/dialect/rocksdb_sst.hpp"
#include "format/dialect/rocksdb_table.hpp"
#include "hash/leveldb.hpp"
#include "hash/xxph3.hpp"

namespace bloomery::format {
namespace {

constexpr std::size_t trailer = 5;

// In layout::number, of the two Bloom filters; the ribbon has its own.
enum : std::size_t { lines, line_bits };

struct fastlocal_rule {
  template <class Visit>
  static bool walk(const layout& l, std::string_view key, Visit visit) noexcept {
    const std::uint64_t hash = hash::xxph3(key);
    const std::uint64_t line = (hash & 0xffffffff) * l.number[lines] >> 32;
    auto x = static_cast<std::uint32_t>(hash >> 32);
    for (std::uint32_t i = 0; i < l.hashes; ++i, x *= 0x9e3779b9)
      if (!visit(line * l.number[line_bits] + (x >> 23))) return false;
    return true;
  }
};

struct legacy_rule {
  template <class Visit>
  static bool walk(const layout& l, std::string_view key, Visit visit) noexcept {
    std::uint32_t h = hash::rocksdb32(key);
    const std::uint32_t delta = std::rotr(h, 17);
    const std::uint64_t line = h % l.number[lines], mask = l.number[line_bits] - 1;
    for (std::uint32_t i = 0; i < l.hashes; ++i, h += delta)
      if (!visit(line * l.number[line_bits] + (h & mask))) return false;
    return true;
  }
};

bool is_ribbon(const layout& l) noexcept { return l.variant[0] == 'r'; }
bool is_legacy(const layout& l) noexcept { return l.variant[0] == 'l'; }

const char* variant_of(unsigned code) noexcept {
  return code == 0xfe ? "ribbon" : code >= 1 && code <= 0x7f ? "legacy" : "fastlocal";
}

result<layout> inspect_fastlocal(layout l, std::span<const std::byte> tail) noexcept {
  const unsigned block_and_probes = static_cast<unsigned>(tail[2]);
  l.hash = "xxph3";
  l.hashes = block_and_probes & 31;
  const bool reserved = tail[1] != std::byte{0} || block_and_probes >> 5 != 0 ||
                        l.hashes < 1 || l.hashes > rocksdb_size::max_hashes ||
                        tail[3] != std::byte{0} || tail[4] != std::byte{0};
  if (reserved) {
    l.answer = layout::constant::always;
    return l;
  }
  l.number[lines] = l.length / rocksdb_size::line;
  l.number[line_bits] = 8 * rocksdb_size::line;
  if (l.length % rocksdb_size::line != 0)
    return damaged("not a whole number of 64-byte lines",
                   l.number[lines] * rocksdb_size::line);
  return l;
}

layout inspect_legacy(layout l, std::span<const std::byte> tail) noexcept {
  const auto count = base::byte_reader(tail.subspan(1)).read<std::uint32_t>();
  l.hash = "rocksdb32";
  l.hashes = static_cast<std::uint32_t>(tail[0]);
  if (count == 0 || l.length % count != 0 || !std::has_single_bit(l.length / count)) {
    l.answer = layout::constant::always;
    return l;
  }
  l.number[lines] = count;
  l.number[line_bits] = 8 * (l.length / count);
  return l;
}

result<layout> inspect_ribbon(layout l, std::span<const std::byte> tail) noexcept {
  base::byte_reader in(tail.subspan(1));
  l.hash = "xxph3";
  l.seed = in.read<std::uint8_t>();
  const std::uint64_t low = in.read<std::uint16_t>();
  const std::uint64_t blocks = low | std::uint64_t{in.read<std::uint8_t>()} << 16;
  if (blocks < 2) {
    l.answer = layout::constant::always;
    return l;
  }
  if (const auto ok = ribbon_inspect(l, blocks); !ok) return ok.error();
  return l;
}

}  // namespace

result<layout> rocksdb_inspect(std::span<const std::byte> bytes,
                               std::string_view variant) noexcept {
  layout l;
  const auto tail = bytes.last(std::min(bytes.size(), trailer));
  const unsigned code = tail.size() < trailer ? 0xff : static_cast<unsigned>(tail[0]);
  l.variant = variant_of(code);
  l.hash = is_legacy(l) ? "rocksdb32" : "xxph3";
  if (bytes.size() <= trailer) {
    l.answer = layout::constant::never;
    l.hashes = tail.size() < trailer ? 0
               : is_legacy(l)        ? code
                                     : static_cast<std::uint32_t>(tail[2]) & 31;
    return l;
  }
  l.length = bytes.size() - trailer;
  l.bits = 8 * l.length;
  const bool known = code == 0xff || code == 0xfe || is_legacy(l);
  if (known && !variant.empty() && variant != l.variant)
    return missing("the trailer is that of another variant");
  if (!known) {
    l.answer = layout::constant::always;
    return l;
  }
  if (is_legacy(l)) return inspect_legacy(l, tail);
  return is_ribbon(l) ? inspect_ribbon(l, tail) : inspect_fastlocal(l, tail);
}

bool rocksdb_may_contain(const layout& l, const image& from,
                         std::string_view key) noexcept {
  if (l.answer != layout::constant::none) return l.answer == layout::constant::always;
  if (is_ribbon(l)) return ribbon_may_contain(l, from, key);
  return is_legacy(l) ? bloom_may_contain<legacy_rule>(l, from, key)
                      : bloom_may_contain<fastlocal_rule>(l, from, key);
}

census rocksdb_count(const layout& l, const image& from) noexcept {
  if (is_ribbon(l) && l.answer == layout::constant::none) return ribbon_count(l);
  return bloom_count(l, from);
}

namespace {

result<layout> inspect(std::span<const std::byte> bytes,
                       const foreign_options& o) noexcept {
  if (o.variant == "table" || (o.variant.empty() && rocksdb_table::is_one(bytes)))
    return inspect_sst(bytes, o.part);
  return rocksdb_inspect(bytes, o.variant);
}

// Trailers that mean a constant could be the end of any file.
likeness could_be(std::span<const std::byte> bytes) noexcept {
  if (rocksdb_table::is_one(bytes)) return likeness::certain;
  const auto l = rocksdb_inspect(bytes, {});
  return l && l->answer == layout::constant::none ? likeness::possible : likeness::no;
}

bool may_contain(const layout& l, const image& from, std::string_view key) noexcept {
  return is_sst(l) ? sst_may_contain(l, from, key) : rocksdb_may_contain(l, from, key);
}

census count(const layout& l, const image& from) noexcept {
  return is_sst(l) ? sst_count(l, from) : rocksdb_count(l, from);
}

double rate(const layout& l, const image& from) noexcept {
  return is_sst(l) ? sst_rate(l, from) : -1;
}

foreign_filter::part_facts part(const layout& l, const image& from,
                                std::uint64_t i) noexcept {
  return is_sst(l) ? sst_part(l, from, i) : only_part(l);
}

foreign_filter::table_facts table(const layout& l, const image& from) noexcept {
  return is_sst(l) ? sst_facts(l, from) : foreign_filter::table_facts();
}

result<pages> make(const foreign_params& p) noexcept {
  if (p.variant == "table")
    return error{errc::unsupported, "tables are read, not written"};
  if (p.variant == "ribbon")
    return error{errc::unsupported, "ribbon filters are read, not written"};
  const bool legacy = p.variant == "legacy";
  const auto size = rocksdb_size_for(p, legacy);
  if (!size) return size.error();
  const std::uint64_t cells = rocksdb_size::line * size->lines;
  auto image = pages::make(cells + trailer);
  if (!image) return image;
  base::byte_writer out(image->bytes().subspan(cells));
  if (legacy) {
    out.write(static_cast<std::uint8_t>(size->hashes));
    out.write(static_cast<std::uint32_t>(size->lines));
  } else {
    out.write(std::uint16_t{0x00ff});
    out.write(static_cast<std::uint8_t>(size->hashes));
    out.write(std::uint16_t{0});
  }
  return image;
}

result<void> insert(layout& l, pages& to, std::string_view key) noexcept {
  if (l.answer == layout::constant::always) return {};
  if (l.answer == layout::constant::never)
    return error{errc::unattainable, "the filter has no bits to set"};
  return is_legacy(l) ? bloom_insert<legacy_rule>(l, to, key)
                      : bloom_insert<fastlocal_rule>(l, to, key);
}

}  // namespace

constinit const dialect rocksdb_dialect{
    .facts = {.name = "rocksdb",
              .summary = "RocksDB's full filter of a table, or a table (.sst)",
              .hash = "xxph3",
              .variants = "fastlocal legacy ribbon (r) table (r)",
              .needs = "",
              .writes = true,
              .integers = number_keys::plain,
              .texts = false},
    .could_be = could_be,
    .inspect = inspect,
    .may_contain = may_contain,
    .count = count,
    .rate = rate,
    .part = part,
    .table = table,
    .make = make,
    .insert = insert,
};

}  // namespace bloomery::format
