// Bytes taken out of an image, and the facts of a filter that is all of one.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <span>

#include "format/dialect/dialect.hpp"

namespace bloomery::format {

// The facts of a filter that is not one of several.
inline foreign_filter::part_facts only_part(const layout& l) noexcept {
  foreign_filter::part_facts f{{}, l.at, l.length, l.bits, l.hashes};
  std::snprintf(f.name, sizeof f.name, "%s", l.variant);
  return f;
}

// A copy of these bytes, behind `room` zero bytes.
inline result<pages> copied(std::span<const std::byte> bytes,
                            std::size_t room = 0) noexcept {
  auto copy = pages::make(room + bytes.size());
  if (copy && !bytes.empty())
    std::memcpy(copy->data() + room, bytes.data(), bytes.size());
  return copy;
}

inline error no_such_form() noexcept {
  return {errc::unsupported, "the dialect has no such form of these bits"};
}

}  // namespace bloomery::format
