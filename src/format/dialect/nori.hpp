// The three things that nori-sstable calls a filter.  spec/dialects/nori.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "format/dialect/dialect.hpp"

namespace bloomery::format::nori {

// What layout::number holds.
enum number : std::size_t {
  kind = 0,      // one of `kinds`
  index_at = 1,  // of an SSTable with a filter in each block
  index_size = 2,
  part_at = 3,    // the quotient filter to ask, if one is: where it lies ...
  part_size = 4,  // ... and its bytes; 0: its block has none
};
enum kinds : std::uint64_t { bloom, quotient, blocks };

// --- a Bloom section ---
inline constexpr std::size_t bloom_header = 12;
result<layout> inspect_bloom(std::span<const std::byte> bytes,
                             std::string_view variant) noexcept;

// --- a quotient filter ---
struct quotient_facts {
  std::uint64_t slots, taken;
  unsigned fingerprint_bits;
  bool full() const noexcept { return taken == slots && slots != 0; }
};
// Checks all of `section`, which begins at `base` of the image; errors count from there.
result<quotient_facts> read_quotient(std::span<const std::byte> section,
                                     std::uint64_t base) noexcept;
// REQUIRES: read_quotient did not refuse the section.
quotient_facts quotient_of(std::span<const std::byte> section) noexcept;
bool quotient_holds(std::span<const std::byte> section, std::uint64_t h) noexcept;
census quotient_count(const quotient_facts& f) noexcept;
result<layout> inspect_quotient(std::span<const std::byte> bytes) noexcept;

// --- an SSTable ---
bool is_sstable(std::span<const std::byte> bytes) noexcept;
result<layout> inspect_sstable(std::span<const std::byte> bytes,
                               std::uint64_t part) noexcept;
bool blocks_may_contain(const layout& l, const image& from,
                        std::string_view key) noexcept;
census blocks_count(const layout& l, const image& from) noexcept;
foreign_filter::part_facts block_part(const layout& l, const image& from,
                                      std::uint64_t i) noexcept;

}  // namespace bloomery::format::nori
