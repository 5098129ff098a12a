// A container's checksums made right again after something was changed: damage that none
// of them notices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <bloomery/container.hpp>

#include "base/byte_reader.hpp"
#include "base/byte_writer.hpp"
#include "base/crc32c.hpp"

namespace bloomery::testing {

// What the header says of the places of things, if all of it ends before `most`.
inline std::optional<container_facts> promised_places(std::span<const std::byte> file,
                                                      std::uint64_t most) {
  if (file.size() < container_header_size) return std::nullopt;
  const auto reader_at = [&](std::size_t at) {
    return base::byte_reader(file.subspan(at));
  };
  container_facts f;
  f.sentinels = reader_at(18).read<std::uint8_t>();
  f.payload_at = reader_at(72).read<std::uint64_t>();
  f.payload_bytes = reader_at(80).read<std::uint64_t>();
  f.notes_bytes = reader_at(96).read<std::uint32_t>();
  const bool fits = f.payload_at >= container_header_size && f.payload_at <= most &&
                    f.payload_bytes <= most && f.file_bytes() <= most;
  return fits ? std::optional(f) : std::nullopt;
}

// Checksums of the header, of every chunk and of the table, as far as the file is as long
// as the header says.
inline void repair_container(std::span<std::byte> file) {
  if (file.size() < container_header_size) return;
  const auto put = [&](std::size_t at, std::uint32_t v) {
    base::byte_writer(file.subspan(at)).write(v);
  };
  put(124, base::crc32c(file.first(124)));
  const auto f = promised_places(file, file.size());
  if (!f || f->file_bytes() != file.size()) return;
  const auto begin = static_cast<std::size_t>(f->payload_at);
  const auto tail_at = static_cast<std::size_t>(f->tail_at());
  const auto payload = file.first(tail_at).subspan(begin);
  for (std::size_t i = 0; i < f->chunks(); ++i)
    put(tail_at + 8 * f->sentinels + 4 * i,
        base::crc32c(payload.subspan(
            4096 * i, std::min<std::size_t>(4096, payload.size() - 4096 * i))));
  const auto gap = file.first(begin).subspan(container_header_size);
  const auto covered = file.subspan(tail_at).first(file.size() - tail_at - 4);
  put(file.size() - 4, base::crc32c(covered, base::crc32c(gap)));
}

}  // namespace bloomery::testing
