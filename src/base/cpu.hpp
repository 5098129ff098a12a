// What this CPU can run, asked once.
#pragma once

#include <cstddef>

namespace bloomery::base {

struct cpu_features {
  bool avx2 = false;             // AVX2 with BMI1/2, and the system saves the registers
  bool avx512 = false;           // F, DQ, BW, VL, and the system saves the registers
  bool avx512_popcount = false;  // and VPOPCNTDQ
  // BMI2 with a PDEP that is not a loop in microcode, as before AMD's Zen 3.
  bool fast_pdep = false;
  bool neon = false;
  bool crc32c = false;  // SSE4.2, or ARMv8's CRC instructions on a little-endian machine
};

// BLOOMERY_ISA in the environment (portable, avx2, avx512, neon) hides what lies above
// the named one; it cannot add what the CPU lacks.
const cpu_features& cpu() noexcept;

// Data cache sizes in bytes; a common value where the system reports none.
struct cache_sizes {
  std::size_t l1, l2, l3;
};
const cache_sizes& caches() noexcept;

}  // namespace bloomery::base
