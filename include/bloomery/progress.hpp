// How far long work has come, told to whoever asked.
#pragma once

#include <cstdint>

namespace bloomery::inline v1 {

// Called now and then while a file is written or read: bytes done, and bytes in all.
struct progress_call {
  void (*call)(void* context, std::uint64_t done, std::uint64_t all) = nullptr;
  void* context = nullptr;
};

}  // namespace bloomery::inline v1
