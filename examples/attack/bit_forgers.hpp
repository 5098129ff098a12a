// Forgers of filters that spread a key's bits over the whole array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "forger.hpp"

namespace attack {

// The layout of the filter, which is public by its file or its parameters.
struct bit_layout {
  std::uint64_t bits;
  std::size_t hashes;
  std::size_t draws;  // of a search, for each key
};

std::unique_ptr<forger> redisbloom_forger(bit_layout l);
std::unique_ptr<forger> guava_forger(bit_layout l);
std::unique_ptr<forger> bits_and_blooms_forger(bit_layout l);
std::unique_ptr<forger> portable_forger(bit_layout l);

}  // namespace attack
