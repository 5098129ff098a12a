// A container's bytes, from a file or from memory, believed only once they are checked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/container.hpp>
#include <bloomery/pages.hpp>

#include "format/file.hpp"

namespace bloomery::format {

// Where bytes come from.
class container_source {
 public:
  explicit container_source(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}
  // REQUIRES: file outlives this
  explicit container_source(const input_file& file) noexcept : file_(&file) {}

  std::uint64_t size() const noexcept { return file_ ? file_->size() : bytes_.size(); }
  // Errors: io, corrupt (the file shrank).  REQUIRES: at + out.size() <= size()
  result<void> read_at(std::uint64_t at, std::span<std::byte> out) const noexcept;
  const input_file* file() const noexcept { return file_; }

 private:
  std::span<const std::byte> bytes_;
  const input_file* file_ = nullptr;
};

// Header and tail; the payload is still unread.
struct opened_container {
  container_facts facts;
  pages tail;

  std::span<const std::byte> sentinels() const noexcept {
    return tail.bytes().first(8 * facts.sentinels);
  }
  // CRC32C of every chunk, little-endian.
  std::span<const std::byte> checksums() const noexcept {
    return tail.bytes().subspan(8 * facts.sentinels,
                                static_cast<std::size_t>(4 * facts.chunks()));
  }
  std::span<const std::byte> notes() const noexcept {
    return tail.bytes().subspan(
        static_cast<std::size_t>(8 * facts.sentinels + 4 * facts.chunks()),
        facts.notes_bytes);
  }
  std::uint32_t checksum(std::uint64_t chunk) const noexcept;
  sentinel_keys all_sentinels() const noexcept;
};

// Checks all but the payload.  Errors: as inspect, too_large, out_of_memory, io.
result<opened_container> open_container(const container_source& from,
                                        const read_options& o) noexcept;

inline bool all_zero(std::span<const std::byte> bytes) noexcept {
  return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

// Chunks that failed, a bit each.
struct chunk_damage {
  pages bits;  // words
  std::uint64_t count = 0;
  std::uint64_t first_at = 0;  // offset in the file

  std::span<const std::uint64_t> words() const noexcept {
    return {reinterpret_cast<const std::uint64_t*>(bits.data()), bits.size() / 8};
  }
  bool is_damaged(std::uint64_t chunk) const noexcept {
    return (words()[static_cast<std::size_t>(chunk / 64)] >> (chunk % 64) & 1) != 0;
  }
};

// Reads the payload into `out`, which has room for its padding, and checks every chunk.
// Errors: io, corrupt (padding that is not zero), out_of_memory.
// REQUIRES: out.size() == padded_bytes()
result<chunk_damage> read_payload(const container_source& from, const opened_container& c,
                                  std::span<std::byte> out) noexcept;

// Checks the payload without keeping it; the number of ones is returned through `ones`.
result<chunk_damage> check_payload(const container_source& from,
                                   const opened_container& c, std::uint64_t& ones,
                                   progress_call progress) noexcept;

// Ones in place of whatever damaged chunks hold, up to the end of the payload.
void fill_damaged(const container_facts& f, std::span<const std::uint64_t> damaged,
                  std::span<std::byte> payload) noexcept;

}  // namespace bloomery::format
