// How fuzz_dialects reads its bytes: a dialect, options for its reader, an image.
//
//    0  u8  row of the table of dialects
//    1  u8  bits 0-2: number of the variant, from 1, or 0: not given; bit 3: hashes are
//           given; bit 4: a seed is; bits 5-6: form of the keys; bit 7: a part is
//    2  u8  hashes
//    3  u8  seed, and part
//    4  ..  image
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <bloomery/foreign_filter.hpp>

namespace fuzz {

inline constexpr std::size_t dialect_input_header = 4;

// Word `i` of a dialect's variants, "(r)" not counted; empty: there are fewer.
inline std::string_view variant_at(const bloomery::dialect_facts& d, std::size_t i) {
  std::string_view rest = d.variants;
  while (!rest.empty()) {
    const auto word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(word.size() < rest.size() ? word.size() + 1 : rest.size());
    if (word != "(r)" && i-- == 0) return word;
  }
  return {};
}

struct dialect_input {
  std::size_t row = 0;
  bloomery::foreign_options options;
  std::span<const std::byte> image;
};

// REQUIRES: bytes.size() >= dialect_input_header
inline dialect_input read_dialect_input(std::span<const std::byte> bytes) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned>(bytes[i]); };
  dialect_input in;
  in.row = at(0) % bloomery::dialect_count();
  if ((at(1) & 7) != 0)
    in.options.variant = variant_at(bloomery::dialect_at(in.row), (at(1) & 7) - 1);
  if ((at(1) & 8) != 0) in.options.hashes = at(2);
  if ((at(1) & 16) != 0) in.options.seed = at(3);
  in.options.form = static_cast<bloomery::key_form>((at(1) >> 5 & 3) % 3);
  if ((at(1) & 128) != 0) in.options.part = at(3);
  in.image = bytes.subspan(dialect_input_header);
  return in;
}

inline std::vector<std::byte> write_dialect_input(const dialect_input& in) {
  unsigned told = 0;
  const auto facts = bloomery::dialect_at(in.row);
  for (unsigned i = 0; !variant_at(facts, i).empty(); ++i)
    if (variant_at(facts, i) == in.options.variant) told = i + 1;
  if (in.options.hashes) told |= 8;
  if (in.options.seed) told |= 16;
  told |= static_cast<unsigned>(in.options.form) << 5;
  std::vector<std::byte> out;
  for (const std::uint64_t b :
       {std::uint64_t{in.row}, std::uint64_t{told},
        std::uint64_t{in.options.hashes.value_or(0)}, in.options.seed.value_or(0)})
    out.push_back(static_cast<std::byte>(b));
  out.insert(out.end(), in.image.begin(), in.image.end());
  return out;
}

}  // namespace fuzz
