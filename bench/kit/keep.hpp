// keep(x): x is needed, as far as the optimiser knows, and needed now.
#pragma once

#include <cstdint>

namespace bloomery::bench {

inline void keep(std::uint64_t x) noexcept { asm volatile("" : : "r"(x) : "memory"); }

}  // namespace bloomery::bench
