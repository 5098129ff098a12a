// The provisional file of kinds that have no lasting format yet: a header and the bits.
//
// It exists so that the tool can store block, split-block and classic filters until
// spec/container.md is written, and goes away with it: nothing outside this file and
// provisional.cpp knows these bytes.  Programs of one version read what they wrote.
//
//    0  8    "BLMprov1"
//    8  u8   kind: 1 block, 2 split-block, 3 bloom
//    9  u8   block profile; 0 for bloom
//   10  u8   hash id
//   11  u8   0
//   12  u32  number of hashes (k)
//   16  u64  blocks, or bits for bloom
//   24  u64  capacity, 0 if unknown
//   32  u64  seed
//   40  u64  hash of "bloomery" under this hash and seed
//   48  u64  0
//   56  u64  XXH64 of the 56 bytes before
//   64  ..   the bits
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/hasher.hpp>
#include <bloomery/provisional_format.hpp>
#include <bloomery/result.hpp>

namespace bloomery::format {

inline constexpr std::size_t provisional_header_size = 64;

struct provisional_header {
  provisional_kind kind;
  std::uint8_t profile;
  std::uint32_t hashes;
  std::uint64_t units;  // blocks, or bits
  std::uint64_t capacity;
  bloomery::hasher hash;
};

// Errors: unsupported (a keyed hash: its secret is never stored).
result<std::array<std::byte, provisional_header_size>> encode_header(
    const provisional_header& h) noexcept;

// REQUIRES: head holds the first 64 bytes of the file, or all if there are fewer.
// Errors: corrupt.
result<provisional_header> decode_header(std::span<const std::byte> head) noexcept;

// Whether exactly `body` bytes follow the header.  Errors: corrupt.
result<void> check_size(std::uint64_t file_size, std::uint64_t body) noexcept;

}  // namespace bloomery::format
