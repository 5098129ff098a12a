// Parquet's split-block filters: one alone, and those in a file.
// spec/dialects/parquet.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <bloomery/detail/probe/block_bits.hpp>

#include "format/dialect/dialect.hpp"

namespace bloomery::format::parquet {

// What layout::number holds, of a file.
enum number : std::size_t {
  footer_at = 0,
  footer_size = 1,
  part_at = 2,       // the one filter to ask, if there is one: where its header lies ...
  part_bits_at = 3,  // ... its bitset ...
  part_bytes = 4,    // ... how long that is (0: every filter is queried) ...
  part_type = 5,     // ... and the physical type of its column
};

inline constexpr std::size_t block_bytes = 32;
inline constexpr std::uint32_t hashes = 8;

// Where a filter lies in an image.
struct place {
  std::uint64_t at;  // of its header
  std::uint64_t bits_at, bytes;
};

// The filter whose header is at `at`, which ends at `end` or before.  Offsets of errors
// are those of the image.
result<place> read_filter(std::span<const std::byte> image, std::uint64_t at,
                          std::uint64_t end) noexcept;

// A header and, behind it, these bits; or as many zero bytes.
result<pages> with_header(std::span<const std::byte> bits) noexcept;
result<pages> empty_filter(std::uint64_t bytes) noexcept;

// --- the bits: block_bits.hpp defines them, at any alignment ---
inline bool test(const std::byte* bits, std::uint64_t bytes, std::uint64_t h) noexcept {
  using split = block_probe::split;
  const std::byte* at = bits + split::offset(h, bytes / block_bytes);
  return block_probe::portable::test<split::block>(
      at, block_probe::portable::mask_of<split::block>(h));
}
inline void set(std::byte* bits, std::uint64_t bytes, std::uint64_t h) noexcept {
  using split = block_probe::split;
  std::byte* at = bits + split::offset(h, bytes / block_bytes);
  block_probe::portable::set<split::block>(
      at, block_probe::portable::mask_of<split::block>(h));
}
census count_bits(std::span<const std::byte> bits) noexcept;

// --- a file ---
bool is_file(std::span<const std::byte> bytes) noexcept;  // encrypted ones, too
result<layout> inspect_file(std::span<const std::byte> bytes,
                            const foreign_options& o) noexcept;
bool file_may_contain(const layout& l, const image& from, std::string_view key) noexcept;
census file_count(const layout& l, const image& from) noexcept;
foreign_filter::part_facts file_part(const layout& l, const image& from,
                                     std::uint64_t i) noexcept;

}  // namespace bloomery::format::parquet
