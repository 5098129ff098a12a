// What a test tried, counted: files read, bits flipped, calls that failed.  The counts
// are properties in GoogleTest's report, and tools/scoreboard.py adds them up.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <gtest/gtest.h>

namespace bloomery::testing {

// Adds `n` to the counter `what` of the test that runs; by one thread at a time.  Not for
// inner loops: each call copies strings.
inline void count_cases(const char* what, std::uint64_t n) {
  static const ::testing::TestInfo* counted = nullptr;
  static std::map<std::string, std::uint64_t> counts;
  const auto* const now = ::testing::UnitTest::GetInstance()->current_test_info();
  if (now != counted) counts.clear();
  counted = now;
  ::testing::Test::RecordProperty(what, std::to_string(counts[what] += n));
}

}  // namespace bloomery::testing
