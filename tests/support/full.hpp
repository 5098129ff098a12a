// Tests that take minutes or gigabytes run only on request.
#pragma once

#include <cstdlib>
#include <string_view>

#include <gtest/gtest.h>

// Symbols of the sanitizers' run-time libraries; null in a program without them.
extern "C" {
[[gnu::weak]] void __asan_init();
[[gnu::weak]] void __tsan_init();
}

namespace bloomery::testing {

inline bool full_run() {
  const char* set = std::getenv("BLOOMERY_TEST_FULL");
  return set != nullptr && std::string_view(set) == "1";
}

// Under a sanitizer everything is several times slower.  Known at run time only: make
// test links the same objects with the library as it is and with the library under
// AddressSanitizer.
inline const bool sanitized = __asan_init != nullptr || __tsan_init != nullptr;

}  // namespace bloomery::testing

// First line of a test that counts over many keys what others reach with a few: a
// sanitizer would only count slower.
#define BLOOMERY_STATISTICS()                                             \
  if (::bloomery::testing::sanitized && !::bloomery::testing::full_run()) \
  GTEST_SKIP() << "statistics, at a tenth of the speed"

// First line of a long test; its suite's name ends in Full.
#define BLOOMERY_FULL_ONLY()            \
  if (!::bloomery::testing::full_run()) \
  GTEST_SKIP() << "a long test: set BLOOMERY_TEST_FULL=1 (make test-full) to run it"
