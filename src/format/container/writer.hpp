// The pieces of a container, in the order they are written.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include <bloomery/container.hpp>
#include <bloomery/pages.hpp>

#include "format/container/header.hpp"

namespace bloomery::format {

// `f` names the layout: completed by lengths, places and the builder's numbers.
// REQUIRES: the builder's notes were checked (builder_notes.hpp)
container_facts with_lengths(container_facts f, std::uint64_t payload_bytes,
                             std::size_t notes_bytes,
                             const write_notes& from_builder) noexcept;

// Zeros between header and payload, and after the payload to the end of its last line.
std::span<const std::byte> gap_of(const container_facts& f) noexcept;
std::span<const std::byte> padding_of(const container_facts& f) noexcept;

// What follows the payload: sentinels, checksums, notes, and a checksum of these.
class container_tail {
 public:
  // Errors: out_of_memory.  REQUIRES: f as from with_lengths, the builder's notes were
  // checked
  result<void> begin(const container_facts& f, std::span<const key> sentinels) noexcept;
  // The next part of the payload.  REQUIRES: whole chunks, but for the last part
  void add(std::span<const std::byte> payload) noexcept;
  // After the last.
  void end(std::span<const std::byte> notes) noexcept;

  std::span<const std::byte> bytes() const noexcept { return bytes_.bytes(); }

 private:
  pages bytes_;
  std::span<const std::byte> gap_, padding_;
  std::size_t at_ = 0;
};

// Points into itself: does not move.
class container_parts {
 public:
  container_parts() noexcept = default;
  container_parts(const container_parts&) = delete;

  // `f` names the layout; lengths, counts and checksums are filled in here.
  // Errors: out_of_memory.  REQUIRES: payload and notes outlive this
  result<void> make(container_facts f, std::span<const std::byte> payload,
                    const write_notes& from_builder,
                    std::span<const std::byte> notes = {}) noexcept;

  std::span<const std::span<const std::byte>> parts() const noexcept { return parts_; }
  std::uint64_t size() const noexcept { return facts_.file_bytes(); }

  // All in one piece, or into a file.
  result<pages> joined() const noexcept;
  result<void> save(const char* path, const write_notes& from_builder) const noexcept;

 private:
  container_facts facts_;
  header_bytes head_;
  container_tail tail_;
  std::array<std::span<const std::byte>, 5> parts_;
};

}  // namespace bloomery::format
