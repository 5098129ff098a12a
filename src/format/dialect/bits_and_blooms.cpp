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
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numbers>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/dialect/base64.hpp"
#include "format/dialect/bits_and_blooms_json.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/probes.hpp"
#include "hash/murmur.hpp"

namespace bloomery::format {
namespace {

constexpr std::size_t header = 24;
constexpr std::size_t bitset_at = 16;  // in the binary forms
// Characters of base64 with the bitset's length, and the first byte of its words: they
// give the filter its form, and are not among its cells.
constexpr std::size_t text_header = 12;

struct form {
  const char* name;
  bool text, little;
};
constexpr form forms[] = {{"binary", false, false},
                          {"json", true, false},
                          {"le", false, true},
                          {"le-json", true, true}};

// layout::number
enum : std::size_t { bitset_length, form_index };
const form& form_of(const layout& l) noexcept { return forms[l.number[form_index]]; }

// --- the bitset, wherever it is ------------------------------------------------------

constexpr std::uint64_t words_for(std::uint64_t length) noexcept {
  return length / 64 + (length % 64 != 0);
}
constexpr std::uint64_t bitset_bytes(const layout& l) noexcept {
  return 8 + 8 * words_for(l.number[bitset_length]);
}

// Byte i of the bitset's own serialization, its length first.
std::uint8_t bitset_byte(const layout& l, const image& from, std::uint64_t i) noexcept {
  if (form_of(l).text) return base64_byte(from.bytes.subspan(l.at - text_header), i);
  return static_cast<std::uint8_t>(from.bytes[bitset_at + i]);
}

bool is_whole(const layout& l, const image& from, std::uint64_t i) noexcept {
  return !form_of(l).text || from.whole(l.at - text_header + i / 3 * 4, 4);
}

// A bitset of `length` bits in `size` bytes; nothing is computed from a length that does
// not fit them.
bool fits(std::uint64_t size, std::uint64_t length) noexcept {
  return size >= 8 && size % 8 == 0 && words_for(length) == size / 8 - 1;
}

// --- inspect -------------------------------------------------------------------------

struct parts {
  std::uint64_t m, m_at, k, k_at;
  std::uint64_t at, length;  // of the cells
  std::uint64_t bitset_size;
  std::uint64_t big, little;  // the bitset's length, read in both ways
  std::uint64_t blame;        // where a wrong length is
};

parts from_binary(std::span<const std::byte> bytes) noexcept {
  base::byte_reader in(bytes);
  parts p{};
  p.m = in.read_be<std::uint64_t>();
  p.k_at = in.offset();
  p.k = in.read_be<std::uint64_t>();
  base::byte_reader again = in;
  p.big = in.read_be<std::uint64_t>();
  p.little = again.read<std::uint64_t>();
  p.blame = bitset_at;
  p.at = header;
  p.length = bytes.size() - header;
  p.bitset_size = bytes.size() - bitset_at;
  return p;
}

result<parts> from_text(std::span<const std::byte> bytes) noexcept {
  const auto json = parse_bits_json(bytes);
  if (!json) return json.error();
  parts p{};
  p.m = json->m;
  p.m_at = json->m_at;
  p.k = json->k;
  p.k_at = json->k_at;
  p.blame = json->b_at;
  p.bitset_size = json->b_bytes;
  if (p.bitset_size < 8) return damaged("b is too short for its length", p.blame);
  p.at = json->b_at + text_header;
  p.length = json->b_length - text_header;
  const auto text = bytes.subspan(static_cast<std::size_t>(json->b_at));
  for (std::uint64_t i = 0; i < 8; ++i) {
    const std::uint64_t b = base64_byte(text, i);
    p.big = p.big << 8 | b;
    p.little |= b << (8 * i);
  }
  return p;
}

bool looks_like_text(std::span<const std::byte> bytes) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && text[first] == '{';
}

result<layout> inspect(std::span<const std::byte> bytes,
                       const foreign_options& o) noexcept {
  const bool text = o.variant.empty() ? looks_like_text(bytes)
                                      : o.variant == "json" || o.variant == "le-json";
  if (!text && bytes.size() < header) return too_short(bytes.size(), header);
  const auto found = text ? from_text(bytes) : from_binary(bytes);
  if (!found) return found.error();
  const parts& p = *found;
  if (p.m == 0) return damaged("the number of bits (m) is 0", p.m_at);
  if (p.k == 0) return damaged("the number of hashes (k) is 0", p.k_at);
  if (p.k > 0xffffffff) return damaged("an absurd number of hashes (k)", p.k_at);
  // A length fits in one byte order only, unless it is 0 and there is nothing to order.
  bool little = o.variant == "le" || o.variant == "le-json";
  if (o.variant.empty())
    little = !fits(p.bitset_size, p.big) && fits(p.bitset_size, p.little);
  const std::uint64_t length = little ? p.little : p.big;
  if (!fits(p.bitset_size, length)) {
    if (text) return damaged("the bitset's length contradicts its text", p.blame);
    const auto ok = check_length(bytes.size(), header, words_for(length), 8);
    return ok ? damaged("the bitset's length contradicts the file's", p.blame)
              : ok.error();
  }
  layout l;
  l.number[bitset_length] = length;
  for (const form& f : forms)
    if (f.text == text && f.little == little)
      l.number[form_index] = static_cast<std::uint64_t>(&f - forms);
  l.variant = form_of(l).name;
  l.hash = "murmur3-x64-128";
  l.at = p.at;
  l.length = p.length;
  l.bits = p.m;
  l.hashes = static_cast<std::uint32_t>(p.k);
  l.order = little ? bit_order::lsb_first : bit_order::be_words;
  l.cells_are_bits = !text;
  return l;
}

// --- lookups and insertion -----------------------------------------------------------

template <class Visit>
bool walk(const layout& l, std::string_view key, Visit visit) noexcept {
  const auto [short_hash, long_hash] = hash::murmur3_x64_128_and_of_longer(key, '\1', 0);
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

result<void> lengthen(layout& l, pages& to, std::uint64_t length) noexcept {
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

// --- writing -------------------------------------------------------------------------

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
    auto copy = pages::make(from.bytes.size());
    if (copy) std::memcpy(copy->data(), from.bytes.data(), from.bytes.size());
    return copy;
  }
  const form* to = nullptr;
  for (const form& f : forms)
    if (variant == f.name) to = &f;
  if (to == nullptr) return error{errc::unsupported, "no such form of these bits"};
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

constinit const dialect bits_and_blooms_dialect{
    .facts = {.name = "bits-and-blooms",
              .summary = "the Go library bits-and-blooms/bloom",
              .hash = "murmur3-x64-128",
              .variants = "binary json le le-json",
              .needs = "",
              .writes = true,
              .integers = false,
              .texts = false},
    .could_be = possible_if_inspected<inspect>,
    .inspect = inspect,
    .may_contain = may_contain,
    .count = count,
    .make = make,
    .insert = insert,
    .encode = encode,
};

}  // namespace bloomery::format
