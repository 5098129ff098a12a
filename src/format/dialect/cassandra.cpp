// cassandra: Filter.db of an SSTable.
//
//    0  i32  k, hashes, at least 1; big-endian
//    4  i32  number of words, at least 1; big-endian
//    8  ..   words
//
//   new  SSTable versions "na" and later, and "da": bits LSB-first
//   old  "la" to "me": every word big-endian, that is its bytes reversed
//   ka   "ka" and before: as old, and the two hashes change places
// The SSTable's name has the version; these bytes do not record it.
//
// (h0, h1) = Cassandra's murmur3 x64_128(key, 0); base = h1, step = h0 (ka: base = h0,
// step = h1); bit i = |base + i step| mod N, the sum as a signed 64-bit number; N = 64
// words.  The key is the partition key as it is stored.
#include <cmath>
#include <iterator>
#include <utility>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/dialect/cassandra_rates.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/probes.hpp"
#include "hash/murmur.hpp"

namespace bloomery::format {
namespace {

constexpr std::size_t header = 8;
constexpr std::uint64_t most = 0x7fffffff;  // words, and hashes
constexpr std::uint64_t excess_bits = 20;   // that Cassandra adds

constexpr const char* variants[] = {"new", "old", "ka"};  // layout::number[0]
enum : std::uint64_t { is_new, is_old, is_ka };

struct rule {
  template <class Visit>
  static bool walk(const layout& l, std::string_view key, Visit visit) noexcept {
    auto [step, base] = hash::murmur3_x64_128_signed_tail(key, 0);
    if (l.number[0] == is_ka) std::swap(step, base);
    return arithmetic_walk(
        base, step, probes_of(l),
        [&](std::uint64_t h) noexcept { return (h >> 63 != 0 ? 0 - h : h) % l.bits; },
        visit);
  }
};

result<std::uint64_t> variant_of(std::string_view name) noexcept {
  for (std::uint64_t i = 0; i < std::size(variants); ++i)
    if (name == variants[i]) return i;
  return missing("the bytes do not record the variant: new, old or ka; give it");
}

result<layout> inspect(std::span<const std::byte> bytes,
                       const foreign_options& o) noexcept {
  base::byte_reader in(bytes);
  const auto k = in.read_be<std::uint32_t>();
  const auto words = in.read_be<std::uint32_t>();
  if (!in.ok()) return too_short(bytes.size(), header);
  if (k == 0 || k > most) return damaged("the number of hashes (k) is not positive", 0);
  if (words == 0 || words > most)
    return damaged("the number of words is not positive", 4);
  if (auto ok = check_length(bytes.size(), header, words, 8); !ok) return ok.error();
  const auto variant = variant_of(o.variant);
  if (!variant) return variant.error();
  layout l;
  l.variant = variants[*variant];
  l.hash = "cassandra-murmur3-x64-128";
  l.at = header;
  l.length = 8 * std::uint64_t{words};
  l.bits = 64 * std::uint64_t{words};
  l.hashes = k;
  l.order = *variant == is_new ? bit_order::lsb_first : bit_order::be_words;
  l.number[0] = *variant;
  return l;
}

likeness could_be(std::span<const std::byte> bytes) noexcept {
  foreign_options any;
  any.variant = variants[is_new];
  return inspect(bytes, any) ? likeness::possible : likeness::no;
}

// Bits and hashes that are given explicitly, or n times the bits the table has for the
// rate (or for the bits per key), and twenty.
result<bloom_size> size_of(const foreign_params& p) noexcept {
  if (auto ok = check_request(p); !ok) return ok.error();
  if (p.bits) {
    if (!p.hashes) return missing("the number of hashes does not follow: give it");
    return checked_size(static_cast<double>(*p.bits), *p.hashes);
  }
  bloom_choice choice;
  if (p.bits_per_key) {
    choice.buckets = static_cast<std::uint32_t>(
        std::min(std::max(1.0, std::floor(*p.bits_per_key)), double{max_buckets}));
    choice.hashes = best_hashes(choice.buckets);
  } else {
    const double fpr = p.fpr.value_or(default_fpr);
    if (fpr < min_rate)
      return error{errc::unattainable, "Cassandra has no filters of so low a rate", 0,
                   fpr, min_rate};
    choice = choose_by_rate(fpr);
  }
  // Far above any n that is accepted, so that the product is exact.
  if (p.keys > most * 64)
    return error{errc::too_large, "too many keys", 0, static_cast<double>(p.keys),
                 static_cast<double>(most * 64)};
  const std::uint64_t bits = p.keys * choice.buckets + excess_bits;
  return checked_size(static_cast<double>(bits), p.hashes.value_or(choice.hashes));
}

result<pages> make(const foreign_params& p) noexcept {
  const auto size = size_of(p);
  if (!size) return size.error();
  const std::uint64_t words = (size->bits + 63) / 64;
  if (size->hashes > most || words > most)
    return error{errc::too_large, "Cassandra has less than 2^31 words, and hashes"};
  auto image = pages::make(header + 8 * words);
  if (!image) return image;
  base::byte_writer out(image->bytes());
  out.write_be(size->hashes);
  out.write_be(static_cast<std::uint32_t>(words));
  return image;
}

// new and old hold the same bits in another order.
result<pages> encode(const layout& l, const image& from,
                     std::string_view variant) noexcept {
  const auto wanted = variant_of(variant);
  if (!wanted || (*wanted == is_ka) != (l.number[0] == is_ka))
    return error{errc::unsupported,
                 "a filter of ka has other bits than one of old or new"};
  auto copy = pages::make(from.bytes.size());
  if (!copy) return copy;
  const bool reverse = *wanted != l.number[0];
  for (std::size_t i = 0; i < from.bytes.size(); ++i)
    copy->data()[i] = from.bytes[reverse && i >= header ? i ^ 7 : i];
  return copy;
}

}  // namespace

constinit const dialect cassandra_dialect{
    .facts = {.name = "cassandra",
              .summary = "Apache Cassandra's Filter.db",
              .hash = "cassandra-murmur3-x64-128",
              .variants = "new old ka",
              .needs = "variant",
              .writes = true,
              .integers = number_keys::plain,
              .texts = false},
    .could_be = could_be,
    .inspect = inspect,
    .may_contain = bloom_may_contain<rule>,
    .count = bloom_count,
    .make = make,
    .insert = bloom_insert<rule>,
    .encode = encode,
};

}  // namespace bloomery::format
