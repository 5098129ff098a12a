// main of every test program.
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace {

// make test keeps the results for tools/scoreboard.py: a file per test of ctest.
void keep_results() {
  const char* const folder = std::getenv("BLOOMERY_RESULTS");
  const char* const name = std::getenv("BLOOMERY_TEST_NAME");
  if (folder != nullptr && name != nullptr)
    ::testing::GTEST_FLAG(output) = std::string("json:") + folder + "/" + name + ".json";
}

}  // namespace

int main(int argc, char** argv) {
  // RapidCheck draws its seed from the clock unless told; a test run is repeatable.
  setenv("RC_PARAMS", "seed=1 max_success=500", 0);
  keep_results();
  ::testing::InitGoogleTest(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  // 77 tells ctest that nothing ran, which is neither a pass nor a failure.
  const auto& all = *::testing::UnitTest::GetInstance();
  if (all.test_to_run_count() == 0) return 1;  // a filter that names no test
  const bool none_ran = all.skipped_test_count() == all.test_to_run_count();
  return failed == 0 && none_ran ? 77 : failed;
}
