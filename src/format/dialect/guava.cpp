// guava: com.google.common.hash.BloomFilter.writeTo.
//
//    0  u8   strategy: 0 MURMUR128_MITZ_32, 1 MURMUR128_MITZ_64
//    1  u8   k, hashes, at least 1
//    2  i32  number of longs, at least 1; big-endian
//    6  ..   longs, big-endian: bit i is bit i % 64 of long i / 64
//
// (h1, h2) = murmur3 x64_128(key, 0); N = 64 longs, not the bits that were requested.
//   MITZ_64  bit i = ((h1 + i h2) mod 2^63) mod N, i = 0 ..
//   MITZ_32  c = low(h1) + i high(h1) as a 32-bit integer, i = 1 ..; ~c if it is
//            negative; bit = c mod N.  h2 is not used.
// The bytes of a key are its Funnel's, which the file does not name.
#include <cmath>
#include <numbers>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/probes.hpp"
#include "hash/murmur.hpp"

namespace bloomery::format {
namespace {

constexpr std::size_t header = 6;
constexpr std::uint32_t max_hashes = 255;
constexpr std::uint64_t max_longs = 0x7fffffff;

enum : std::uint64_t { mitz32 = 0, mitz64 = 1 };  // the first byte; layout::number[0]

struct rule {
  template <class Visit>
  static bool walk(const layout& l, std::string_view key, Visit visit) noexcept {
    const auto [h1, h2] = hash::murmur3_x64_128(key, 0);
    if (l.number[0] == mitz64)
      return arithmetic_walk(
          h1, h2, probes_of(l),
          [&](std::uint64_t h) noexcept { return (h & 0x7fffffffffffffff) % l.bits; },
          visit);
    // Only the low 32 bits of the sum count, so 64-bit steps do.
    const std::uint64_t step = h1 >> 32;
    return arithmetic_walk(
        h1 + step, step, probes_of(l),
        [&](std::uint64_t h) noexcept { return complement_if_negative(h) % l.bits; },
        visit);
  }
};

result<layout> inspect(std::span<const std::byte> bytes,
                       const foreign_options& o) noexcept {
  base::byte_reader in(bytes);
  const auto strategy = in.read<std::uint8_t>();
  const auto k = in.read<std::uint8_t>();
  const auto longs = in.read_be<std::uint32_t>();
  if (!in.ok()) return too_short(bytes.size(), header);
  if (strategy > mitz64)
    return error{errc::unsupported, "a strategy that Guava has not had", 0};
  if (k == 0) return damaged("the number of hashes (k) is 0", 1);
  if (longs == 0 || longs > max_longs)
    return damaged("the number of longs is not positive", 2);
  if (auto ok = check_length(bytes.size(), header, longs, 8); !ok) return ok.error();
  layout l;
  l.variant = strategy == mitz64 ? "mitz64" : "mitz32";
  if (auto ok = check_variant(o, l.variant); !ok) return ok.error();
  l.hash = "murmur3-x64-128";
  l.at = header;
  l.length = 8 * std::uint64_t{longs};
  l.bits = 64 * std::uint64_t{longs};
  l.hashes = k;
  l.order = bit_order::be_words;
  l.form = o.form;
  l.number[0] = strategy;
  return l;
}

// Guava's default rate is 0.03.  k is that of Guava 33.4.0 and later, which is computed
// from p; before, it was from m / n, and differs where m is small.
result<pages> make(const foreign_params& p) noexcept {
  constexpr double ln2 = std::numbers::ln2;
  const auto size = owner_size(
      p, 0.03, truncated_bits, [](double bits, double n, std::optional<double> fpr) {
        const double k = fpr ? -std::log(*fpr) / ln2 : bits / n * ln2;
        return std::max(1.0, std::floor(k + 0.5));
      });
  if (!size) return size.error();
  if (size->hashes > max_hashes)
    return error{errc::invalid_argument, "Guava has at most 255 hashes", 0,
                 static_cast<double>(size->hashes), max_hashes};
  const std::uint64_t longs = (size->bits + 63) / 64;
  if (longs > max_longs)
    return error{errc::too_large, "Guava has less than 2^31 longs", 0,
                 static_cast<double>(longs), static_cast<double>(max_longs)};
  auto image = pages::make(header + 8 * longs);
  if (!image) return image;
  base::byte_writer out(image->bytes());
  out.write(static_cast<std::uint8_t>(p.variant == "mitz32" ? mitz32 : mitz64));
  out.write(static_cast<std::uint8_t>(size->hashes));
  out.write_be(static_cast<std::uint32_t>(longs));
  return image;
}

}  // namespace

constinit const dialect guava_dialect{
    .facts = {.name = "guava",
              .summary = "Google Guava's BloomFilter.writeTo",
              .hash = "murmur3-x64-128",
              .variants = "mitz64 mitz32",
              .needs = "",
              .writes = true,
              .integers = number_keys::own_width,
              .texts = false},
    .could_be = possible_if_inspected<inspect>,
    .inspect = inspect,
    .may_contain = bloom_may_contain<rule>,
    .count = bloom_count,
    .make = make,
    .insert = bloom_insert<rule>,
};

}  // namespace bloomery::format
