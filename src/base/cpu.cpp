#include "base/cpu.hpp"

#include <unistd.h>
#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

#include <cstdlib>
#include <string_view>

namespace bloomery::base {
namespace {

cpu_features detect() noexcept {
  cpu_features f;
#if defined(__x86_64__)
  __builtin_cpu_init();  // its answers include XGETBV: what the system saves
  f.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
  f.avx512 = f.avx2 && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512vl");
  f.avx512_popcount = f.avx512 && __builtin_cpu_supports("avx512vpopcntdq");
  f.fast_pdep =
      f.avx2 && !__builtin_cpu_is("amdfam15h") && !__builtin_cpu_is("amdfam17h");
  f.crc32c = __builtin_cpu_supports("sse4.2");
#elif defined(__aarch64__)
  f.neon = true;                                       // part of the architecture
#if defined(__linux__) && !defined(__AARCH64EB__)
  f.crc32c = (getauxval(AT_HWCAP) & (1ul << 7)) != 0;  // HWCAP_CRC32
#endif
#endif
  const char* limit = std::getenv("BLOOMERY_ISA");
  if (limit != nullptr) {
    const std::string_view isa(limit);
    if (isa == "portable") f = cpu_features{};
    if (isa == "avx2") f.avx512 = f.avx512_popcount = false;
  }
  return f;
}

std::size_t ask(int name, std::size_t otherwise) noexcept {
  const long size = sysconf(name);
  return size > 0 ? static_cast<std::size_t>(size) : otherwise;
}

}  // namespace

const cpu_features& cpu() noexcept {
  static const cpu_features found = detect();
  return found;
}

const cache_sizes& caches() noexcept {
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  static const cache_sizes found{ask(_SC_LEVEL1_DCACHE_SIZE, 32u << 10),
                                 ask(_SC_LEVEL2_CACHE_SIZE, 512u << 10),
                                 ask(_SC_LEVEL3_CACHE_SIZE, 8u << 20)};
#else
  static const cache_sizes found{32u << 10, 512u << 10, 8u << 20};
#endif
  return found;
}

}  // namespace bloomery::base
