// The one-key loops compiled for x86-64-v3, where a program built with that option has
// the calls inline.  The rest of the kit is built for any x86-64, as most programs are.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

// No namespace: v3.cpp is compiled under another name of ours.
struct bloomery_v3_loops {
  void (*insert)(void* filter, const std::uint64_t* keys, std::size_t count);
  std::uint64_t (*count)(const void* filter, const std::uint64_t* keys,
                         std::size_t count);
  void (*ticks)(const void* filter, const std::uint64_t* keys, std::size_t count,
                std::uint64_t* out);
};

extern const bloomery_v3_loops bloomery_v3_block;
extern const bloomery_v3_loops bloomery_v3_split_block;
}

namespace bloomery::bench {

// The loops if they are part of this build and can run on this CPU, else null.
#if defined(BLOOMERY_BENCH_V3)
inline const bloomery_v3_loops* if_v3_runs(const bloomery_v3_loops& loops) noexcept {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
                 __builtin_cpu_supports("fma")
             ? &loops
             : nullptr;
}
#define BLOOMERY_V3_LOOPS(kind) if_v3_runs(bloomery_v3_##kind)
#else
#define BLOOMERY_V3_LOOPS(kind) nullptr
#endif

}  // namespace bloomery::bench
