// datasketches: the Bloom filter of Apache DataSketches.  Little-endian.
//
//    0  u8   longs before the bits: 3 if empty, else 4
//    1  u8   serialization version, 1
//    2  u8   family, 21
//    3  u8   flags: 4 if empty
//    4  u16  k, hashes, at least 1
//    6  u16  0
//    8  u64  seed
//   16  i32  longs of bits, at least 1
//   20  u32  0
//   24  u64  bits set; 2^64 - 1 if not counted ("dirty")     not if empty
//   32  ..   bits, LSB-first                                 not if empty
//
// h0 = XXH64(key, seed), h1 = XXH64(key, h0); for i = 1 .. k
// bit = ((h0 + i h1) >> 1) mod (64 longs).  So too for the key of no bytes: C++ and
// Java's strings ignore it, but Java's byte arrays do not, and a key that is held is
// found.
#include <cmath>
#include <cstring>
#include <numbers>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/probes.hpp"
#include "hash/xxh.hpp"

namespace bloomery::format {
namespace {

constexpr std::size_t preamble = 24, header = 32;
constexpr std::uint8_t empty_flag = 4;
constexpr std::uint64_t not_counted = ~std::uint64_t{0};
// Neither owner finds its way in 2^32 bits: both keep their positions in 32.
constexpr std::uint64_t max_longs_made = (std::uint64_t{1} << 26) - 1;

struct rule {
  template <class Visit>
  static bool walk(const layout& l, std::string_view key, Visit visit) noexcept {
    const std::uint64_t h0 = hash::xxh64(key, l.seed);
    const std::uint64_t h1 = hash::xxh64(key, h0);
    return arithmetic_walk(
        h0 + h1, h1, probes_of(l),
        [&](std::uint64_t h) noexcept { return (h >> 1) % l.bits; }, visit);
  }
};

// Whether it is counted says only how it is written: `variant` may ask for the other.
result<layout> inspect(std::span<const std::byte> bytes,
                       const foreign_options& o) noexcept {
  base::byte_reader in(bytes);
  const auto before = in.read<std::uint8_t>();
  const auto version = in.read<std::uint8_t>();
  const auto family = in.read<std::uint8_t>();
  const auto flags = in.read<std::uint8_t>();
  const auto k = in.read<std::uint16_t>();
  in.take(2);
  const auto seed = in.read<std::uint64_t>();
  const auto longs = in.read<std::uint32_t>();
  in.take(4);
  if (!in.ok()) return too_short(bytes.size(), preamble);
  if (before != 3 && before != 4)
    return damaged("neither 3 nor 4 longs before the bits", 0);
  if (version != 1) return error{errc::unsupported, "a version other than 1", 1};
  if (family != 21) return error{errc::unsupported, "a sketch of another family", 2};
  const bool empty = (flags & empty_flag) != 0;
  if (empty != (before == 3)) return damaged("the empty flag contradicts the length", 3);
  if (k == 0) return damaged("the number of hashes (k) is 0", 4);
  if (longs == 0 || longs > 0x7fffffff)
    return damaged("the number of longs is not positive", 16);
  layout l;
  l.variant = "dirty";
  l.hash = "xxh64";
  l.bits = 64 * std::uint64_t{longs};
  l.hashes = k;
  l.form = o.form;
  l.seed = seed;
  if (empty) {
    if (auto ok = check_length(bytes.size(), preamble, 0, 1); !ok) return ok.error();
    l.at = preamble;
    l.answer = layout::constant::never;
  } else {
    const auto ones = in.read<std::uint64_t>();
    if (!in.ok()) return too_short(bytes.size(), header);
    if (auto ok = check_length(bytes.size(), header, longs, 8); !ok) return ok.error();
    if (ones > l.bits && ones != not_counted)
      return damaged("more bits set than there are", 24);
    l.at = header;
    l.length = 8 * std::uint64_t{longs};
    if (ones != not_counted) l.variant = "counted";
  }
  // An empty filter is both.
  if (!empty)
    if (auto ok = check_variant(o, l.variant); !ok) return ok.error();
  if (!o.variant.empty()) l.variant = o.variant == "counted" ? "counted" : "dirty";
  return l;
}

result<pages> make(const foreign_params& p) noexcept {
  constexpr double ln2 = std::numbers::ln2;
  const auto size = owner_size(
      p, default_fpr, classic_bits, [](double bits, double n, std::optional<double> fpr) {
        return std::max(1.0, std::ceil(fpr ? -std::log(*fpr) / ln2 : bits / n * ln2));
      });
  if (!size) return size.error();
  if (size->hashes > 0xffff)
    return error{errc::invalid_argument, "DataSketches has at most 65535 hashes", 0,
                 static_cast<double>(size->hashes), 0xffff};
  const std::uint64_t longs = (size->bits + 63) / 64;
  if (longs > max_longs_made)
    return error{errc::too_large, "DataSketches reads less than 2^32 bits", 0,
                 static_cast<double>(size->bits), 0x1p32};
  auto image = pages::make(preamble);
  if (!image) return image;
  base::byte_writer out(image->bytes());
  out.write(std::uint8_t{3});
  out.write(std::uint8_t{1});
  out.write(std::uint8_t{21});
  out.write(empty_flag);
  out.write(static_cast<std::uint16_t>(size->hashes));
  out.write(std::uint16_t{0});
  // Its owners take a random one.
  out.write(p.seed.value_or(9001));
  out.write(static_cast<std::uint32_t>(longs));
  return image;
}

void write_count(std::span<std::byte> image, std::uint64_t ones) noexcept {
  base::byte_writer out(image.subspan(preamble));
  out.write(ones);
}

// The empty image has no bits yet.
result<void> give_bits(layout& l, pages& to) noexcept {
  auto larger = pages::make(static_cast<std::size_t>(header + l.bits / 8));
  if (!larger) return larger.error();
  std::memcpy(larger->data(), to.data(), preamble);
  larger->data()[0] = std::byte{4};
  larger->data()[3] &= ~std::byte{empty_flag};
  l.at = header;
  l.length = l.bits / 8;
  l.answer = layout::constant::none;
  to = *std::move(larger);
  return {};
}

result<void> insert(layout& l, pages& to, std::string_view key) noexcept {
  if (l.length == 0)
    if (auto ok = give_bits(l, to); !ok) return ok.error();
  write_count(to.bytes(), not_counted);
  return bloom_insert<rule>(l, to, key);
}

result<pages> encode(const layout& l, const image& from,
                     std::string_view variant) noexcept {
  if (variant != "dirty" && variant != "counted")
    return error{errc::unsupported, "neither dirty nor counted"};
  auto copy = pages::make(from.bytes.size());
  if (!copy) return copy;
  std::memcpy(copy->data(), from.bytes.data(), from.bytes.size());
  if (l.length != 0)
    write_count(copy->bytes(),
                variant == "dirty"
                    ? not_counted
                    : base::count_ones(from.bytes.subspan(l.at, l.length), l.bits));
  return copy;
}

result<void> merge(const layout& l, pages& to, const layout& theirs,
                   const image& from) noexcept {
  if (l.bits != theirs.bits || l.hashes != theirs.hashes || l.seed != theirs.seed)
    return error{errc::incompatible, "the filters differ in bits, hashes or seed"};
  if (theirs.length == 0) return {};
  layout grown = l;
  if (l.length == 0)
    if (auto ok = give_bits(grown, to); !ok) return ok.error();
  write_count(to.bytes(), not_counted);
  base::or_into(to.bytes().subspan(grown.at, grown.length),
                from.bytes.subspan(theirs.at, theirs.length));
  return {};
}

}  // namespace

constinit const dialect datasketches_dialect{
    .facts = {.name = "datasketches",
              .summary = "Apache DataSketches' BloomFilter",
              .hash = "xxh64",
              .variants = "dirty counted",
              .needs = "",
              .writes = true,
              .integers = number_keys::sign_extended_reals,
              .texts = false},
    .could_be = possible_if_inspected<inspect>,
    .inspect = inspect,
    .may_contain = bloom_may_contain<rule>,
    .count = bloom_count,
    .make = make,
    .insert = insert,
    .encode = encode,
    .merge = merge,
    .merges_variants = true,
};

}  // namespace bloomery::format
