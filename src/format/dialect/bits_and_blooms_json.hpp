// The JSON of bits-and-blooms: {"m":200,"k":4,"b":"..."}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/result.hpp>

namespace bloomery::format {

struct bits_json {
  std::uint64_t m = 0, m_at = 0;
  std::uint64_t k = 0, k_at = 0;
  std::uint64_t b_at = 0, b_length = 0;  // the characters between the quotes
  std::uint64_t b_bytes = 0;             // that they stand for
};

// Members in any order and spaces anywhere, as Go reads them; each of the three once and
// no other.  The base64 may be of either alphabet, and is padded.
// Errors: corrupt with the offset.
result<bits_json> parse_bits_json(std::span<const std::byte> text) noexcept;

}  // namespace bloomery::format
