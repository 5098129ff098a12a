// Progress callback.
#pragma once

#include <cstdint>

namespace bloomery::inline v1 {

// Called from time to time while a file is written or read: bytes done, and the total.
struct progress_call {
  void (*call)(void* context, std::uint64_t done, std::uint64_t all) = nullptr;
  void* context = nullptr;
};

}  // namespace bloomery::inline v1
