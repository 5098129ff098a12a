// Which of the four forms of bits-and-blooms an image is, and where its bits are.
#include <string_view>

#include "base/byte_reader.hpp"
#include "format/dialect/bits_and_blooms.hpp"
#include "format/dialect/bits_and_blooms_json.hpp"
#include "format/dialect/check.hpp"

namespace bloomery::format::bits_and_blooms {
namespace {

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

}  // namespace

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

}  // namespace bloomery::format::bits_and_blooms
