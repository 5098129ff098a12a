// nori: the filters of nori-sstable, a Rust key-value store.  The Bloom section:
//
//    0  u32  k, hashes, at least 1
//    4  u64  m, bits; 0: made for no keys, matches nothing
//   12  ..   ceil(m / 8) bytes, bits LSB-first
//
// h1 = XXH64(key, 0); h2 = XXH64(key, 1); bit i = (h1 + i h2) mod m.  The writer of today
// takes a power of two for m and masks, which is the same; the one before it took
// m = n * bits per key.  The header is that of the portable filter: only the user knows.
//
// The quotient filters of newer tables: nori_quotient.cpp; the tables: nori_sstable.cpp.
#include "format/dialect/nori.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "base/bits.hpp"
#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/excerpt.hpp"
#include "format/dialect/probes.hpp"
#include "hash/xxh.hpp"

namespace bloomery::format {
namespace nori {
namespace {

struct rule {
  template <class Visit>
  static bool walk(const layout& l, std::string_view key, Visit visit) noexcept {
    return arithmetic_walk(
        hash::xxh64(key, 0), hash::xxh64(key, 1), probes_of(l),
        [&](std::uint64_t h) noexcept { return h % l.bits; }, visit);
  }
};

// What today's writer makes: a power of two, or nothing.
constexpr bool masks(std::uint64_t m) noexcept { return (m & (m - 1)) == 0; }

result<layout> inspect(std::span<const std::byte> bytes,
                       const foreign_options& o) noexcept {
  result<layout> l = error{errc::invalid_argument, "the dialect has no such variant"};
  if (o.variant == "sstable" || (o.variant.empty() && is_sstable(bytes)))
    l = inspect_sstable(bytes, o.part);
  else if (o.variant == "quotient")
    l = inspect_quotient(bytes);
  else if (o.variant.empty() || o.variant == "current" || o.variant == "old-mod")
    l = inspect_bloom(bytes, o.variant);
  if (!l) return l;
  l->part = o.part;
  return l;
}

likeness could_be(std::span<const std::byte> bytes) noexcept {
  if (is_sstable(bytes)) return likeness::certain;
  return inspect_bloom(bytes, {}) || inspect_quotient(bytes) ? likeness::possible
                                                             : likeness::no;
}

bool may_contain(const layout& l, const image& from, std::string_view key) noexcept {
  if (l.number[kind] == blocks) return blocks_may_contain(l, from, key);
  if (l.number[kind] == bloom) return bloom_may_contain<rule>(l, from, key);
  return !from.whole(l.at, l.length) || quotient_holds(from.bytes, hash::xxh64(key, 0));
}

census count(const layout& l, const image& from) noexcept {
  if (l.number[kind] == blocks) return blocks_count(l, from);
  if (l.number[kind] == bloom) return bloom_count(l, from);
  return quotient_count(quotient_of(from.bytes));
}

foreign_filter::part_facts part(const layout& l, const image& from,
                                std::uint64_t i) noexcept {
  if (l.number[kind] == blocks) return block_part(l, from, i);
  return only_part(l);
}

// Bits per key are whole numbers here, and the hashes follow from them.
struct section_size {
  double bits_per_key, bits, hashes;
};

section_size size_for(const foreign_params& p, bool power_of_two) noexcept {
  constexpr double ln2 = std::numbers::ln2;
  const double n = static_cast<double>(p.keys);
  section_size s{};
  s.bits_per_key = p.bits_per_key          ? std::ceil(*p.bits_per_key)
                   : p.fpr                 ? std::ceil(-std::log(*p.fpr) / (ln2 * ln2))
                   : p.bits && p.keys != 0 ? static_cast<double>(*p.bits) / n
                                           : 10;
  s.hashes = p.hashes ? static_cast<double>(*p.hashes)
                      : std::max(1.0, std::ceil(s.bits_per_key * 0.693));
  s.bits = p.bits ? static_cast<double>(*p.bits) : n * s.bits_per_key;
  if (!p.bits && power_of_two && s.bits <= max_bits)
    s.bits = s.bits < 1
                 ? 0
                 : static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(s.bits)));
  return s;
}

result<pages> make(const foreign_params& p) noexcept {
  if (p.variant == "sstable" || p.variant == "quotient")
    return error{errc::unsupported, "filters of this form are read, not written"};
  // A filter for no keys is the owner's, too: m = 0.
  foreign_params asked = p;
  if (!p.bits) asked.keys = std::max<std::uint64_t>(p.keys, 1);
  if (auto ok = check_request(asked); !ok) return ok.error();
  if (p.bits && p.keys == 0 && !p.hashes)
    return missing("bits without a number of keys: give the number of hashes, too");
  const bool power_of_two = p.variant != "old-mod";
  const auto wanted = size_for(p, power_of_two);
  const auto size = checked_size(std::max(wanted.bits, 1.0), wanted.hashes);
  if (!size) return size.error();
  const std::uint64_t m = wanted.bits < 1 ? 0 : size->bits;
  if (power_of_two && !masks(m))
    return error{errc::invalid_argument,
                 "the number of bits must be a power of two, except in old-mod", 0,
                 wanted.bits, static_cast<double>(std::bit_ceil(m))};
  auto image = pages::make(bloom_header + base::bytes_for_bits(m));
  if (!image) return image;
  base::byte_writer out(image->bytes());
  out.write(size->hashes);
  out.write(m);
  return image;
}

result<void> insert(layout& l, pages& to, std::string_view key) noexcept {
  if (std::string_view(l.variant) == "sstable")
    return error{errc::unsupported, "the filter in an SSTable is read, not changed"};
  if (l.bits == 0)
    return error{errc::unattainable, "a filter made for no keys holds none"};
  return bloom_insert<rule>(l, to, key);
}

// A section is also what remains of a table without its data.
result<pages> encode(const layout& l, const image& from,
                     std::string_view variant) noexcept {
  if (variant == l.variant) return copied(from.bytes);
  if (variant == "quotient" && l.number[kind] == blocks && l.number[part_size] != 0)
    return copied(from.bytes.subspan(l.number[part_at], l.number[part_size]));
  if (l.number[kind] != bloom || variant == "sstable" || variant == "quotient")
    return no_such_form();
  if (variant == "current" && !masks(l.bits))
    return error{errc::unsupported, "m is not a power of two: only old-mod reads it"};
  return copied(from.bytes.subspan(l.at - bloom_header, bloom_header + l.length));
}

}  // namespace

