// blockbloom: a Go listing's blocks of eight 64-bit words, and nothing around them.
//
//    0  ..   blocks of 64 bytes: words little-endian, so bits LSB-first
//
// h = XXH64(key, 0); the block is h mod blocks; x = h | 1, then for each hash
// x ^= x << 13, x ^= x >> 7, x ^= x << 17, and the bit is x mod 512.
//
// The same text has an earlier version, `section`, where x starts at h itself: half of
// all keys differ, and h = 0 has only bit 0.  The bytes do not distinguish the two, nor
// record how many hashes there are.
#include <cmath>
#include <numbers>

#include "format/dialect/check.hpp"
#include "format/dialect/probes.hpp"
#include "hash/xxh.hpp"

namespace bloomery::format {
namespace {

constexpr std::uint64_t block_bytes = 64, block_bits = 512;
constexpr std::uint32_t max_hashes = 16;

constexpr bool is_section(std::string_view variant) noexcept {
  return variant == "section";
}

struct rule {
  template <class Visit>
  static bool walk(const layout& l, std::string_view key, Visit visit) noexcept {
    const std::uint64_t h = hash::xxh64(key, 0);
    const std::uint64_t first = h % (l.bits / block_bits) * block_bits;
    std::uint64_t x = l.number[0] != 0 ? h : h | 1;
    for (std::uint32_t i = 0; i < l.hashes; ++i) {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
      if (!visit(first + x % block_bits)) return false;
    }
    return true;
  }
};

result<void> check_hashes(double k) noexcept {
  if (k >= 1 && k <= max_hashes) return {};
  return error{errc::invalid_argument, "the number of hashes must be 1 to 16", 0, k,
               max_hashes};
}

result<layout> inspect(std::span<const std::byte> bytes,
                       const foreign_options& o) noexcept {
  if (bytes.empty()) return damaged("no blocks", 0);
  if (bytes.size() % block_bytes != 0)
    return damaged("not a whole number of blocks of 64 bytes",
                   bytes.size() / block_bytes * block_bytes);
  if (!o.hashes) return missing("the bytes do not record the number of hashes: give it");
  if (auto ok = check_hashes(*o.hashes); !ok) return ok.error();
  if (o.variant.empty())
    return missing("the bytes do not record the variant: appendix or section");
  layout l;
  l.variant = is_section(o.variant) ? "section" : "appendix";
  l.hash = "xxh64";
  l.at = 0;
  l.length = bytes.size();
  l.bits = 8 * l.length;
  l.hashes = *o.hashes;
  l.number[0] = is_section(o.variant);
  return l;
}

likeness could_be(std::span<const std::byte> bytes) noexcept {
  return !bytes.empty() && bytes.size() % block_bytes == 0 ? likeness::possible
                                                           : likeness::no;
}

// A fifth more bits than a classic filter, for keys that crowd in a block.
result<bloom_size> size_for(const foreign_params& p) noexcept {
  if (auto ok = check_request(p); !ok) return ok.error();
  constexpr double ln2 = std::numbers::ln2;
  const double n = static_cast<double>(p.keys);
  const double bits_per_key =
      p.bits_per_key ? *p.bits_per_key
      : p.bits && p.keys != 0
          ? static_cast<double>(*p.bits) / n
          : std::ceil(-std::log(p.fpr.value_or(default_fpr)) / (ln2 * ln2)) * 1.2;
  if (p.bits && p.keys == 0 && !p.hashes)
    return missing("bits without a number of keys: give the number of hashes, too");
  if (p.bits && *p.bits % block_bits != 0)
    return error{errc::invalid_argument, "the number of bits must be a multiple of 512"};
  const double blocks = std::max(
      1.0, p.bits ? static_cast<double>(*p.bits / block_bits)
                  : std::ceil(bits_per_key * n / static_cast<double>(block_bits)));
  const double hashes = p.hashes ? static_cast<double>(*p.hashes)
                                 : std::clamp(std::round(bits_per_key * ln2), 1.0,
                                              static_cast<double>(max_hashes));
  if (auto ok = check_hashes(hashes); !ok) return ok.error();
  return checked_size(blocks * static_cast<double>(block_bits), hashes);
}

result<foreign_params> settle(const foreign_params& p) noexcept {
  const auto size = size_for(p);
  if (!size) return size.error();
  foreign_params all = p;
  all.bits = size->bits;
  all.hashes = size->hashes;
  return all;
}

// REQUIRES: p is settled
result<pages> make(const foreign_params& p) noexcept { return pages::make(*p.bits / 8); }

}  // namespace

constinit const dialect blockbloom_dialect{
    .facts = {.name = "blockbloom",
              .summary = "a Go listing: bare blocks of 512 bits",
              .hash = "xxh64",
              .variants = "appendix section",
              .needs = "hashes variant",
              .writes = true,
              .integers = number_keys::plain,
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
