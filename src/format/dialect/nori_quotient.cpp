// nori's quotient filter: fingerprints in an open hash table, written slot by slot.
//
//    0  u8   1
//    1  u8   q; 0 if there are no slots
//    2  u8   r, at most 16
//    3  u32  fingerprints
//    7  u32  slots = 2^q
//   11  ..   a slot: 00, or 01, u32 quotient, u16 remainder
//
// h = XXH64(key, 0); the quotient is its top q bits, the remainder the next r.  A
// fingerprint lies in slot `quotient` or, wrapping round, in the first free one after it;
// its owner looks no further than the first empty slot.  Slots differ in length, so we
// read all of them: what the owner finds is among them.
//
// The owner drops keys without a word once every slot is taken: such a filter denies
// nothing here.
#include <cmath>

#include "base/byte_reader.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/nori.hpp"

namespace bloomery::format::nori {
namespace {

constexpr std::size_t header = 11;
constexpr unsigned max_quotient_bits = 31;  // slots is a u32
constexpr unsigned max_remainder_bits = 16;

struct fields {
  std::uint8_t version, q, r;
  std::uint32_t taken, slots;
};

fields read_fields(base::byte_reader& in) noexcept {
  fields f;
  f.version = in.read<std::uint8_t>();
  f.q = in.read<std::uint8_t>();
  f.r = in.read<std::uint8_t>();
  f.taken = in.read<std::uint32_t>();
  f.slots = in.read<std::uint32_t>();
  return f;
}

}  // namespace

result<quotient_facts> read_quotient(std::span<const std::byte> section,
                                     std::uint64_t base) noexcept {
  base::byte_reader in(section);
  const fields f = read_fields(in);
  if (!in.ok()) return too_short(base + section.size(), base + header);
  if (f.version == 2)
    return error{errc::unsupported, "a compact quotient filter, which no table holds",
                 base};
  if (f.version != 1) return damaged("no version of a quotient filter", base);
  if (f.q > max_quotient_bits) return damaged("too many quotient bits", base + 1);
  if (f.r > max_remainder_bits) return damaged("too many remainder bits", base + 2);
  if (f.slots != (f.q == 0 ? 0 : std::uint32_t{1} << f.q))
    return damaged("the number of slots is not 2 to the quotient bits", base + 7);
  if (f.slots > in.left())
    return damaged("truncated: fewer slots than the header promises",
                   base + section.size());
  std::uint64_t taken = 0;
  for (std::uint32_t i = 0; i < f.slots; ++i) {
    const std::uint64_t at = base + in.offset();
    const auto mark = in.read<std::uint8_t>();
    if (mark > 1) return damaged("a slot neither empty nor taken", at);
    if (mark == 0 && in.ok()) continue;
    const auto quotient = in.read<std::uint32_t>();
    const auto remainder = in.read<std::uint16_t>();
    if (!in.ok())
      return damaged("truncated: fewer slots than the header promises",
                     base + section.size());
    if (quotient >= f.slots || remainder >> f.r != 0)
      return damaged("a fingerprint of more bits than the header says", at + 1);
    ++taken;
  }
  if (in.left() != 0)
    return damaged("trailing bytes after the filter", base + in.offset());
  if (taken != f.taken)
    return damaged("the number of fingerprints is not that of the taken slots", base + 3);
  return quotient_facts{f.slots, taken, unsigned{f.q} + f.r};
}

quotient_facts quotient_of(std::span<const std::byte> section) noexcept {
  base::byte_reader in(section);
  const fields f = read_fields(in);
  return {f.slots, f.taken, unsigned{f.q} + f.r};
}

bool quotient_holds(std::span<const std::byte> section, std::uint64_t h) noexcept {
  base::byte_reader in(section);
  const fields f = read_fields(in);
  if (f.slots == 0) return false;
  if (f.taken == f.slots) return true;
  const std::uint64_t quotient = h >> (64 - f.q);
  const std::uint64_t remainder =
      (h >> (64 - f.q - f.r)) & ((std::uint64_t{1} << f.r) - 1);
  for (std::uint32_t i = 0; i < f.slots; ++i) {
    if (in.read<std::uint8_t>() == 0) continue;
    const std::uint64_t q = in.read<std::uint32_t>(), r = in.read<std::uint16_t>();
    if (q == quotient && r == remainder) return true;
  }
  return !in.ok();  // never, once checked
}

census quotient_count(const quotient_facts& f) noexcept {
  census c;
  c.cells = static_cast<double>(f.slots);
  c.occupied = c.keys = static_cast<double>(f.taken);
  c.fpr = f.full() ? 1
                   : -std::expm1(c.occupied *
                                 std::log1p(-std::exp2(-double{1} * f.fingerprint_bits)));
  if (f.slots == 0) c.fpr = 0;
  return c;
}

result<layout> inspect_quotient(std::span<const std::byte> bytes) noexcept {
  const auto f = read_quotient(bytes, 0);
  if (!f) return f.error();
  layout l;
  l.variant = "quotient";
  l.hash = "xxh64";
  l.at = header;
  l.length = bytes.size() - header;
  l.bits = f->slots;
  l.hashes = 1;
  l.cells_are_bits = false;
  l.read_by_lookup = l.length;
  l.number[kind] = quotient;
  return l;
}

}  // namespace bloomery::format::nori
