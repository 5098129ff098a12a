// spark: org.apache.spark.util.sketch.BloomFilter.writeTo.  All numbers are big-endian.
//
//    0  i32  version, 1 or 2
//    4  i32  k, hashes, at least 1
//    8  i32  seed                        version 2 only
//    .  i32  number of longs, at least 1
//    .  ..   longs, big-endian: bit i is bit i % 64 of long i / 64
//
// h1 = spark_murmur3(key, seed), h2 = spark_murmur3(key, h1), both signed; version 1 has
// the seed 0.  N = 64 longs.
//   v1  c = h1 + i h2 as a 32-bit integer, i = 1 ..
//   v2  c = h1 (2^31 - 1) + i h2 as a 64-bit integer, i = 1 ..
// bit = (~c if c is negative, else c) mod N.  Integers of every width are hashed as the 8
// bytes of a long.
#include <cmath>
#include <numbers>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/probes.hpp"
#include "hash/spark_murmur.hpp"

namespace bloomery::format {
namespace {

constexpr std::uint64_t most = 0x7fffffff;  // longs, and hashes

enum : std::uint64_t { v1 = 1, v2 = 2 };  // layout::number[0]

constexpr std::size_t header_of(std::uint64_t version) noexcept {
  return version == v2 ? 16 : 12;
}

constexpr std::uint64_t sign_extended(std::uint32_t v) noexcept {
  return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(v)});
}

struct rule {
  template <class Visit>
  static bool walk(const layout& l, std::string_view key, Visit visit) noexcept {
    const auto h1 = hash::spark_murmur3(key, static_cast<std::uint32_t>(l.seed));
    const std::uint64_t h2 = sign_extended(hash::spark_murmur3(key, h1));
    if (l.number[0] == v2)
      return arithmetic_walk(
          sign_extended(h1) * 0x7fffffff + h2, h2, probes_of(l),
          [&](std::uint64_t c) noexcept { return (c >> 63 != 0 ? ~c : c) % l.bits; },
          visit);
    return arithmetic_walk(
        h1 + h2, h2, probes_of(l),
        [&](std::uint64_t sum) noexcept { return complement_if_negative(sum) % l.bits; },
        visit);
  }
};

result<layout> inspect(std::span<const std::byte> bytes,
                       const foreign_options& o) noexcept {
  base::byte_reader in(bytes);
  const auto version = in.read_be<std::uint32_t>();
  if (!in.ok()) return too_short(bytes.size(), header_of(v1));
  if (version != v1 && version != v2)
    return error{errc::unsupported, "a version other than 1 and 2", 0,
                 static_cast<double>(version), v2};
  const std::size_t header = header_of(version);
  const auto k = in.read_be<std::uint32_t>();
  const auto seed = version == v2 ? in.read_be<std::uint32_t>() : 0;
  const auto longs = in.read_be<std::uint32_t>();
  if (!in.ok()) return too_short(bytes.size(), header);
  if (k == 0 || k > most) return damaged("the number of hashes (k) is not positive", 4);
  if (longs == 0 || longs > most)
    return damaged("the number of longs is not positive", header - 4);
  if (auto ok = check_length(bytes.size(), header, longs, 8); !ok) return ok.error();
  layout l;
  l.variant = version == v2 ? "v2" : "v1";
  if (auto ok = check_variant(o, l.variant); !ok) return ok.error();
  l.hash = "spark-murmur3-x86-32";
  l.at = header;
  l.length = 8 * std::uint64_t{longs};
  l.bits = 64 * std::uint64_t{longs};
  l.hashes = k;
  l.order = bit_order::be_words;
  l.form = o.form;
  l.seed = seed;
  l.number[0] = version;
  return l;
}

// A 32-bit number, with or without its sign extended.
bool fits_seed(std::uint64_t seed) noexcept {
  const auto low = static_cast<std::uint32_t>(seed);
  return seed == low || seed == sign_extended(low);
}

result<pages> make(const foreign_params& p) noexcept {
  constexpr double ln2 = std::numbers::ln2;
  const auto size = owner_size(p, 0.03, truncated_bits,
                               [](double bits, double n, std::optional<double>) {
                                 return std::max(1.0, std::floor(bits / n * ln2 + 0.5));
                               });
  if (!size) return size.error();
  const std::uint64_t version = p.variant == "v1" ? v1 : v2;
  const std::uint64_t seed = p.seed.value_or(0);
  if (!fits_seed(seed) || (version == v1 && seed != 0))
    return error{errc::invalid_argument, "the seed has 32 bits, and version 1 has none"};
  const std::uint64_t longs = (size->bits + 63) / 64;
  if (size->hashes > most || longs > most)
    return error{errc::too_large, "Spark has less than 2^31 longs, and hashes"};
  auto image = pages::make(header_of(version) + 8 * longs);
  if (!image) return image;
  base::byte_writer out(image->bytes());
  out.write_be(static_cast<std::uint32_t>(version));
  out.write_be(size->hashes);
  if (version == v2) out.write_be(static_cast<std::uint32_t>(seed));
  out.write_be(static_cast<std::uint32_t>(longs));
  return image;
}

}  // namespace

constinit const dialect spark_dialect{
    .facts = {.name = "spark",
              .summary = "Apache Spark's sketch BloomFilter, versions 1 and 2",
              .hash = "spark-murmur3-x86-32",
              .variants = "v2 v1",
              .needs = "",
              .writes = true,
              .integers = number_keys::sign_extended,
              .texts = false,
              .signed_seed = true},
    .could_be = possible_if_inspected<inspect>,
    .inspect = inspect,
    .may_contain = bloom_may_contain<rule>,
    .count = bloom_count,
    .make = make,
    .insert = bloom_insert<rule>,
};

}  // namespace bloomery::format
