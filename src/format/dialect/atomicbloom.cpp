// atomicbloom: a Go listing's filter of 64-bit words.
//
//    0  u64  m, bits, at least 1
//    8  u64  k, hashes, at least 1
//   16  u64  words = ceil(m / 64)
//   24  ..   words, little-endian: bits LSB-first
//
// h1 = XXH64(key, 0); h2 = h1 rotated right by 33, or 1 if that is 0;
// bit i = (h1 + i h2) mod m.  All from one 64-bit hash: the rate is a little above
// theory.
#include <bit>
#include <cmath>
#include <numbers>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/probes.hpp"
#include "hash/xxh.hpp"

namespace bloomery::format {
namespace {

constexpr std::size_t header = 24;

struct rule {
  template <class Visit>
  static bool walk(const layout& l, std::string_view key, Visit visit) noexcept {
    const std::uint64_t h1 = hash::xxh64(key, 0);
    const std::uint64_t h2 = std::rotr(h1, 33);
    return arithmetic_walk(
        h1, h2 == 0 ? 1 : h2, probes_of(l),
        [&](std::uint64_t h) noexcept { return h % l.bits; }, visit);
  }
};

result<layout> inspect(std::span<const std::byte> bytes,
                       const foreign_options&) noexcept {
  base::byte_reader in(bytes);
  const auto m = in.read<std::uint64_t>();
  const auto k = in.read<std::uint64_t>();
  const auto words = in.read<std::uint64_t>();
  if (!in.ok()) return too_short(bytes.size(), header);
  if (m == 0) return damaged("the number of bits (m) is 0", 0);
  if (k == 0) return damaged("the number of hashes (k) is 0", 8);
  if (k > 0xffffffff) return damaged("an absurd number of hashes (k)", 8);
  if (words != m / 64 + (m % 64 != 0))
    return damaged("the number of words is not ceil(m / 64)", 16);
  if (auto ok = check_length(bytes.size(), header, words, 8); !ok) return ok.error();
  layout l;
  l.variant = "words";
  l.hash = "xxh64";
  l.at = header;
  l.length = 8 * words;
  l.bits = m;
  l.hashes = static_cast<std::uint32_t>(k);
  return l;
}

result<pages> make(const foreign_params& p) noexcept {
  const auto size = classic_size(p, [](double bits_per_key) {
    return std::max(1.0, std::round(bits_per_key * std::numbers::ln2));
  });
  if (!size) return size.error();
  const std::uint64_t words = (size->bits + 63) / 64;
  auto image = pages::make(header + 8 * words);
  if (!image) return image;
  base::byte_writer out(image->bytes());
  out.write(size->bits);
  out.write(std::uint64_t{size->hashes});
  out.write(words);
  return image;
}

}  // namespace

constinit const dialect atomicbloom_dialect{
    .facts = {.name = "atomicbloom",
              .summary = "a Go listing: m, k and 64-bit words",
              .hash = "xxh64",
              .variants = "words",
              .needs = "",
              .writes = true,
              .integers = number_keys::plain,
              .texts = false},
    .could_be = possible_if_inspected<inspect>,
    .inspect = inspect,
    .may_contain = bloom_may_contain<rule>,
    .count = bloom_count,
    .make = make,
    .insert = bloom_insert<rule>,
};

}  // namespace bloomery::format
