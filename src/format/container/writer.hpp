// The pieces of a container, in the order they are written.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include <bloomery/container.hpp>
#include <bloomery/pages.hpp>

#include "format/container/header.hpp"

namespace bloomery::format {

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
  pages tail_;
  std::array<std::span<const std::byte>, 5> parts_;
};

}  // namespace bloomery::format
