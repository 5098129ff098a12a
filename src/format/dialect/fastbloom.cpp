// fastbloom, a Rust crate, from 0.16 on: the words of its bit vector and nothing else.
//
//    0  ..   words, little-endian: bits LSB-first; N = 64 * words
//
// H = SipHash-1-3 of the key, fed as Rust's Hash does (rust_key.hpp); its key are the
// big-endian bytes of the 128-bit seed.  Bit 0 is H * N / 2^64.  Then c = H, and for each
// further bit c = rotl(c, 5) + H * 0x517cc1b727220a95 and the bit is c * N / 2^64.
// Neither the hashes nor the seed are in the bytes.
#include <bit>
#include <cmath>
#include <numbers>

#include "base/multiply.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/probes.hpp"
#include "format/dialect/rust_key.hpp"

namespace bloomery::format {
namespace {

// What a big-endian word is to a little-endian reader.
constexpr std::uint64_t reversed(std::uint64_t v) noexcept {
  std::uint64_t out = 0;
  for (int i = 0; i < 8; ++i, v >>= 8) out = out << 8 | (v & 0xff);
  return out;
}

struct rule {
  template <class Visit>
  static bool walk(const layout& l, std::string_view key, Visit visit) noexcept {
    // The upper 64 of the 128 bits of the seed, which come first, are zero.
    const std::uint64_t h = rust_siphash13(l.form, key, 0, reversed(l.seed));
    const std::uint64_t step = h * 0x517cc1b727220a95;
    const std::uint64_t probes = probes_of(l);
    std::uint64_t c = h;
    for (std::uint64_t i = 0; i < probes; ++i, c = std::rotl(c, 5) + step)
      if (!visit(base::multiply_high(c, l.bits))) return false;
    return true;
  }
};

result<layout> inspect(std::span<const std::byte> bytes,
                       const foreign_options& o) noexcept {
  if (!o.hashes) return missing("the bytes do not record the number of hashes: give it");
  if (*o.hashes == 0)
    return error{errc::invalid_argument, "the number of hashes must be at least 1"};
  if (!o.seed) return missing("the bytes do not record the seed: give it");
  if (bytes.empty()) return damaged("there are no words", 0);
  if (bytes.size() % 8 != 0)
    return damaged("the length is not a multiple of 8", bytes.size() / 8 * 8);
  layout l;
  l.variant = "words";
  l.hash = "siphash13";
  l.length = bytes.size();
  l.bits = 8 * l.length;
  l.hashes = *o.hashes;
  l.form = o.form;
  l.seed = *o.seed;
  return l;
}

// Every length that 8 divides would do: the bytes say nothing.
likeness could_be(std::span<const std::byte>) noexcept { return likeness::no; }

double whole_words(double bits) noexcept { return std::ceil(bits / 64) * 64; }

// Eights of bits by the rate, then whole words; the hashes by the bits that makes.
result<bloom_size> size_for(const foreign_params& p) noexcept {
  constexpr double ln2 = std::numbers::ln2;
  return owner_size(
      p, default_fpr,
      [](double n, double fpr) {
        return std::max(64.0, 8 * std::ceil(n * std::log(fpr) / (-8 * (ln2 * ln2))));
      },
      [](double bits, double n, std::optional<double>) {
        return std::max(1.0, std::round(ln2 * whole_words(bits) / n));
      });
}

result<foreign_params> settle(const foreign_params& p) noexcept {
  if (!p.seed)
    return missing("the owner draws a seed that the bytes do not record: give one");
  const auto size = size_for(p);
  if (!size) return size.error();
  foreign_params all = p;
  all.hashes = size->hashes;
  return all;
}

result<pages> make(const foreign_params& p) noexcept {
  const auto size = size_for(p);
  if (!size) return size.error();
  return pages::make((size->bits + 63) / 64 * 8);
}

}  // namespace

constinit const dialect fastbloom_dialect{
    .facts = {.name = "fastbloom",
              .summary = "the Rust crate fastbloom, 0.16 and later: its words",
              .hash = "siphash13",
              .variants = "words",
              .needs = "hashes seed",
              .writes = true,
              .integers = number_keys::own_width,
              .texts = true,
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
