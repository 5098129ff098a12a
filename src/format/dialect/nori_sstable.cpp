// A whole SSTable of nori, found by its footer, the last 64 bytes:
//
//    0  u64  index offset     8  u64  index size
//   16  u64  bloom offset    24  u64  bloom size
//   32  u8   compression of the data blocks: 0 none
//   33  u32  block size      37  u64  entries
//   45  u8   format: 0, 1 one Bloom section; 2 a quotient filter in each block
//   46  u8   remainder bits  47  ..   5 bytes reserved
//   52  ..   "NORISSTL"      60  u32  CRC-32C of the 60 bytes before it
//
// Format 2: a block, found by the index (nori_index.hpp), ends in its quotient filter and
// a u16, the filter's size, where 0 means that it has none.  A key can only be in the
// last block whose first key is not above it: that block's filter is queried.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/byte_reader.hpp"
#include "base/crc32c.hpp"
#include "format/dialect/check.hpp"
#include "format/dialect/nori.hpp"
#include "format/dialect/nori_index.hpp"
#include "hash/xxh.hpp"

namespace bloomery::format::nori {
namespace {

constexpr std::size_t footer_size = 64, magic_at = 52, sum_at = 60;
constexpr std::string_view magic = "NORISSTL";

struct footer {
  std::uint64_t index_at, index_size, bloom_at, bloom_size;
  std::uint8_t compression, format;
  std::uint64_t at;  // its own place in the image
};

index_reader index_of(const layout& l, std::span<const std::byte> bytes) noexcept {
  return index_reader(bytes.subspan(l.number[index_at], l.number[index_size]));
}

// Where a block's filter lies.  REQUIRES: the block lies in `bytes` and has 2 bytes.
struct place {
  std::uint64_t at, size;
};
place filter_of(std::span<const std::byte> bytes, const block& b) noexcept {
  const std::uint64_t end = b.at + b.size - 2;
  base::byte_reader in(bytes.subspan(end, 2));
  const std::uint64_t size = in.read<std::uint16_t>();
  return {end - size, size};
}

result<footer> read_footer(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < footer_size) return too_short(bytes.size(), footer_size);
  const std::uint64_t at = bytes.size() - footer_size;
  if (!is_sstable(bytes)) return damaged("no NORISSTL near the end", at + magic_at);
  const auto last = bytes.last(footer_size);
  base::byte_reader sum(last.subspan(sum_at));
  if (sum.read<std::uint32_t>() != base::crc32c(last.first(sum_at)))
    return damaged("the footer does not match its checksum", at + sum_at);
  base::byte_reader in(last);
  footer f;
  f.at = at;
  f.index_at = in.read<std::uint64_t>();
  f.index_size = in.read<std::uint64_t>();
  f.bloom_at = in.read<std::uint64_t>();
  f.bloom_size = in.read<std::uint64_t>();
  f.compression = in.read<std::uint8_t>();
  in.take(4 + 8);
  f.format = in.read<std::uint8_t>();
  return f;
}

// Whether [at, at + size) ends at `end` or before.
constexpr bool inside(std::uint64_t at, std::uint64_t size, std::uint64_t end) noexcept {
  return size <= end && at <= end - size;
}

result<layout> inspect_blocks(std::span<const std::byte> bytes, const footer& f,
                              std::uint64_t part) noexcept {
  if (f.compression != 0)
    return error{errc::unsupported, "the filters lie in compressed blocks", f.at + 32};
  if (f.index_size < 4 || !inside(f.index_at, f.index_size, f.at))
    return damaged("the index does not lie before the footer", f.at);
  layout l;
  l.variant = "sstable";
  l.hash = "xxh64";
  l.at = 0;
  l.length = f.index_at;
  l.hashes = 1;
  l.cells_are_bits = false;
  l.parts = 0;
  l.number[kind] = blocks;
  l.number[index_at] = f.index_at;
  l.number[index_size] = f.index_size;
  std::uint64_t largest = 0;
  auto index = index_of(l, bytes);
  std::uint64_t end = 0;  // blocks follow one another: each byte is read once
  std::string_view before;
  for (block b; index.next(b);) {
    const std::uint64_t blame = f.index_at + index.offset();
    if (l.parts != 0 && b.first_key <= before)
      return damaged("the first keys of the index do not ascend", blame - 12);
    if (b.at < end || b.size < 6 || !inside(b.at, b.size, f.index_at))
      return damaged("a block that does not lie between the one before it and the index",
                     blame - 12);
    const place q = filter_of(bytes, b);
    if (q.size > b.size - 2u)
      return damaged("a quotient filter larger than its block", b.at + b.size - 2);
    if (q.size != 0) {
      const auto facts = read_quotient(bytes.subspan(q.at, q.size), q.at);
      if (!facts) return facts.error();
      l.bits += facts->slots;
      largest = std::max(largest, q.size);
    }
    if (l.parts == part) {
      l.number[part_at] = q.at;
      l.number[part_size] = q.size;
    }
    ++l.parts;
    end = b.at + b.size;
    before = b.first_key;
  }
  if (!index.ended())
    return damaged("the index does not have the entries it counts",
                   f.index_at + index.offset());
  l.read_by_lookup = f.index_size + largest;
  return l;
}

// Damage to the filter's bytes, or a block without a filter: possibly present.
bool ask(const image& from, place q, std::string_view key) noexcept {
  if (q.size == 0 || !from.whole(q.at, q.size + 2)) return true;
  return quotient_holds(from.bytes.subspan(q.at, q.size), hash::xxh64(key, 0));
}

}  // namespace

