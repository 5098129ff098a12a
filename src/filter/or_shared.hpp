// Every bit of one array into another that other threads write to: wait-free.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/probe/words.hpp>

namespace bloomery {

// REQUIRES: both aligned to 8, and readable to the next multiple of 8
inline void or_shared(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  for (std::size_t i = 0; i < bytes; i += 8) {
    const std::uint64_t lacks =
        words::load<std::uint64_t>(from + i) & ~words::load<std::uint64_t>(to + i);
    if (lacks != 0) words::fetch_or(to + i, lacks);
  }
}

}  // namespace bloomery
