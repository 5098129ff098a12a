// How RedisBloom's BF is made and added to: links sized, counted and appended as its
// owner does (redis_chain.cpp has the bytes).
#include <cmath>
#include <cstring>

#include "format/dialect/check.hpp"
#include "format/dialect/redis_link.hpp"
#include "format/dialect/redisbloom.hpp"

namespace bloomery::format::redis {
namespace {

constexpr double tightening = 0.5;
constexpr double max_error = 0.25;

std::uint64_t u64_at(std::span<const std::byte> bytes, std::uint64_t at) noexcept {
  return base::byte_reader(bytes.subspan(at, 8)).read<std::uint64_t>();
}
void put_u64(std::span<std::byte> bytes, std::uint64_t at, std::uint64_t v) noexcept {
  base::byte_writer(bytes.subspan(at, 8)).write(v);
}

// Appends a link that holds `growth` times the keys of the last at half its rate.
result<void> grow(layout& l, pages& to, const link& last) noexcept {
  const auto next = next_link(last, l.parts, l.number[options], l.number[growth]);
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

result<link> first_link(std::uint64_t keys, double fpr, std::uint64_t flags) noexcept {
  const double rate = std::min(fpr, max_error);
  return sized_link(keys, (flags & no_scaling) != 0 ? rate : rate * tightening, flags);
}

result<link> next_link(const link& last, std::uint64_t links, std::uint64_t flags,
                       std::uint64_t factor) noexcept {
  if ((flags & no_scaling) != 0)
    return error{errc::unattainable, "full: the filter does not scale"};
  if ((flags & entries_are_bits) != 0)
    return error{errc::unsupported, "full: no link is added to filters sized by log2"};
  if (factor == 0 || last.entries == 0 || !(last.error * tightening > 0))
    return error{errc::unattainable, "full: there is no larger link"};
  if (last.entries > std::numeric_limits<std::uint64_t>::max() / factor ||
      links == 0xffffffff)
    return error{errc::too_large, "too many keys"};
  return sized_link(last.entries * factor, last.error * tightening, flags);
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
  const auto first = first_link(p.keys, p.fpr.value_or(default_fpr), flags);
  if (!first) return first.error();
  auto made = pages::make(chain_header + link_header + first->bytes);
  if (!made) return made;
  base::byte_writer out(made->bytes());
  write_head(out,
             {.size = 0, .links = 1, .flags = flags, .growth = p.growth.value_or(2)});
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
  if (auto ok = check_insertable(last.hashes); !ok) return ok;
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
