// The links of RedisBloom's BF: their header, and the bits of a key in them
// (redis_chain.cpp has the bytes).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/probes.hpp"
#include "hash/murmur.hpp"
#include "hash/murmur2.hpp"

namespace bloomery::format::redis {

inline constexpr std::uint64_t chain_header = 20, link_header = 53;
inline constexpr std::uint64_t size_field = 16;  // of a link
inline constexpr std::uint64_t no_round = 1, entries_are_bits = 2, force64 = 4,
                               no_scaling = 8;
inline constexpr unsigned options = 0, growth = 1;  // of layout::number

// The owner's literals: more digits would give other sizes.
inline constexpr double ln2 = 0.693147180559945, ln2_squared = 0.480453013918201;

// The fields of a link, from its 53 bytes.
struct link {
  std::uint64_t bytes, bits, size;
  double error, bits_per_key;
  std::uint32_t hashes;
  std::uint64_t entries;
  std::uint8_t log2;

  std::uint64_t modulus() const noexcept {
    return log2 != 0 ? std::uint64_t{1} << log2 : bits;
  }
};

inline link read_link(base::byte_reader& in) noexcept {
  link k;
  k.bytes = in.read<std::uint64_t>();
  k.bits = in.read<std::uint64_t>();
  k.size = in.read<std::uint64_t>();
  k.error = std::bit_cast<double>(in.read<std::uint64_t>());
  k.bits_per_key = std::bit_cast<double>(in.read<std::uint64_t>());
  k.hashes = in.read<std::uint32_t>();
  k.entries = in.read<std::uint64_t>();
  k.log2 = in.read<std::uint8_t>();
  return k;
}

inline void write_link(base::byte_writer& out, const link& k) noexcept {
  out.write(k.bytes);
  out.write(k.bits);
  out.write(k.size);
  out.write(std::bit_cast<std::uint64_t>(k.error));
  out.write(std::bit_cast<std::uint64_t>(k.bits_per_key));
  out.write(k.hashes);
  out.write(k.entries);
  out.write(k.log2);
}

// The owner's load checks of one link.  `at`: where its header lies.
result<void> check_link(const link& k, std::uint64_t at) noexcept;

// A link as the owner sizes it.  REQUIRES: rate <= 1/2 (a key takes a bit or more)
result<link> sized_link(std::uint64_t entries, double rate, std::uint64_t flags) noexcept;

// The first link of a new chain, of `keys` keys at `fpr`.
result<link> first_link(std::uint64_t keys, double fpr, std::uint64_t flags) noexcept;

// The link after `last`: `factor` times the keys at half its rate.  Errors: unattainable
// (full, or none is larger), unsupported, too_large.
result<link> next_link(const link& last, std::uint64_t links, std::uint64_t flags,
                       std::uint64_t factor) noexcept;

// What comes before the links.
struct chain_head {
  std::uint64_t size;
  std::uint32_t links, flags, growth;
};

inline void write_head(base::byte_writer& out, const chain_head& h) noexcept {
  out.write(h.size);
  out.write(h.links);
  out.write(h.flags);
  out.write(h.growth);
}

// Checks the header of a chain; calls visit(head, link), which gives a
// result<void>, for each link.
template <class Visit>
result<chain_head> read_head(std::span<const std::byte> bytes, Visit visit) noexcept {
  base::byte_reader in(bytes);
  chain_head h;
  h.size = in.read<std::uint64_t>();
  h.links = in.read<std::uint32_t>();
  h.flags = in.read<std::uint32_t>();
  h.growth = in.read<std::uint32_t>();
  if (!in.ok()) return too_short(bytes.size(), chain_header);
  if (h.links == 0) return damaged("a chain without links", 8);
  if (h.links > in.left() / link_header)
    return damaged("truncated: fewer bytes than the header promises", bytes.size());
  if (h.flags > 15) return damaged("options that no writer knows", 12);
  std::uint64_t counted = 0;
  for (std::uint32_t i = 0; i < h.links; ++i) {
    const std::uint64_t at = in.offset();
    const link k = read_link(in);
    if (auto ok = check_link(k, at); !ok) return ok.error();
    if (auto ok = visit(h, k); !ok) return ok.error();
    if (k.size > h.size - counted)
      return damaged("the sizes of the links do not sum up to that of the chain", 0);
    counted += k.size;
  }
  if (counted != h.size)
    return damaged("the sizes of the links do not sum up to that of the chain", 0);
  return h;
}

// Calls visit(i, link, at) for every link until it returns false; returns whether none
// did.  `at`: where its bits begin.
template <class Visit>
bool for_links(const layout& l, std::span<const std::byte> bytes, Visit visit) noexcept {
  base::byte_reader in(bytes.subspan(chain_header));
  std::uint64_t at = l.at;
  for (std::uint64_t i = 0; i < l.parts; ++i) {
    const link k = read_link(in);
    if (!visit(i, k, at)) return false;
    at += k.bytes;
  }
  return true;
}

// The two hashes of a key under the options of a chain.
inline hash::u64_pair hash_with(std::uint64_t flags, std::string_view key) noexcept {
  if ((flags & force64) != 0) {
    const std::uint64_t a = hash::murmur64a(key, 0xc6a4a7935bd1e995);
    return {a, hash::murmur64a(key, a)};
  }
  const std::uint32_t a = hash::murmur2_32(key, 0x9747b28c);
  return {a, hash::murmur2_32(key, a)};
}

inline hash::u64_pair hash_of(const layout& l, std::string_view key) noexcept {
  return hash_with(l.number[options], key);
}

// The same as probes_of for a layout.
inline std::uint64_t probes_of(const link& k) noexcept {
  return std::min<std::uint64_t>(k.hashes, max_probes);
}

template <class Visit>
bool walk(const link& k, const hash::u64_pair& h, Visit visit) noexcept {
  const std::uint64_t m = k.modulus();
  return arithmetic_walk(
      h.first, h.second, probes_of(k), [m](std::uint64_t x) noexcept { return x % m; },
      visit);
}

inline bool any_link_has(const layout& l, std::span<const std::byte> bytes,
                         const hash::u64_pair& h) noexcept {
  return !for_links(l, bytes,
                    [&](std::uint64_t, const link& k, std::uint64_t at) noexcept {
                      return !walk(k, h, [&](std::uint64_t i) noexcept {
                        return (bytes[at + i / 8] & mask_of(i)) != std::byte{0};
                      });
                    });
}

// Entries are not bounded by anything: their sum stays at the largest number.
inline std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) noexcept {
  return a + std::min(b, std::numeric_limits<std::uint64_t>::max() - a);
}

}  // namespace bloomery::format::redis
