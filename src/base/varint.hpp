// Numbers of seven bits a byte, the lowest first, each byte but the last with its highest
// bit set: LEB128, as Thrift, Protobuf and many indexes have them.
#pragma once

#include <cstdint>
#include <optional>

#include "base/byte_reader.hpp"

namespace bloomery::base {

// None if the bytes end before it does, or it has more than ten bytes or 64 bits.  It may
// be longer than need be.
inline std::optional<std::uint64_t> read_varint(byte_reader& in) noexcept {
  std::uint64_t v = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint64_t byte = in.read<std::uint8_t>(), bits = byte & 0x7f;
    if (!in.ok() || bits << shift >> shift != bits) return std::nullopt;
    v |= bits << shift;
    if (byte < 0x80) return v;
  }
  return std::nullopt;
}

}  // namespace bloomery::base
