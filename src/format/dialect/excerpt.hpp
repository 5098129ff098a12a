// Files that hold several filters: which one is asked for, and taking it out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "format/dialect/dialect.hpp"

namespace bloomery::format {

inline result<void> check_part(std::uint64_t part, std::uint64_t parts) noexcept {
  if (part == foreign_options::every_part || part < parts) return {};
  return error{errc::invalid_argument, "the file has no part of that number", 0,
               static_cast<double>(part), static_cast<double>(parts)};
}

// These bytes in memory of their own, behind `room` zero bytes.
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
