// A container mapped into memory, its payload guarded.
#pragma once

#include <span>
#include <utility>

#include <bloomery/detail/format/chunk_guard.hpp>

#include "format/container/reader.hpp"

namespace bloomery::format {

struct mapped_container {
  container_facts facts;
  pages file;
  pages tail;
  chunk_guard guard;  // with its own descriptor, to notice a file that shrinks

  std::span<std::byte> payload() noexcept {
    return file.bytes().subspan(static_cast<std::size_t>(facts.payload_at),
                                static_cast<std::size_t>(facts.payload_bytes));
  }
};

// A container of another kind is mapped too, but not looked into: the caller refuses it.
// Errors: as open_container, and those of the hash and the padding.
result<mapped_container> map_container(const input_file& input, const read_options& o,
                                       container_kind kind, damage_rule rule) noexcept;

}  // namespace bloomery::format
