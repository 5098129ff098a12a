// CRC-32C (Castagnoli, reflected 0x82f63b78): "123456789" gives 0xe3069283.
//
// By the CPU's own instruction where it has one (SSE4.2, ARMv8 CRC), by tables otherwise;
// the same value either way.  An instruction waits three cycles for the one before, so
// several chunks at a time run side by side: three times the speed of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bloomery::base {

// The CRC of bytes that follow those whose CRC is `before`; 0 to begin.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0) noexcept;

// out[i] is the CRC of chunk i of `chunk` bytes; the last may be shorter.
// REQUIRES: out.size() == ceil(bytes.size() / chunk), chunk a multiple of 8
void crc32c_chunks(std::span<const std::byte> bytes, std::size_t chunk,
                   std::span<std::uint32_t> out) noexcept;

// The definition, without the instruction: what the others are held to.
std::uint32_t crc32c_portable(std::span<const std::byte> bytes,
                              std::uint32_t before = 0) noexcept;

}  // namespace bloomery::base
