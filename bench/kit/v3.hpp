// The one-key loops compiled for x86-64-v3, where a program built with that option has
// the calls inline.  The rest of the kit is built for any x86-64, as most programs are.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

// No namespace: v3.cpp is compiled under another name of ours.
struct bloomery_v3_loops {
  unsigned kind;  // container_kind
  void (*insert)(void* filter, const std::uint64_t* keys, std::size_t count);
  std::uint64_t (*count)(const void* filter, const std::uint64_t* keys,
                         std::size_t count);
  void (*ticks)(const void* filter, const std::uint64_t* keys, std::size_t count,
                std::uint64_t* out);
};

struct bloomery_v3_table {
  const bloomery_v3_loops* first;
  std::size_t size;
};
// The rows of every kind whose one-key calls are inline vector code in such a build.
extern const bloomery_v3_table bloomery_v3_kinds;

// One key of a counting filter of another layout, by the library (v3_library.cpp).
void bloomery_v3_insert(void* counting, std::uint64_t key);
bool bloomery_v3_may_contain(const void* counting, std::uint64_t key);
}

namespace bloomery::bench {

// The kind's loops if it has some, and if they are part of this build and can run on this
// CPU; else null.
inline const bloomery_v3_loops* v3_loops_of([[maybe_unused]] unsigned kind) noexcept {
#if defined(BLOOMERY_BENCH_V3)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
      __builtin_cpu_supports("fma"))
    for (std::size_t i = 0; i < bloomery_v3_kinds.size; ++i)
      if (bloomery_v3_kinds.first[i].kind == kind) return &bloomery_v3_kinds.first[i];
#endif
  return nullptr;
}

}  // namespace bloomery::bench
