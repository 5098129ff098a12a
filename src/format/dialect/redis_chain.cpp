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
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/probes.hpp"
#include "format/dialect/redisbloom.hpp"
#include "hash/murmur.hpp"
#include "hash/murmur2.hpp"

namespace bloomery::format::redis {
namespace {

constexpr std::uint64_t chain_header = 20, link_header = 53;
constexpr std::uint64_t size_field = 16;  // of a link
constexpr std::uint64_t no_round = 1, entries_are_bits = 2, force64 = 4, no_scaling = 8;
constexpr unsigned options = 0, growth = 1;  // of layout::number

// The owner's literals: more digits would give other sizes.
constexpr double ln2 = 0.693147180559945, ln2_squared = 0.480453013918201;
constexpr double tightening = 0.5;
constexpr double most_error = 0.25;

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

link read_link(base::byte_reader& in) noexcept {
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

void write_link(base::byte_writer& out, const link& k) noexcept {
  out.write(k.bytes);
  out.write(k.bits);
  out.write(k.size);
  out.write(std::bit_cast<std::uint64_t>(k.error));
  out.write(std::bit_cast<std::uint64_t>(k.bits_per_key));
  out.write(k.hashes);
  out.write(k.entries);
  out.write(k.log2);
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

hash::u64_pair hash_of(const layout& l, std::string_view key) noexcept {
  if ((l.number[options] & force64) != 0) {
    const std::uint64_t a = hash::murmur64a(key, 0xc6a4a7935bd1e995);
    return {a, hash::murmur64a(key, a)};
  }
  const std::uint32_t a = hash::murmur2_32(key, 0x9747b28c);
  return {a, hash::murmur2_32(key, a)};
}

// As probes_of, for one link.
std::uint64_t probes_of(const link& k) noexcept {
  return std::min<std::uint64_t>(k.hashes, std::max(k.modulus(), usual_probes));
}

template <class Visit>
bool walk(const link& k, const hash::u64_pair& h, Visit visit) noexcept {
  const std::uint64_t m = k.modulus();
  return arithmetic_walk(
      h.first, h.second, probes_of(k), [m](std::uint64_t x) noexcept { return x % m; },
      visit);
}

bool any_link_has(const layout& l, std::span<const std::byte> bytes,
                  const hash::u64_pair& h) noexcept {
  return !for_links(l, bytes,
                    [&](std::uint64_t, const link& k, std::uint64_t at) noexcept {
                      return !walk(k, h, [&](std::uint64_t i) noexcept {
                        return (bytes[at + i / 8] & mask_of(i)) != std::byte{0};
                      });
                    });
}

// By the bits that decide how it is asked first; combinations that no command makes
// count as the nearest.
const char* variant_of(std::uint64_t flags) noexcept {
  if ((flags & force64) == 0) return "legacy32";
  if ((flags & no_round) == 0) return "legacy64";
  return (flags & no_scaling) != 0 ? "nonscaling" : "scaling";
}

// The owner's load checks of one link.  `at`: where its header lies.
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

// A link as the owner sizes it.  Rates are at most 1/2 here: a key takes a bit or more.
result<link> sized_link(std::uint64_t entries, double rate,
                        std::uint64_t flags) noexcept {
  link k{};
  k.entries = entries;
  k.error = rate;
  k.bits_per_key = -(std::log(rate) / ln2_squared);
  const double bits = static_cast<double>(entries) * k.bits_per_key;
  const auto size = checked_size(bits, std::ceil(ln2 * k.bits_per_key));
  if (!size) return size.error();
  k.hashes = size->hashes;
  k.bits = size->bits;
  if ((flags & no_round) == 0) {
    k.log2 = static_cast<std::uint8_t>(std::ilogb(bits) + 1);
    k.bits = std::uint64_t{1} << k.log2;
    const auto spare = static_cast<std::uint64_t>(static_cast<double>(k.bits) - bits);
    k.entries += static_cast<std::uint64_t>(static_cast<double>(spare) / k.bits_per_key);
  }
  k.bits = (k.bits + 63) / 64 * 64;
  k.bytes = k.bits / 8;
  return k;
}

std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) noexcept {
  return a + std::min(b, std::numeric_limits<std::uint64_t>::max() - a);
}

std::uint64_t u64_at(std::span<const std::byte> bytes, std::uint64_t at) noexcept {
  return base::byte_reader(bytes.subspan(at, 8)).read<std::uint64_t>();
}
void put_u64(std::span<std::byte> bytes, std::uint64_t at, std::uint64_t v) noexcept {
  base::byte_writer(bytes.subspan(at, 8)).write(v);
}

// Appends a link that holds `growth` times the keys of the last at half its rate.
result<void> grow(layout& l, pages& to, const link& last) noexcept {
  if ((l.number[options] & no_scaling) != 0)
    return error{errc::unattainable, "full: the filter does not scale"};
  if ((l.number[options] & entries_are_bits) != 0)
    return error{errc::unsupported, "full: no link is added to filters sized by log2"};
  if (l.number[growth] == 0 || last.entries == 0 || !(last.error * tightening > 0))
    return error{errc::unattainable, "full: there is no larger link"};
  if (last.entries > std::numeric_limits<std::uint64_t>::max() / l.number[growth] ||
      l.parts == 0xffffffff)
    return error{errc::too_large, "too many keys"};
  const auto next = sized_link(last.entries * l.number[growth], last.error * tightening,
                               l.number[options]);
  if (!next) return next.error();
  auto larger = pages::make(to.size() + link_header + next->bytes);
  if (!larger) return larger.error();
  base::byte_writer out(larger->bytes());
  const std::span<const std::byte> old = to.bytes();
  out.write(old.first(8));
  out.write(static_cast<std::uint32_t>(l.parts + 1));
  out.write(old.subspan(12, l.at - 12));
  write_link(out, *next);
  out.write(old.subspan(l.at));
  to = *std::move(larger);
  l.parts += 1;
  l.at += link_header;
  l.length += next->bytes;
  l.bits += next->bits;
  l.capacity = saturated_sum(l.capacity, next->entries);
  return {};
}

}  // namespace

result<layout> inspect_chain(std::span<const std::byte> bytes) noexcept {
  base::byte_reader in(bytes);
  const auto size = in.read<std::uint64_t>();
  const auto links = in.read<std::uint32_t>();
  const auto flags = in.read<std::uint32_t>();
  const auto factor = in.read<std::uint32_t>();
  if (!in.ok()) return too_short(bytes.size(), chain_header);
  if (links == 0) return damaged("a chain without links", 8);
  if (links > in.left() / link_header)
    return damaged("truncated: fewer bytes than the header promises", bytes.size());
  if (flags > 15) return damaged("options that no writer knows", 12);

  layout l;
  l.variant = variant_of(flags);
  l.hash = (flags & force64) != 0 ? "murmur64a" : "murmur2-32";
  l.at = chain_header + link_header * links;
  l.length = bytes.size() - l.at;
  l.parts = links;
  l.number[options] = flags;
  l.number[growth] = factor;
  std::uint64_t left = l.length, counted = 0;
  for (std::uint64_t i = 0; i < links; ++i) {
    const std::uint64_t at = in.offset();
    const link k = read_link(in);
    if (auto ok = check_link(k, at); !ok) return ok.error();
    if (k.bytes > left)
      return damaged("truncated: fewer bytes than the header promises", bytes.size());
    left -= k.bytes;
    if (k.size > size - counted)
      return damaged("the sizes of the links do not sum up to that of the chain", 0);
    counted += k.size;
    l.bits += k.bits;
    l.capacity = saturated_sum(l.capacity, k.entries);
    if (i == 0) l.hashes = k.hashes;
  }
  if (left != 0) return damaged("trailing bytes after the filter", bytes.size() - left);
  if (counted != size)
    return damaged("the sizes of the links do not sum up to that of the chain", 0);
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

result<pages> make_chain(const foreign_params& p) noexcept {
  if (p.bits || p.hashes || p.bits_per_key)
    return error{errc::invalid_argument, "sized by keys and rate alone"};
  if (auto ok = check_request(p); !ok) return ok.error();
  if (p.growth && *p.growth == 0)
    return error{errc::invalid_argument, "a chain grows by at least 1"};
  const std::uint32_t flags = p.variant == "nonscaling" ? no_round | force64 | no_scaling
                              : p.variant == "legacy32" ? 0
                              : p.variant == "legacy64" ? force64
                                                        : no_round | force64;
  const double rate = std::min(p.fpr.value_or(default_fpr), most_error);
  const auto first =
      sized_link(p.keys, (flags & no_scaling) != 0 ? rate : rate * tightening, flags);
  if (!first) return first.error();
  auto made = pages::make(chain_header + link_header + first->bytes);
  if (!made) return made;
  base::byte_writer out(made->bytes());
  out.write(std::uint64_t{0});
  out.write(std::uint32_t{1});
  out.write(flags);
  out.write(p.growth.value_or(2));
  write_link(out, *first);
  return made;
}

result<void> chain_insert(layout& l, pages& to, std::string_view key) noexcept {
  const hash::u64_pair h = hash_of(l, key);
  // As the owner counts: what any link already answers for is not added again.
  if (any_link_has(l, to.bytes(), h)) return {};
  const std::uint64_t size = u64_at(to.bytes(), 0);
  if (size == std::numeric_limits<std::uint64_t>::max())
    return error{errc::unattainable, "full: its counter cannot count on"};
  const auto last_header = [&] { return l.at - link_header; };
  const auto last_link = [&] {
    base::byte_reader in(to.bytes().subspan(last_header()));
    return read_link(in);
  };
  link last = last_link();
  if (last.size >= last.entries) {
    if (auto ok = grow(l, to, last); !ok) return ok;
    last = last_link();
  }
  if (probes_of(last) != last.hashes)  // its owner would ask for bits that were not set
    return error{errc::unsupported, "too many hashes for so few bits"};
  std::byte* table = to.data() + (to.size() - last.bytes);
  walk(last, h, [&](std::uint64_t i) noexcept {
    table[i / 8] |= mask_of(i);
    return true;
  });
  put_u64(to.bytes(), 0, size + 1);
  put_u64(to.bytes(), last_header() + size_field, last.size + 1);
  return {};
}

// Links of the same form are OR-ed; their sizes add up, which counts common keys twice:
// the union grows early rather than late.
result<void> chain_merge(const layout& l, pages& to, const layout& theirs,
                         const image& from) noexcept {
  if (to.size() != from.bytes.size() || l.at != theirs.at ||
      std::memcmp(to.data() + 8, from.bytes.data() + 8, chain_header - 8) != 0)
    return error{errc::incompatible, "the filters differ in links, options or growth"};
  for (std::uint64_t at = chain_header; at < l.at; at += link_header) {
    constexpr std::uint64_t rest = size_field + 8;
    if (std::memcmp(to.data() + at, from.bytes.data() + at, size_field) != 0 ||
        std::memcmp(to.data() + at + rest, from.bytes.data() + at + rest,
                    link_header - rest) != 0)
      return error{errc::incompatible, "the filters differ in the form of a link", at};
  }
  // The sum of the sums bounds every sum: refused before anything is changed.
  const std::uint64_t mine = u64_at(to.bytes(), 0), other = u64_at(from.bytes, 0);
  if (other > std::numeric_limits<std::uint64_t>::max() - mine)
    return error{errc::too_large, "too many keys"};
  put_u64(to.bytes(), 0, mine + other);
  for (std::uint64_t at = chain_header; at < l.at; at += link_header)
    put_u64(to.bytes(), at + size_field,
            u64_at(to.bytes(), at + size_field) + u64_at(from.bytes, at + size_field));
  base::or_into(to.bytes().subspan(l.at), from.bytes.subspan(l.at));
  return {};
}

}  // namespace bloomery::format::redis
