// XXH3-64 and XXH64, from libxxhash, compiled into this library.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <bloomery/key.hpp>

namespace bloomery::hash {

std::uint64_t xxh3(std::string_view bytes, std::uint64_t seed) noexcept;
std::uint64_t xxh64(std::string_view bytes, std::uint64_t seed) noexcept;
std::uint32_t xxh32(std::string_view bytes, std::uint32_t seed) noexcept;  // a checksum

// Many keys in one call, so that the hash of one overlaps that of the next.
// REQUIRES: out.size() == keys.size()
void xxh3(std::span<const std::string_view> keys, std::uint64_t seed,
          std::span<key> out) noexcept;
void xxh64(std::span<const std::string_view> keys, std::uint64_t seed,
           std::span<key> out) noexcept;

}  // namespace bloomery::hash
