// XXH3-64 and XXH64, from libxxhash, compiled into this library.
#pragma once

#include <cstdint>
#include <string_view>

namespace bloomery::hash {

std::uint64_t xxh3(std::string_view bytes, std::uint64_t seed) noexcept;
std::uint64_t xxh64(std::string_view bytes, std::uint64_t seed) noexcept;

}  // namespace bloomery::hash
