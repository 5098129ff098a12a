// RedisBloom's CF: a list of cuckoo filters of one-byte fingerprints.
//
//    0  u64  items
//    8  u64  buckets of the first sub-filter, a power of two
//   16  u64  deletes
//   24  u64  sub-filters, at least 1; 16 bits in the owner's memory
//   32  u16  slots of a bucket
//   34  u16  kicks before it grows
//   36  u16  expansion: a power of two; 0: never grows
//   38  ..   slots, one byte each, 0: empty; sub-filter j has buckets * expansion^j
//
// h = murmur64A(key, 0); fingerprint f = h % 255 + 1; it lies in bucket h or in bucket
// h ^ (f * 0x5bd1e995), both modulo the buckets, of any sub-filter.
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "base/byte_reader.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/redisbloom.hpp"
#include "hash/murmur.hpp"

namespace bloomery::format::redis {
namespace {

constexpr std::size_t header = 38;
constexpr unsigned first_buckets = 0, slots = 1, expansion = 2;  // of layout::number

// Calls visit(j, buckets, at) for every sub-filter until it returns false; returns
// whether none did.
template <class Visit>
bool for_sub_filters(const layout& l, Visit visit) noexcept {
  std::uint64_t buckets = l.number[first_buckets], at = l.at;
  for (std::uint64_t j = 0; j < l.parts; ++j) {
    if (!visit(j, buckets, at)) return false;
    at += buckets * l.number[slots];
    buckets *= l.number[expansion];
  }
  return true;
}

}  // namespace

result<layout> inspect_cuckoo(std::span<const std::byte> bytes) noexcept {
  base::byte_reader in(bytes);
  in.read<std::uint64_t>();  // items
  std::uint64_t buckets = in.read<std::uint64_t>();
  in.read<std::uint64_t>();  // deletes
  const auto filters = in.read<std::uint64_t>();
  const auto bucket_size = in.read<std::uint16_t>();
  in.read<std::uint16_t>();  // kicks
  const auto growth = in.read<std::uint16_t>();
  if (!in.ok()) return too_short(bytes.size(), header);
  if (!std::has_single_bit(buckets))
    return damaged("the number of buckets is no power of two", 8);
  if (filters == 0 || filters > 0xffff)
    return damaged("the number of sub-filters is not in 1 .. 65535", 24);
  if (bucket_size == 0) return damaged("buckets without slots", 32);
  if (growth == 0 ? filters != 1 : !std::has_single_bit(growth))
    return damaged("an expansion that no writer grows by", 36);

  layout l;
  l.variant = cuckoo_variant;
  l.hash = "murmur64a";
  l.at = header;
  l.length = bytes.size() - header;
  l.hashes = 2;
  l.cells_are_bits = false;
  l.parts = filters;
  l.number[first_buckets] = buckets;
  l.number[slots] = bucket_size;
  l.number[expansion] = growth;
  std::uint64_t left = l.length;
  for (std::uint64_t j = 0; j < filters; ++j) {
    if (buckets > left / bucket_size)
      return damaged("truncated: fewer bytes than the header promises", bytes.size());
    left -= buckets * bucket_size;
    // Beyond every file: the next turn refuses it.
    buckets = growth != 0 && buckets > std::numeric_limits<std::uint64_t>::max() / growth
                  ? std::numeric_limits<std::uint64_t>::max()
                  : buckets * growth;
  }
  if (left != 0) return damaged("trailing bytes after the filter", bytes.size() - left);
  l.bits = l.length;
  return l;
}

bool cuckoo_may_contain(const layout& l, const image& from,
                        std::string_view key) noexcept {
  const std::uint64_t h = hash::murmur64a(key, 0);
  const auto fingerprint = static_cast<unsigned char>(h % 255 + 1);
  const std::uint64_t hashes[] = {h, h ^ (std::uint64_t{fingerprint} * 0x5bd1e995)};
  const std::uint64_t size = l.number[slots];
  return !for_sub_filters(l, [&](std::uint64_t, std::uint64_t buckets,
                                 std::uint64_t begin) noexcept {
    for (const std::uint64_t candidate : hashes) {
      // The owner's index has 32 bits.  It wraps only in a sub-filter beyond 4 GiB, which
      // has more than 2^16 buckets, hence more than a bucket of bytes beyond 4 GiB.
      const auto index = static_cast<std::uint32_t>((candidate & (buckets - 1)) * size);
      const std::uint64_t at = begin + index;
      if (!from.whole(at, size)) return false;
      if (std::memchr(from.bytes.data() + at, fingerprint,
                      static_cast<std::size_t>(size)) != nullptr)
        return false;
    }
    return true;
  });
}

census cuckoo_count(const layout& l, const image& from) noexcept {
  census c;
  double compared = 0;  // fingerprints a lookup meets
  for_sub_filters(l, [&](std::uint64_t, std::uint64_t buckets, std::uint64_t at) {
    std::uint64_t taken = 0;
    const std::uint64_t size = buckets * l.number[slots];
    for (const std::byte b : from.bytes.subspan(at, size)) taken += b != std::byte{0};
    c.occupied += static_cast<double>(taken);
    compared += 2 * static_cast<double>(taken) / static_cast<double>(buckets);
    return true;
  });
  c.cells = static_cast<double>(l.length);
  c.keys = c.occupied;
  c.fpr = 1 - std::pow(1 - 1.0 / 255, compared);
  return c;
}

foreign_filter::part_facts cuckoo_part(const layout& l, const image&,
                                       std::uint64_t i) noexcept {
  foreign_filter::part_facts f{};
  for_sub_filters(l, [&](std::uint64_t j, std::uint64_t buckets, std::uint64_t at) {
    f.offset = at;
    f.length = f.bits = buckets * l.number[slots];
    return j != i;
  });
  f.hashes = l.hashes;
  std::snprintf(f.name, sizeof f.name, "sub-filter %llu",
                static_cast<unsigned long long>(i));
  return f;
}

}  // namespace bloomery::format::redis
