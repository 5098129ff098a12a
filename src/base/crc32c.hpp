// CRC-32C (Castagnoli): the checksum of many storage formats.
//
// The check value: crc32c of "123456789" is e3069283.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::base {

// `seed`: the checksum of the bytes before these, so that pieces may follow one another.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t seed = 0) noexcept;

}  // namespace bloomery::base
