// The Rust crate bloomfilter 3.x (`to_bytes`), which valkey-bloom keeps its filters in.
//
//    0  u8   1, the version
//    1  u64  bytes of bits, at least 1
//    9  u32  k, hashes, at least 1
//   13  ..   seed, 32 bytes: two SipHash keys of two little-endian words
//   45  ..   bits, LSB-first; N = 8 * bytes
//
// s0, s1 = SipHash-1-3 of the key, fed as Rust's Hash does (rust_key.hpp), with the two
// keys.  Bit 0 is s0 mod N, bit 1 is s1 mod N; further ones are
// (s0 + i s1 mod 2^64) mod (2^64 - 59) mod N.
#include <array>
#include <cmath>
#include <numbers>

#include <bloomery/detail/hash/mix.hpp>
#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/probes.hpp"
#include "format/dialect/rust_key.hpp"

namespace bloomery::format {
namespace {

constexpr std::size_t header = 45;
constexpr std::uint8_t version = 1;
constexpr std::uint64_t prime = 0xffffffffffffffc5;  // 2^64 - 59

using seed_words = std::array<std::uint64_t, 4>;  // layout::number has them

// The seed of every filter of valkey-bloom before it drew them at random.
constexpr seed_words valkey_seed{15713473521876537177u, 15671187751654921383u,
                                 9766223185946773789u, 9453907914610147120u};

// Ours: the owner draws 32 random bytes.  Four steps of SplitMix64 from `seed`.
constexpr seed_words expanded(std::uint64_t seed) noexcept {
  seed_words out{};
  for (std::uint64_t& word : out) {
    word = hash::splitmix64(seed);
    seed += 0x9e3779b97f4a7c15;
  }
  return out;
}

struct rule {
  template <class Visit>
  static bool walk(const layout& l, std::string_view key, Visit visit) noexcept {
    const std::uint64_t* seed = l.number;
    const std::uint64_t s0 = rust_siphash13(l.form, key, seed[0], seed[1]);
    const std::uint64_t s1 = rust_siphash13(l.form, key, seed[2], seed[3]);
    const std::uint64_t probes = probes_of(l);
    for (std::uint64_t i = 0; i < probes; ++i) {
      const std::uint64_t h = i == 0 ? s0 : i == 1 ? s1 : (s0 + i * s1) % prime;
      if (!visit(h % l.bits)) return false;
    }
    return true;
  }
};

result<layout> inspect(std::span<const std::byte> bytes,
                       const foreign_options& o) noexcept {
  base::byte_reader in(bytes);
  const auto stored_version = in.read<std::uint8_t>();
  const auto length = in.read<std::uint64_t>();
  layout l;
  l.hashes = in.read<std::uint32_t>();
  for (unsigned i = 0; i < 4; ++i) l.number[i] = in.read<std::uint64_t>();
  if (!in.ok()) return too_short(bytes.size(), header);
  if (stored_version != version)
    return error{errc::unsupported, "the version is not 1", 0};
  if (length == 0) return damaged("the number of bytes is 0", 1);
  if (l.hashes == 0) return damaged("the number of hashes (k) is 0", 9);
  if (auto ok = check_length(bytes.size(), header, length, 1); !ok) return ok.error();
  l.variant = "v3";
  l.hash = "siphash13";
  l.at = header;
  l.length = length;
  l.bits = 8 * length;
  l.form = o.form;
  l.seed = l.number[0];
  return l;
}

// ceil(-n ln p / (8 ln 2 ln 2)) bytes, in the owner's order of operations.
result<bloom_size> size_for(const foreign_params& p) noexcept {
  if (auto ok = check_request(p); !ok) return ok.error();
  constexpr double ln2 = std::numbers::ln2;
  if (p.bits && *p.bits % 8 != 0)
    return error{errc::invalid_argument, "the bits must be a multiple of 8"};
  if (!p.hashes && p.keys == 0)
    return error{errc::invalid_argument, "the number of keys must be at least 1"};
  const double n = static_cast<double>(p.keys);
  const double bytes =
      p.bits ? static_cast<double>(*p.bits / 8)
      : p.bits_per_key
          ? std::ceil(n * *p.bits_per_key / 8)
          : std::ceil(n * std::log(p.fpr.value_or(default_fpr)) / (-8.0 * (ln2 * ln2)));
  const double hashes = p.hashes ? static_cast<double>(*p.hashes)
                                 : std::max(1.0, std::round(8 * bytes / n * ln2));
  return checked_size(8 * bytes, hashes);
}

result<pages> make(const foreign_params& p) noexcept {
  const auto size = size_for(p);
  if (!size) return size.error();
  auto image = pages::make(header + size->bits / 8);
  if (!image) return image;
  base::byte_writer out(image->bytes());
  out.write(version);
  out.write(size->bits / 8);
  out.write(size->hashes);
  for (const std::uint64_t word : p.seed ? expanded(*p.seed) : valkey_seed)
    out.write(word);
  return image;
}

}  // namespace

constinit const dialect rust_bloomfilter_dialect{
    .facts = {.name = "rust-bloomfilter",
              .summary = "the Rust crate bloomfilter 3.x, as to_bytes writes it",
              .hash = "siphash13",
              .variants = "v3",
              .needs = "",
              .writes = true,
              .integers = number_keys::own_width,
              .texts = true},
    .could_be = possible_if_inspected<inspect>,
    .inspect = inspect,
    .may_contain = bloom_may_contain<rule>,
    .count = bloom_count,
    .make = make,
    .insert = bloom_insert<rule>,
};

}  // namespace bloomery::format
