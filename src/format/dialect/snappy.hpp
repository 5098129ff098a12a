// Snappy's raw format, decoded into memory that is there: a length as a varint, then
// literals and copies of bytes before (google/snappy, format_description.txt).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/byte_reader.hpp"

namespace bloomery::format {

// The decoded bytes at the front of `room`; empty if the input is not Snappy's, or if
// they do not fit.
inline std::span<const std::byte> snappy_decoded(std::span<const std::byte> input,
                                                 std::span<std::byte> room) noexcept {
  base::byte_reader in(input);
  std::uint64_t size = 0;
  for (unsigned shift = 0; shift < 35; shift += 7) {
    const auto byte = in.read<std::uint8_t>();
    size |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) break;
  }
  if (!in.ok() || size > room.size()) return {};
  std::size_t done = 0;
  while (done < size) {
    const auto tag = in.read<std::uint8_t>();
    std::size_t length = (tag >> 2) + 1u, back = 0;
    switch (tag & 3) {
      case 0: {
        // Up to 60 in the tag; otherwise in the 1 to 4 bytes after it.
        std::uint64_t long_one = length - 1;
        if (length > 60) {
          long_one = 0;
          for (unsigned i = 0; i < length - 60; ++i)
            long_one |= std::uint64_t{in.read<std::uint8_t>()} << (8 * i);
        }
        length = static_cast<std::size_t>(long_one) + 1;
        if (length > size - done) return {};
        const auto literal = in.take(length);
        if (!in.ok()) return {};
        std::memcpy(room.data() + done, literal.data(), length);
        done += length;
        continue;
      }
      case 1:
        length = ((tag >> 2) & 7u) + 4;
        back = (std::size_t{tag} >> 5) << 8 | in.read<std::uint8_t>();
        break;
      case 2:
        back = in.read<std::uint16_t>();
        break;
      default:
        back = in.read<std::uint32_t>();
    }
    if (!in.ok() || back == 0 || back > done || length > size - done) return {};
    // They may overlap: a copy repeats what it has just written.
    for (; length > 0; --length, ++done) room[done] = room[done - back];
  }
  return room.first(done);
}

}  // namespace bloomery::format
