// RedisBloom's BF: a chain of Bloom filters, each larger and stricter than the last.
//
//    0  u64  size, keys counted in all links
//    8  u32  links
//   12  u32  options: 1 no rounding to a power of two, 2 entries are given as log2 of
//            the bits, 4 64-bit hash, 8 never grows
//   16  u32  growth
//   20  ..   for each link, 53 bytes:
//              u64 bytes | u64 bits | u64 size | f64 error | f64 bits per key |
//              u32 k | u64 entries | u8 log2 of the modulus, or 0
//    .  ..   the bits of the links, LSB-first, one after the other
//
// Option 4: a = murmur64A(key, 0xc6a4a7935bd1e995), b = murmur64A(key, a); otherwise the
// same with murmur2_32 and 0x9747b28c.  Bit i = (a + i b mod 2^64) mod M; M is the power
// of two, or all the bits of the link.
#include <cmath>
#include <cstdio>

#include "format/dialect/check.hpp"
#include "format/dialect/redis_link.hpp"
#include "format/dialect/redisbloom.hpp"

namespace bloomery::format::redis {
namespace {

// By the bits that decide how it is queried first; combinations that no command makes
// count as the nearest.
const char* variant_of(std::uint64_t flags) noexcept {
  if ((flags & force64) == 0) return "legacy32";
  if ((flags & no_round) == 0) return "legacy64";
  return (flags & no_scaling) != 0 ? "nonscaling" : "scaling";
}

}  // namespace

result<void> check_link(const link& k, std::uint64_t at) noexcept {
  if (k.bits == 0 || k.bits % 8 != 0 || k.bits / 8 != k.bytes)
    return damaged("the bits of a link are not 8 times its bytes", at + 8);
  if (!(k.error > 0 && k.error < 1))
    return damaged("the rate of a link is not between 0 and 1", at + 24);
  if (std::ceil(ln2 * k.bits_per_key) != static_cast<double>(k.hashes))
    return damaged("the hashes of a link are not those of its bits per key", at + 40);
  if (k.log2 > 63 || (k.log2 != 0 && k.bits < std::uint64_t{1} << k.log2))
    return damaged("the modulus of a link is larger than the link", at + 52);
  return {};
}

result<layout> inspect_chain(std::span<const std::byte> bytes) noexcept {
  layout l;
  std::uint64_t total = 0;
  const auto visit = [&](const chain_head& h, const link& k) noexcept -> result<void> {
    l.at = chain_header + link_header * h.links;
    if (k.bytes > bytes.size() - l.at - total)
      return damaged("truncated: fewer bytes than the header promises", bytes.size());
    if (total == 0) l.hashes = k.hashes;
    total += k.bytes;
    l.bits += k.bits;
    l.capacity = saturated_sum(l.capacity, k.entries);
    l.read_by_lookup += 16 * probes_of(k);  // one takes as long as so many bytes
    return {};
  };
  const auto head = read_head(bytes, visit);
  if (!head) return head.error();
  l.variant = variant_of(head->flags);
  l.hash = (head->flags & force64) != 0 ? "murmur64a" : "murmur2-32";
  l.length = bytes.size() - l.at;
  l.parts = head->links;
  l.number[options] = head->flags;
  l.number[growth] = head->growth;
  if (total != l.length) return damaged("trailing bytes after the filter", l.at + total);
  return l;
}

bool chain_may_contain(const layout& l, const image& from,
                       std::string_view key) noexcept {
  return any_link_has(l, from.bytes, hash_of(l, key));
}

census chain_count(const layout& l, const image& from) noexcept {
  census c;
  double absent = 1;  // the chance that no link has a key
  for_links(l, from.bytes, [&](std::uint64_t, const link& k, std::uint64_t at) {
    const double cells = static_cast<double>(k.modulus());
    const double ones = static_cast<double>(
        base::count_ones(from.bytes.subspan(at, k.bytes), k.modulus()));
    c.cells += cells;
    c.occupied += ones;
    if (k.hashes != 0) c.keys += keys_from_ones(ones, cells, k.hashes);
    absent *= 1 - std::pow(ones / cells, static_cast<double>(k.hashes));
    return true;
  });
  c.fpr = 1 - absent;
  return c;
}

foreign_filter::part_facts chain_part(const layout& l, const image& from,
                                      std::uint64_t i) noexcept {
  foreign_filter::part_facts f{};
  for_links(l, from.bytes, [&](std::uint64_t j, const link& k, std::uint64_t at) {
    f.offset = at;
    f.length = k.bytes;
    f.bits = k.bits;
    f.hashes = k.hashes;
    return j != i;
  });
  std::snprintf(f.name, sizeof f.name, "link %llu", static_cast<unsigned long long>(i));
  return f;
}

}  // namespace bloomery::format::redis
