// The head of a fuzz target's body: libFuzzer's entry, or, in the program that replays
// the corpora of all (tests/replay), a function of the target's name.
//
//   BLOOMERY_FUZZ_TARGET(fuzz_decode) { use(data, size); return 0; }
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef BLOOMERY_REPLAY
#define BLOOMERY_FUZZ_TARGET(name)                      \
  int name(const std::uint8_t* data, std::size_t size); \
  int name(const std::uint8_t* data, std::size_t size)
#else
#define BLOOMERY_FUZZ_TARGET(name) \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
#endif
