// ClickHouse: one granule of a data-skipping index, out of its compressed file.
//
//   tokenbf   of tokenbf_v1 and ngrambf_v1: bits, LSB-first, and nothing else; size,
//             hashes and seed are in the index's definition
//   granule   of bloom_filter, over one column: varuint rows, then
//             ceil(bits per row * rows / 8) bytes of bits, LSB-first
//
// tokenbf: h1 = City64WithSeed(token, seed), h2 = City64WithSeed(token, 845897321 * seed
// + 217728422); bit i = (h1 + i h2 + i i mod 2^64) mod m.
// granule: h = City64(string), or intHash64(number); bit i = city_mix(h, seed_i) mod m.
// m is 8 times the bytes.  The bytes do not distinguish the two.
#include <cmath>

#include <bloomery/detail/hash/mix.hpp>
#include "base/bits.hpp"
#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/dialect/cassandra_rates.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/probes.hpp"
#include "hash/cityhash.hpp"
#include "hash/load.hpp"

namespace bloomery::format {
namespace {

constexpr const char *tokenbf = "tokenbf", *granule = "granule";
enum : std::uint64_t { is_tokenbf, is_granule };  // layout::number[0]

// One for each hash of a granule: there can be no more.
constexpr std::uint64_t seeds[] = {
    13635471485423070496u, 10336109063487487899u, 17779957404565211594u,
    8988612159822229247u,  4954614162757618085u,  12980113590177089081u,
    9263883436177860930u,  3656772712723269762u,  10362091744962961274u,
    7582936617938287249u,  15033938188484401405u, 18286745649494826751u,
    6852245486148412312u,  8886056245089344681u,  10151472371158292780u};
constexpr double granule_fpr = 0.025;  // the owner's default

// Numbers shorter than 8 bytes are widened with zeros.
std::uint64_t value_hash(const layout& l, std::string_view key) noexcept {
  if (l.form != key_form::integer) return hash::city64(key);
  return hash::fmix64(hash::load_le(key, 0, std::min<std::size_t>(key.size(), 8)));
}

struct rule {
  template <class Visit>
  static bool walk(const layout& l, std::string_view key, Visit visit) noexcept {
    if (l.number[0] == is_granule) {
      const std::uint64_t h = value_hash(l, key);
      for (std::uint32_t i = 0; i < l.hashes; ++i)
        if (!visit(hash::city_mix(h, seeds[i]) % l.bits)) return false;
      return true;
    }
    const std::uint64_t h1 = hash::city64_with_seed(key, l.seed);
    const std::uint64_t h2 = hash::city64_with_seed(key, 845897321 * l.seed + 217728422);
    const std::uint64_t probes = probes_of(l);
    for (std::uint64_t i = 0; i < probes; ++i)
      if (!visit((h1 + i * h2 + i * i) % l.bits)) return false;
    return true;
  }
};

// LEB128, at most 10 bytes; a number beyond 64 bits is none.
bool read_varuint(base::byte_reader& in, std::uint64_t& value) noexcept {
  value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    const auto b = in.read<std::uint8_t>();
    if (!in.ok() || (shift == 63 && b > 1)) return false;
    value |= std::uint64_t{b & 0x7fu} << shift;
    if (b < 0x80) return true;
  }
  return false;
}

void write_varuint(base::byte_writer& out, std::uint64_t value) noexcept {
  for (; value >= 0x80; value >>= 7)
    out.write(static_cast<std::uint8_t>((value & 0x7f) | 0x80));
  out.write(static_cast<std::uint8_t>(value));
}

std::size_t varuint_size(std::uint64_t value) noexcept {
  std::size_t size = 1;
  for (; value >= 0x80; value >>= 7) ++size;
  return size;
}

// Some whole number of bits per row, 1 .. max_buckets, must give this length.
result<void> check_granule(std::uint64_t rows, std::uint64_t header,
                           std::uint64_t size) noexcept {
  const std::uint64_t length = size - header;
  if (rows == 0) return damaged("a granule without rows", 0);
  if (length == 0 || rows > 8 * length)
    return damaged("truncated: less than a bit for each row", size);
  const std::uint64_t bits_per_row = 8 * (length - 1) / rows + 1;  // the fewest
  if (bits_per_row > max_buckets)
    return damaged("more bits for each row than an index has: several columns?", header);
  if (bits_per_row * rows > 8 * length)
    return damaged("not a whole number of bits for each row", header);
  return {};
}

result<layout> inspect(std::span<const std::byte> bytes,
                       const foreign_options& o) noexcept {
  if (o.variant.empty())
    return missing("the bytes do not record the variant: tokenbf or granule; give it");
  if (!o.hashes) return missing("the bytes do not record the number of hashes: give it");
  layout l;
  l.hash = "cityhash64-1.0.2";
  l.hashes = *o.hashes;
  l.form = o.form;
  if (*o.hashes == 0)
    return error{errc::invalid_argument, "the number of hashes must be at least 1"};
  if (o.variant == tokenbf) {
    if (o.form == key_form::integer)
      return error{errc::invalid_argument, "tokens are text, not numbers"};
    if (bytes.empty()) return damaged("there are no bits", 0);
    l.variant = tokenbf;
    l.number[0] = is_tokenbf;
    if (!o.seed) return missing("the bytes do not record the seed: give it");
    l.seed = *o.seed;
  } else {
    if (*o.hashes > std::size(seeds))
      return error{errc::invalid_argument, "granules have at most 15 hashes"};
    base::byte_reader in(bytes);
    if (!read_varuint(in, l.capacity))
      return damaged("the number of rows is no varuint", in.offset());
    l.variant = granule;
    l.number[0] = is_granule;
    l.at = in.offset();
    if (auto ok = check_granule(l.capacity, l.at, bytes.size()); !ok) return ok.error();
  }
  l.length = bytes.size() - l.at;
  l.bits = 8 * l.length;
  return l;
}

// Most bytes could be either: they say nothing.
likeness could_be(std::span<const std::byte>) noexcept { return likeness::no; }

// --- sizes ---

// The owner has no formula here, its user says both: the classic one, in whole bytes.
result<bloom_size> tokenbf_size(const foreign_params& p) noexcept {
  if (p.bits && *p.bits % 8 != 0)
    return error{errc::invalid_argument, "the bits must be a multiple of 8"};
  return classic_size(p, [](double bits_per_key) {
    return std::max(1.0, std::round(bits_per_key * std::numbers::ln2));
  });
}

// Whether a rate of the table, which the owner keeps as a long double, is at most `fpr`.
// A double of the same digits may lie below it: all digits end at the seventh decimal.
bool reaches(double rate, double fpr) noexcept {
  if (rate != fpr) return rate < fpr;
  return std::fma(rate, 1e7, -std::round(rate * 1e7)) >= 0;
}

// The first row that has the rate, then the fewest hashes that keep it; but a row where
// one hash keeps it is passed over: 0.221 to 0.237 end at the last row.
bloom_choice granule_choice(double fpr) noexcept {
  if (fpr >= cassandra_rates[3].rate[1]) return {.hashes = 2, .buckets = 2};
  for (std::uint32_t bits = 2; bits < max_buckets; ++bits) {
    const bloom_rates& row = cassandra_rates[bits];
    std::uint32_t hashes = best_hashes(bits);
    if (!reaches(row.rate[hashes], fpr) || reaches(row.rate[1], fpr)) continue;
    while (reaches(row.rate[hashes - 1], fpr)) --hashes;  // ends at [1]
    return {.hashes = hashes, .buckets = bits};
  }
  return {.hashes = 13, .buckets = max_buckets - 1};
}

result<bloom_choice> granule_size(const foreign_params& p) noexcept {
  if (p.bits)
    return error{errc::invalid_argument, "a granule is sized by rows and bits per row"};
  if (auto ok = check_request(p); !ok) return ok.error();
  if (p.keys > static_cast<std::uint64_t>(max_bits) / max_buckets)
    return error{errc::too_large, "too many keys", 0, static_cast<double>(p.keys)};
  bloom_choice choice = granule_choice(p.fpr.value_or(granule_fpr));
  if (p.bits_per_key) {
    if (*p.bits_per_key > max_buckets || std::floor(*p.bits_per_key) != *p.bits_per_key)
      return error{errc::invalid_argument, "bits per row are a whole number up to 20", 0,
                   *p.bits_per_key, max_buckets};
    choice.buckets = static_cast<std::uint32_t>(*p.bits_per_key);
    choice.hashes = best_hashes(choice.buckets);
  }
  choice.hashes = p.hashes.value_or(choice.hashes);
  return choice;
}

result<foreign_params> settle(const foreign_params& p) noexcept {
  foreign_params all = p;
  if (p.variant == granule) {
    const auto size = granule_size(p);
    if (!size) return size.error();
    all.hashes = size->hashes;
  } else {
    const auto size = tokenbf_size(p);
    if (!size) return size.error();
    all.hashes = size->hashes;
    all.seed = p.seed.value_or(0);
  }
  return all;
}

result<pages> make(const foreign_params& p) noexcept {
  if (p.variant != granule) {
    const auto size = tokenbf_size(p);
    if (!size) return size.error();
    return pages::make(base::bytes_for_bits(size->bits));
  }
  const auto size = granule_size(p);
  if (!size) return size.error();
  auto image =
      pages::make(varuint_size(p.keys) + base::bytes_for_bits(p.keys * size->buckets));
  if (!image) return image;
  base::byte_writer out(image->bytes());
  write_varuint(out, p.keys);
  return image;
}

}  // namespace

constinit const dialect clickhouse_dialect{
    .facts = {.name = "clickhouse",
              .summary =
                  "a granule of ClickHouse's tokenbf_v1, ngrambf_v1 or bloom_filter",
              .hash = "cityhash64-1.0.2",
              .variants = "tokenbf granule",
              .needs = "variant hashes seed",  // a granule has no seed
              .writes = true,
              .integers = number_keys::zero_extended,
              .texts = false,
              .any_bytes = true},
    .could_be = could_be,
    .inspect = inspect,
    .may_contain = bloom_may_contain<rule>,
    .count = bloom_count,
    .settle = settle,
    .make = make,
    .insert = bloom_insert<rule>,
};

}  // namespace bloomery::format