result<layout> inspect_bloom(std::span<const std::byte> bytes,
                             std::string_view variant) noexcept {
  base::byte_reader in(bytes);
  const auto k = in.read<std::uint32_t>();
  const auto m = in.read<std::uint64_t>();
  if (!in.ok()) return too_short(bytes.size(), bloom_header);
  if (k == 0 && m != 0) return damaged("the number of hashes (k) is 0", 0);
  if (variant == "current" && !masks(m))
    return damaged("m is not a power of two, as the current writer makes it", 4);
  if (auto ok = check_length(bytes.size(), bloom_header, base::bytes_for_bits(m), 1); !ok)
    return ok.error();
  layout l;
  l.variant = masks(m) && variant != "old-mod" ? "current" : "old-mod";
  l.hash = "xxh64";
  l.at = bloom_header;
  l.length = base::bytes_for_bits(m);
  l.bits = m;
  l.hashes = k;
  l.number[kind] = bloom;
  return l;
}

}  // namespace nori

constinit const dialect nori_dialect{
    .facts = {.name = "nori",
              .summary =
                  "nori-sstable (Rust): its Bloom section, tables, quotient filters",
              .hash = "xxh64",
              .variants = "current old-mod sstable (r) quotient (r)",
              .needs = "",
              .writes = true,
              .integers = number_keys::plain,
              .texts = false},
    .could_be = nori::could_be,
    .inspect = nori::inspect,
    .may_contain = nori::may_contain,
    .count = nori::count,
    .part = nori::part,
    .make = nori::make,
    .insert = nori::insert,
    .encode = nori::encode,
};

}  // namespace bloomery::format
