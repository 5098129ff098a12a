// FastFilter's xor_singleheader: xor and binary fuse filters, read, and built from all
// keys at once (fastfilter_build.hpp).
//
//   fuse8, fuse16   u64 seed | u32 keys | u32 segment length | u32 segments
//                   | u32 segments * length | u32 slots | slots fingerprints
//   packed8, ..16   u64 seed | u32 keys | a bit for every slot that is not 0
//                   | their fingerprints; the rest follows from the number of keys
//   xor8, xor16     u64 seed | u64 block length | 3 * block length fingerprints
//
// Keys are 64-bit numbers: given as 8 bytes (key_form::integer), or XXH64 of the bytes.
// h = fmix64(key + seed).  A key may be present if its fingerprint, the low bits of
// h ^ h >> 32, is the exclusive or of the three slots it has.
//
// No magic, no version: the length and the numbers before the fingerprints give the
// variant, unless they fit several.
#include <bit>
#include <cmath>
#include <optional>

#include <bloomery/detail/hash/mix.hpp>
#include "base/byte_reader.hpp"
#include "base/multiply.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/fastfilter_build.hpp"
#include "format/dialect/fastfilter_rank.hpp"
#include "hash/load.hpp"
#include "hash/xxh.hpp"

namespace bloomery::format {
namespace {

constexpr std::size_t fuse_header = 28, packed_header = 12, xor_header = 16;

// In layout::number.  `segment` is the block length of a xor filter; `bitmap` the bytes
// of the bitmap, 0 if there is none; the sums of the bitmap's rank end the array.
enum : std::size_t { segment, slots, bitmap, first_sum };
static_assert(first_sum + sampled_rank::samples <= std::size(layout{}.number));

bool is_xor(const layout& l) noexcept { return l.variant[0] == 'x'; }
bool is_packed(const layout& l) noexcept { return l.number[bitmap] != 0; }
std::uint64_t width_of(std::string_view variant) noexcept {
  return variant.back() == '6' ? 2 : 1;
}

layout start(const char* variant, const foreign_options& o) noexcept {
  layout l;
  l.variant = variant;
  l.form = o.form;
  l.hash = o.form == key_form::integer ? "fmix64" : "xxh64";
  l.hashes = 3;
  l.cells_are_bits = false;
  return l;
}

result<layout> inspect_fuse(const char* variant, std::span<const std::byte> bytes,
                            const foreign_options& o) noexcept {
  base::byte_reader in(bytes);
  layout l = start(variant, o);
  l.seed = in.read<std::uint64_t>();
  l.capacity = in.read<std::uint32_t>();
  const std::uint64_t length = in.read<std::uint32_t>();
  const std::uint64_t count = in.read<std::uint32_t>();
  const std::uint64_t product = in.read<std::uint32_t>();
  const std::uint64_t all = in.read<std::uint32_t>();
  if (!in.ok()) return too_short(bytes.size(), fuse_header);
  // A slot stays inside its segment only if the length is a power of two.
  if (!std::has_single_bit(length))
    return damaged("the segment length is not a power of two", 12);
  if (count == 0) return damaged("no segments", 16);
  if (product != count * length)
    return damaged("not the number of segments times their length", 20);
  if (all != product + 2 * length)
    return damaged("the number of slots is not that of two segments more", 24);
  const std::uint64_t width = width_of(variant);
  if (auto ok = check_length(bytes.size(), fuse_header, all, width); !ok)
    return ok.error();
  l.at = fuse_header;
  l.length = all * width;
  l.bits = 8 * l.length;
  l.number[segment] = length;
  l.number[slots] = all;
  return l;
}

result<layout> inspect_packed(const char* variant, std::span<const std::byte> bytes,
                              const foreign_options& o) noexcept {
  base::byte_reader in(bytes);
  layout l = start(variant, o);
  l.seed = in.read<std::uint64_t>();
  const auto n = in.read<std::uint32_t>();
  if (!in.ok()) return too_short(bytes.size(), packed_header);
  l.capacity = n;
  const fuse_size size = fastfilter_fuse_size(n);  // n is all that it records
  l.number[segment] = size.segment;
  l.number[slots] = size.slots;
  if (l.number[slots] > 0xffffffff)
    return damaged("more keys than the slots can be numbered for", 8);
  l.number[bitmap] = base::bytes_for_bits(l.number[slots]);
  if (l.number[bitmap] > in.left())
    return damaged("truncated: fewer bytes than the bitmap has", bytes.size());
  const std::uint64_t ones =
      sampled_rank::sample(bytes.subspan(packed_header, l.number[bitmap]),
                           l.number[slots], &l.number[first_sum]);
  if (auto ok = check_length(bytes.size(), packed_header + l.number[bitmap], ones,
                             width_of(variant));
      !ok)
    return ok.error();
  l.at = packed_header;
  l.length = bytes.size() - packed_header;
  l.read_by_lookup = l.number[bitmap] / 32;  // a rank reads up to a sixth, but fast
  l.bits = 8 * l.length;
  return l;
}

result<layout> inspect_xor(const char* variant, std::span<const std::byte> bytes,
                           const foreign_options& o) noexcept {
  base::byte_reader in(bytes);
  layout l = start(variant, o);
  l.seed = in.read<std::uint64_t>();
  const auto block = in.read<std::uint64_t>();
  if (!in.ok()) return too_short(bytes.size(), xor_header);
  // The owner reduces a hash to 32 bits of it.
  if (block == 0 || block > 0xffffffff)
    return damaged("the block length is not between 1 and 2^32 - 1", 8);
  const std::uint64_t width = width_of(variant);
  if (auto ok = check_length(bytes.size(), xor_header, 3 * block, width); !ok)
    return ok.error();
  l.at = xor_header;
  l.length = 3 * block * width;
  l.bits = 8 * l.length;
  l.number[segment] = block;
  l.number[slots] = 3 * block;
  return l;
}

struct form {
  const char* variant;
  result<layout> (*inspect)(const char*, std::span<const std::byte>,
                            const foreign_options&) noexcept;
};
constexpr form forms[] = {{"fuse8", inspect_fuse},     {"fuse16", inspect_fuse},
                          {"packed8", inspect_packed}, {"packed16", inspect_packed},
                          {"xor8", inspect_xor},       {"xor16", inspect_xor}};

result<layout> inspect(std::span<const std::byte> bytes,
                       const foreign_options& o) noexcept {
  for (const form& f : forms)
    if (o.variant == f.variant) return f.inspect(f.variant, bytes, o);
  std::optional<layout> fits;
  for (const form& f : forms) {
    const auto l = f.inspect(f.variant, bytes, o);
    if (!l) continue;
    // A packed filter of no fingerprints has the same bytes in both widths; 8 bits find
    // whatever 16 do.
    const bool same = fits && is_packed(*fits) && is_packed(*l);
    if (fits && !same) return missing("the bytes fit several variants: give one");
    if (!same) fits = *l;
  }
  if (!fits) return damaged("the numbers and the length fit no variant", 0);
  return *fits;
}

likeness could_be(std::span<const std::byte> bytes) noexcept {
  for (const form& f : forms)
    if (f.inspect(f.variant, bytes, {})) return likeness::possible;
  return likeness::no;
}

// --- asking ---

struct three {
  std::uint64_t slot[3];
};

// All are below l.number[slots].
three slots_of(const layout& l, std::uint64_t h) noexcept {
  const std::uint64_t length = l.number[segment];
  if (is_xor(l)) {  // one in each of three blocks
    const auto within = [&](int rotation) noexcept {
      return (std::rotl(h, rotation) & 0xffffffff) * length >> 32;
    };
    return {{within(0), within(21) + length, within(42) + 2 * length}};
  }
  // One in each of three adjacent segments.
  const std::uint64_t first = base::multiply_high(h, l.number[slots] - 2 * length);
  const std::uint64_t mask = length - 1;
  return {
      {first, (first + length) ^ (h >> 18 & mask), (first + 2 * length) ^ (h & mask)}};
}

// Exclusive or of the fingerprints; false: bytes it needs are damaged.
bool add_fingerprint(const image& from, std::uint64_t place, std::uint64_t width,
                     std::uint64_t& sum) noexcept {
  if (!from.whole(place, width)) return false;
  base::byte_reader in(from.bytes.subspan(place, width));
  sum ^= width == 1 ? in.read<std::uint8_t>() : in.read<std::uint16_t>();
  return true;
}

bool fingerprint_of(const layout& l, const image& from, const three& at,
                    std::uint64_t& sum) noexcept {
  const std::uint64_t width = width_of(l.variant);
  for (const std::uint64_t slot : at.slot)
    if (!add_fingerprint(from, l.at + width * slot, width, sum)) return false;
  return true;
}

bool packed_fingerprint_of(const layout& l, const image& from, const three& at,
                           std::uint64_t& sum) noexcept {
  const std::uint64_t width = width_of(l.variant);
  const auto map = from.bytes.subspan(l.at, l.number[bitmap]);
  const sampled_rank rank(map, l.number[slots], &l.number[first_sum]);
  for (const std::uint64_t slot : at.slot) {
    // Every bit before it counts.
    if (!from.whole(l.at, slot / 8 + 1)) return false;
    const auto byte = static_cast<unsigned>(map[slot / 8]);
    if ((byte >> (slot % 8) & 1) == 0) continue;  // a fingerprint of 0
    const std::uint64_t place = l.at + map.size() + width * rank.before(slot);
    if (!add_fingerprint(from, place, width, sum)) return false;
  }
  return true;
}

bool is_key(key_form form, std::string_view key) noexcept {
  return form != key_form::integer || key.size() == 8;
}
// REQUIRES: is_key(form, key)
std::uint64_t number_of(key_form form, std::string_view key) noexcept {
  return form == key_form::integer ? hash::load_le(key, 0) : hash::xxh64(key, 0);
}

bool may_contain(const layout& l, const image& from, std::string_view key) noexcept {
  if (!is_key(l.form, key)) return true;  // no such key could have been added
  const std::uint64_t h = hash::fmix64(number_of(l.form, key) + l.seed);
  const three at = slots_of(l, h);
  std::uint64_t sum = 0;
  if (!(is_packed(l) ? packed_fingerprint_of(l, from, at, sum)
                     : fingerprint_of(l, from, at, sum)))
    return true;
  const std::uint64_t mask = width_of(l.variant) == 2 ? 0xffff : 0xff;
  return ((h ^ h >> 32) & mask) == sum;
}

census count(const layout& l, const image& from) noexcept {
  const std::uint64_t width = width_of(l.variant), begin = l.at + l.number[bitmap];
  std::uint64_t taken = 0;
  for (std::uint64_t at = begin; at < l.at + l.length; at += width) {
    bool any = false;
    for (std::uint64_t i = 0; i < width; ++i) any |= from.bytes[at + i] != std::byte{0};
    taken += any;
  }
  census c;
  c.cells = static_cast<double>(l.number[slots]);
  c.occupied = static_cast<double>(taken);
  // A xor filter of n keys has 32 + 1.23 n slots and does not say n.
  c.keys =
      is_xor(l) ? std::max(0.0, (c.cells - 32) / 1.23) : static_cast<double>(l.capacity);
  c.fpr = std::exp2(-8.0 * static_cast<double>(width));
  return c;
}

result<pages> build(const foreign_params& p,
                    std::span<const std::string_view> keys) noexcept {
  auto memory = pages::make(8 * keys.size());
  if (!memory) return memory.error();
  const std::span<std::uint64_t> numbers(reinterpret_cast<std::uint64_t*>(memory->data()),
                                         keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!is_key(p.form, keys[i]))
      return error{errc::invalid_argument, "an integer key has 8 bytes", 0,
                   static_cast<double>(keys[i].size()), 8};
    numbers[i] = number_of(p.form, keys[i]);
  }
  return build_fastfilter(p.variant.empty() ? forms[0].variant : p.variant, numbers);
}

}  // namespace

constinit const dialect fastfilter_dialect{
    .facts = {.name = "fastfilter",
              .summary = "xor and binary fuse filters of xor_singleheader",
              .hash = "xxh64",
              .variants = "fuse8 fuse16 packed8 packed16 xor8 xor16",
              .needs = "",
              .writes = false,
              .integers = number_keys::sign_extended,
              .texts = false,
              .builds = true},
    .could_be = could_be,
    .inspect = inspect,
    .may_contain = may_contain,
    .count = count,
    .build = build,
};

}  // namespace bloomery::format
