// LevelDB's published bounds at every number of keys from 1 to 10,000.
#include "bounds.hpp"

#include "cases.hpp"

namespace bloomery_leveldb::testing {
namespace {

TEST(LevelDbBounds, EverySize) {
  published_bounds bounds;
  for (int n = 1; n <= 10'000; ++n) {
    ASSERT_NO_FATAL_FAILURE(bounds.check(n, 2'000));
  }
  bounds.expect();
  bloomery::testing::count_cases("filters", 10'000);
}

}  // namespace
}  // namespace bloomery_leveldb::testing
