// parquet: the split-block Bloom filter of Apache Parquet.
//
//    0  ..   a header (parquet_header.cpp)
//    ..      the bitset: blocks of eight 32-bit little-endian words
//
// h = XXH64(the value as plain encoding has it, without a length); the block is
// (h >> 32) * blocks >> 32; in its word w, bit (u32)(low32(h) * salt[w]) >> 27.
//
// Whole files: parquet_file.cpp.
#include "format/dialect/parquet.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/bits.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/excerpt.hpp"
#include "format/dialect/probes.hpp"
#include "hash/xxh.hpp"

namespace bloomery::format {
namespace parquet {
namespace {

constexpr std::uint64_t max_bytes = 0x7fffffff / block_bytes * block_bytes;  // an i32
// Arrow's bounds when it sizes a filter.
constexpr double min_made = 256, max_made = 0x1p30;

result<layout> layout_at(const char* variant, const place& p) noexcept {
  layout l;
  l.variant = variant;
  l.hash = "xxh64";
  l.at = p.bits_at;
  l.length = p.bytes;
  l.bits = 8 * p.bytes;
  l.hashes = hashes;
  return l;
}

result<layout> inspect_bitset(std::span<const std::byte> bytes) noexcept {
  if (bytes.empty()) return damaged("no blocks", 0);
  if (bytes.size() % block_bytes != 0)
    return damaged("not a whole number of blocks of 32 bytes",
                   bytes.size() / block_bytes * block_bytes);
  if (bytes.size() > max_bytes) return damaged("larger than a filter can be", max_bytes);
  return layout_at("bitset", {0, 0, bytes.size()});
}

result<layout> inspect_header(std::span<const std::byte> bytes) noexcept {
  const auto p = read_filter(bytes, 0, bytes.size());
  if (!p) return p.error();
  if (auto ok = check_length(bytes.size(), p->bits_at, p->bytes, 1); !ok)
    return ok.error();
  return layout_at("header", *p);
}

bool in_file(const layout& l) noexcept { return std::string_view(l.variant) == "file"; }

result<layout> inspect(std::span<const std::byte> bytes,
                       const foreign_options& o) noexcept {
  result<layout> l = error{errc::invalid_argument, "the dialect has no such variant"};
  if (o.variant == "file" || (o.variant.empty() && is_file(bytes)))
    l = inspect_file(bytes, o);
  else if (o.variant == "bitset")
    l = inspect_bitset(bytes);
  else if (o.variant.empty() || o.variant == "header")
    l = inspect_header(bytes);
  if (!l) return l;
  l->part = o.part;
  l->form = o.form;
  return l;
}

// A bare bitset of any size is possible; of sizes that are not powers of two, unlikely.
likeness could_be(std::span<const std::byte> bytes) noexcept {
  if (is_file(bytes)) return likeness::certain;
  const bool bare = bytes.size() >= block_bytes && std::has_single_bit(bytes.size());
  return bare || inspect_header(bytes) ? likeness::possible : likeness::no;
}

bool may_contain(const layout& l, const image& from, std::string_view key) noexcept {
  if (in_file(l)) return file_may_contain(l, from, key);
  return test(from.bytes.data() + l.at, l.length, hash::xxh64(key, 0));
}

census count(const layout& l, const image& from) noexcept {
  if (in_file(l)) return file_count(l, from);
  return count_bits(from.bytes.subspan(l.at, l.length));
}

foreign_filter::part_facts part(const layout& l, const image& from,
                                std::uint64_t i) noexcept {
  if (in_file(l)) return file_part(l, from, i);
  return only_part(l);
}

// Arrow's: m = -8 n / ln(1 - p^(1/8)), truncated, within its bounds, then the next power
// of two.  Arrow makes one of 128 MiB where that is not enough; here it is refused, for
// it would not keep its rate.
result<std::uint64_t> bytes_for(const foreign_params& p) noexcept {
  if (auto ok = check_request(p); !ok) return ok.error();
  if (p.hashes && *p.hashes != hashes)
    return error{errc::invalid_argument, "the number of hashes is always 8"};
  if (p.bits) {
    if (*p.bits % (8 * block_bytes) != 0)
      return error{errc::invalid_argument,
                   "the number of bits must be a multiple of 256"};
    if (*p.bits / 8 > max_bytes)
      return error{errc::too_large, "too many bits", 0, static_cast<double>(*p.bits),
                   8.0 * static_cast<double>(max_bytes)};
    return *p.bits / 8;
  }
  const double n = static_cast<double>(p.keys);
  const double m =
      p.bits_per_key
          ? n * *p.bits_per_key
          : -8.0 * n / std::log(1 - std::pow(p.fpr.value_or(default_fpr), 1.0 / 8));
  // A rate so small that the logarithm is 0 makes m minus infinity.
  if (!(m >= 0 && m <= max_made))
    return error{errc::too_large, "Parquet sizes no filter above 128 MiB", 0, m,
                 max_made};
  return std::bit_ceil(static_cast<std::uint64_t>(std::max(m, min_made))) / 8;
}

result<pages> make(const foreign_params& p) noexcept {
  if (p.variant == "file")
    return error{errc::unsupported, "filters in a file are read, not written"};
  const auto bytes = bytes_for(p);
  if (!bytes) return bytes.error();
  return empty_filter(*bytes);
}

result<void> insert(layout& l, pages& to, std::string_view key) noexcept {
  set(to.data() + l.at, l.length, hash::xxh64(key, 0));
  return {};
}

result<pages> encode(const layout& l, const image& from,
                     std::string_view variant) noexcept {
  if (variant == l.variant) return copied(from.bytes);
  std::span<const std::byte> bits;
  if (!in_file(l))
    bits = from.bytes.subspan(l.at, l.length);
  else if (l.number[part_bytes] != 0)
    bits = from.bytes.subspan(l.number[part_bits_at], l.number[part_bytes]);
  else
    return error{errc::unsupported, "the file has several filters: select a part"};
  if (variant == "bitset") return copied(bits);
  if (variant == "header") return with_header(bits);
  return no_such_form();
}

}  // namespace

// The fill of each word is what a lookup meets; blocks differ, so the rate is their mean.
census count_bits(std::span<const std::byte> bits) noexcept {
  census c;
  c.cells = 8.0 * static_cast<double>(bits.size());
  const double blocks = static_cast<double>(bits.size() / block_bytes);
  for (std::size_t b = 0; b < bits.size(); b += block_bytes) {
    double found = 1;
    for (std::size_t w = 0; w < block_bytes; w += 4) {
      const double ones =
          static_cast<double>(base::count_ones(bits.subspan(b + w, 4), 32));
      c.occupied += ones;
      found *= ones / 32;
    }
    c.fpr += found;
  }
  c.fpr /= blocks;
  c.keys = keys_from_ones(c.occupied, c.cells, hashes);
  return c;
}

}  // namespace parquet

constinit const dialect parquet_dialect{
    .facts = {.name = "parquet",
              .summary = "Apache Parquet: a split-block filter, or those of a file",
              .hash = "xxh64",
              .variants = "header bitset file (r)",
              .needs = "",
              .writes = true,
              .integers = number_keys::column_width,
              .texts = false,
              .any_bytes = true},
    .could_be = parquet::could_be,
    .inspect = parquet::inspect,
    .may_contain = parquet::may_contain,
    .count = parquet::count,
    .part = parquet::part,
    .make = parquet::make,
    .insert = parquet::insert,
    .encode = parquet::encode,
};

}  // namespace bloomery::format
