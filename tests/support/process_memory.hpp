// What the kernel says about this process's memory.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace bloomery::testing {

// VmSize: (now) or VmPeak: (the most so far), in KiB.
inline std::uint64_t process_kib(const std::string& what) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == what) {
      status >> word;
      return std::stoull(word);
    }
  return 0;
}

}  // namespace bloomery::testing
