// The 128 bytes at the front of a container.  spec/container.md, section 2.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include <bloomery/container.hpp>

namespace bloomery::format {

inline constexpr std::array<unsigned char, 8> container_magic{0x89, 'B',  'L',  'M',
                                                              '\r', '\n', 0x1a, '\n'};
inline constexpr unsigned max_sentinels = 8;
inline constexpr std::size_t container_chunk = 4096;
// From here on a payload begins at a page boundary, so that it can be mapped well.
inline constexpr std::uint64_t large_payload = std::uint64_t{64} << 10;
inline constexpr std::uint64_t page_payload_at = 4096;
// Gap and padding are taken from here.
inline constexpr std::array<std::byte, page_payload_at> zeros{};

// REQUIRES: f.payload_bytes and f.kind are set
constexpr std::uint64_t payload_place(const container_facts& f) noexcept {
  return is_packed(f.kind) || f.payload_bytes >= large_payload ? page_payload_at
                                                               : container_header_size;
}

// 0 is not recorded.  Readers refuse any other number, and so must writers.
constexpr bool is_recordable_rate(double fpr) noexcept { return fpr >= 0 && fpr < 1; }

using header_bytes = std::array<std::byte, container_header_size>;
header_bytes encode_header(const container_facts& f) noexcept;

// The hasher that facts name.  Errors: incompatible (a secret is missing or wrong, or
// given where none is used; keys of another source than asked), corrupt (written with
// another hash of that name).
result<hasher> hasher_of(const container_facts& f, const read_options& o) noexcept;

// What only payload bytes of this length can be: bits, hashes, profile and hash agree.
// Errors: corrupt.
result<void> check_shape(const container_facts& f) noexcept;

}  // namespace bloomery::format
