// bits-and-blooms: the Go library bloom/v3, over its bitset.
//
//    0  u64  m, bits, at least 1; big-endian
//    8  u64  k, hashes, at least 1; big-endian
//   16  u64  length of the bitset, in bits
//   24  ..   ceil(length / 64) words: bit i is bit i % 64 of word i / 64
//
//   binary   length and words are big-endian
//   le       they are little-endian: the bitset was switched to it
//   json     {"m":..,"k":..,"b":".."}, where b is base64 of what stands from 16 on
//   le-json  the same, little-endian
// The length need not be m: bits beyond it are 0, and setting one makes it longer.
//
// (h0, h1) = murmur3 x64_128(key), (h2, h3) = the same of the key and a byte 1; for
// i = 0 .. k-1  bit = (h[i % 2] + i h[2 + (i + i % 2) % 4 / 2]) mod m.
#include "format/dialect/bits_and_blooms.hpp"

#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numbers>

#include "base/byte_writer.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/excerpt.hpp"
#include "format/dialect/probes.hpp"
#include "hash/murmur.hpp"

namespace bloomery::format {
namespace bits_and_blooms {
namespace {

// --- lookups and insertion ---

template <class Visit>
bool walk(const layout& l, std::string_view key, Visit visit) noexcept {
  const auto [short_hash, long_hash] = hash::murmur3_x64_128_with_suffix(key, '\1', 0);
  const std::uint64_t start[] = {short_hash.first, short_hash.second};
  const std::uint64_t step[] = {long_hash.first, long_hash.second};
  const std::uint64_t n = probes_of(l);
  for (std::uint64_t i = 0; i < n; ++i)
    if (!visit((start[i % 2] + i * step[(i + i % 2) % 4 / 2]) % l.bits)) return false;
  return true;
}

bool may_contain(const layout& l, const image& from, std::string_view key) noexcept {
  return walk(l, key, [&](std::uint64_t i) noexcept {
    if (i >= l.number[bitset_length]) return false;
    const std::uint64_t at = 8 + byte_of(i, l.order);
    return !is_whole(l, from, at) ||
           (std::byte{bitset_byte(l, from, at)} & mask_of(i)) != std::byte{0};
  });
}

// m is the header's word, and no memory is taken on it: a bitset that is far too short
// stays so.  That of New(0, 0) has no words, and gets its one.
constexpr std::uint64_t max_growth = 64;

result<void> lengthen(layout& l, pages& to, std::uint64_t length) noexcept {
  const std::uint64_t words = words_for(l.number[bitset_length]) + 1;
  if (words_for(length) > max_growth * words)
    return error{errc::unsupported, "the bitset is far too short for m", bitset_at,
                 static_cast<double>(length), static_cast<double>(64 * words)};
  const std::uint64_t cells = 8 * words_for(length);
  auto longer = pages::make(static_cast<std::size_t>(header + cells));
  if (!longer) return longer.error();
  std::memcpy(longer->data(), to.data(), to.size());
  base::byte_writer out(longer->bytes().subspan(bitset_at));
  if (form_of(l).little)
    out.write(length);
  else
    out.write_be(length);
  l.number[bitset_length] = length;
  l.length = cells;
  to = *std::move(longer);
  return {};
}

result<void> insert(layout& l, pages& to, std::string_view key) noexcept {
  if (auto ok = check_insertable(l.hashes); !ok) return ok;
  std::uint64_t last = 0;
  walk(l, key, [&](std::uint64_t i) noexcept {
    last = std::max(last, i);
    return true;
  });
  if (last >= l.number[bitset_length])
    if (auto ok = lengthen(l, to, last + 1); !ok) return ok.error();
  std::byte* table = to.data() + l.at;
  walk(l, key, [&](std::uint64_t i) noexcept {
    table[byte_of(i, l.order)] |= mask_of(i);
    return true;
  });
  return {};
}

census count(const layout& l, const image& from) noexcept {
  if (!form_of(l).text) return bloom_count(l, from);
  std::uint64_t ones = 0;
  for (std::uint64_t i = 8; i < bitset_bytes(l); ++i)
    ones += static_cast<unsigned>(std::popcount(bitset_byte(l, from, i)));
  return bloom_census(l, static_cast<double>(ones));
}

// --- writing ---

result<pages> make(const foreign_params& p) noexcept {
  constexpr double ln2 = std::numbers::ln2;
  foreign_params asked = p;  // New takes 0 for 1, and then its bitset has no bits yet
  if (asked.bits == 0) asked.bits = 1;
  if (asked.hashes == 0) asked.hashes = 1;
  const auto size = owner_size(asked, default_fpr, classic_bits,
                               [](double bits, double n, std::optional<double>) {
                                 return std::max(1.0, std::ceil(ln2 * bits / n));
                               });
  if (!size) return size.error();
  const std::uint64_t length = p.bits == 0 ? 0 : size->bits;
  auto image = pages::make(static_cast<std::size_t>(header + 8 * words_for(length)));
  if (!image) return image;
  base::byte_writer out(image->bytes());
  out.write_be(size->bits);
  out.write_be(std::uint64_t{size->hashes});
  out.write_be(length);
  return image;
}

result<pages> encode(const layout& l, const image& from,
                     std::string_view variant) noexcept {
  if (variant == l.variant) {  // also text that is spaced as we would not
    return copied(from.bytes);
  }
  const form* to = nullptr;
  for (const form& f : forms)
    if (variant == f.name) to = &f;
  if (to == nullptr) return no_such_form();
  // Its length and its words turn alike.
  const std::uint64_t turn = to->little == form_of(l).little ? 0 : 7;
  const auto byte_at = [&](std::uint64_t i) noexcept {
    return bitset_byte(l, from, i ^ turn);
  };
  const std::uint64_t size = bitset_bytes(l);
  if (!to->text) {
    auto out = pages::make(static_cast<std::size_t>(bitset_at + size));
    if (!out) return out;
    base::byte_writer numbers(out->bytes());
    numbers.write_be(l.bits);
    numbers.write_be(std::uint64_t{l.hashes});
    for (std::uint64_t i = 0; i < size; ++i)
      out->data()[bitset_at + i] = std::byte{byte_at(i)};
    return out;
  }
  char opening[64];
  const int printed =
      std::snprintf(opening, sizeof opening,
                    R"({"m":%)" PRIu64 R"(,"k":%)" PRIu32 R"(,"b":")", l.bits, l.hashes);
  const auto before = static_cast<std::size_t>(printed);
  const auto text = static_cast<std::size_t>(base64_length(size));
  auto out = pages::make(before + text + 2);
  if (!out) return out;
  std::memcpy(out->data(), opening, before);
  write_base64(out->bytes().subspan(before, text), size, byte_at);
  std::memcpy(out->data() + before + text, "\"}", 2);
  return out;
}

}  // namespace
}  // namespace bits_and_blooms

constinit const dialect bits_and_blooms_dialect{
    .facts = {.name = "bits-and-blooms",
              .summary = "the Go library bits-and-blooms/bloom",
              .hash = "murmur3-x64-128",
              .variants = "binary json le le-json",
              .needs = "",
              .writes = true,
              .integers = number_keys::plain,
              .texts = false},
    .could_be = possible_if_inspected<bits_and_blooms::inspect>,
    .inspect = bits_and_blooms::inspect,
    .may_contain = bits_and_blooms::may_contain,
    .count = bits_and_blooms::count,
    .make = bits_and_blooms::make,
    .insert = bits_and_blooms::insert,
    .encode = bits_and_blooms::encode,
};

}  // namespace bloomery::format
