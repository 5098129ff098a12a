// SipHash-1-3 (Aumasson and Bernstein): a keyed hash that keeps its collisions secret
// from anyone without the 128-bit key.
#pragma once

#include <cstdint>
#include <string_view>

namespace bloomery::hash {

// k0, k1: the key's two little-endian halves.
std::uint64_t siphash13(std::string_view bytes, std::uint64_t k0,
                        std::uint64_t k1) noexcept;

// What Rust's Hash feeds it on 64-bit machines: for a slice, [u8], its length as 8
// little-endian bytes and then the bytes; for a str the bytes and then 0xff.
std::uint64_t siphash13_slice(std::string_view bytes, std::uint64_t k0,
                              std::uint64_t k1) noexcept;
std::uint64_t siphash13_str(std::string_view bytes, std::uint64_t k0,
                            std::uint64_t k1) noexcept;

}  // namespace bloomery::hash
