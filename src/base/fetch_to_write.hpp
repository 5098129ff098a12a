// Starts to fetch lines that are about to be written, so that no other core has them
// then.
#pragma once

#include <bloomery/detail/probe/words.hpp>

#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
#include "base/cpu.hpp"
#endif

namespace bloomery::base {

// Two at once, since a locked instruction waits for one at a time.  Inlined always, as
// all that only fetches: fetch_ahead.hpp says why.
BLOOMERY_INLINE void fetch_to_write(const void* a, const void* b) noexcept {
#if defined(__x86_64__) && !defined(BLOOMERY_PORTABLE)
  // Compilers use PREFETCHW only for a target that promises it.  On a CPU with AVX2 it
  // works, or does nothing.
  static const bool has_it = cpu().avx2;
  if (has_it) [[likely]] {
    asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(a)));
    asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(b)));
    return;
  }
#endif
  __builtin_prefetch(a, 1);
  __builtin_prefetch(b, 1);
}

}  // namespace bloomery::base