bool is_sstable(std::span<const std::byte> bytes) noexcept {
  return bytes.size() >= footer_size &&
         std::memcmp(bytes.last(footer_size).data() + magic_at, magic.data(),
                     magic.size()) == 0;
}

result<layout> inspect_sstable(std::span<const std::byte> bytes,
                               std::uint64_t part) noexcept {
  const auto f = read_footer(bytes);
  if (!f) return f.error();
  if (f->format == 2) return inspect_blocks(bytes, *f, part);
  if (f->format > 2)
    return error{errc::unsupported, "an SSTable of a newer format", f->at + 45};
  if (!inside(f->bloom_at, f->bloom_size, f->at))
    return damaged("the Bloom section does not lie before the footer", f->at + 16);
  auto l = inspect_bloom(bytes.subspan(f->bloom_at, f->bloom_size), {});
  if (!l) {
    error e = l.error();
    e.at += f->bloom_at;
    return e;
  }
  l->variant = "sstable";
  l->at += f->bloom_at;
  l->head_at = f->bloom_at;
  l->foot_at = f->at;
  return l;
}

bool blocks_may_contain(const layout& l, const image& from,
                        std::string_view key) noexcept {
  if (l.part != foreign_options::every_part)
    return ask(from, {l.number[part_at], l.number[part_size]}, key);
  auto index = index_of(l, from.bytes);
  block b, last;
  bool found = false;
  while (index.next(b) && b.first_key <= key) {
    last = b;
    found = true;
  }
  if (!found) return !index.ok();
  // The size of the filter is the block's last two bytes.
  if (!from.whole(last.at + last.size - 2, 2)) return true;
  return ask(from, filter_of(from.bytes, last), key);
}

census blocks_count(const layout& l, const image& from) noexcept {
  census all;
  auto index = index_of(l, from.bytes);
  double blocks_read = 0;
  for (block b; index.next(b); ++blocks_read) {
    const place q = filter_of(from.bytes, b);
    census one;
    one.fpr = 1;
    if (q.size != 0) one = quotient_count(quotient_of(from.bytes.subspan(q.at, q.size)));
    all.cells += one.cells;
    all.occupied += one.occupied;
    all.keys += one.keys;
    all.fpr += one.fpr;
  }
  // A key is looked up in one block: the mean of their rates.
  if (blocks_read != 0) all.fpr /= blocks_read;
  return all;
}

foreign_filter::part_facts block_part(const layout& l, const image& from,
                                      std::uint64_t i) noexcept {
  foreign_filter::part_facts f{{}, 0, 0, 0, 1};
  auto index = index_of(l, from.bytes);
  block b;
  for (std::uint64_t j = 0; j <= i; ++j)
    if (!index.next(b)) return f;
  const place q = filter_of(from.bytes, b);
  f.offset = q.at;
  f.length = q.size;
  if (q.size != 0) f.bits = quotient_of(from.bytes.subspan(q.at, q.size)).slots;
  std::snprintf(f.name, sizeof f.name, "block %llu%s", static_cast<unsigned long long>(i),
                q.size == 0 ? ", without a filter" : "");
  return f;
}

}  // namespace bloomery::format::nori
