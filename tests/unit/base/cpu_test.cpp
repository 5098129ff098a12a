#include "base/cpu.hpp"

#include <cstdlib>
#include <string_view>

#include <gtest/gtest.h>

namespace bloomery::base {
namespace {

TEST(Cpu, FeaturesAreConsistentAndAskedOnce) {
  const cpu_features& f = cpu();
  EXPECT_EQ(&f, &cpu());
  if (f.avx512) {
    EXPECT_TRUE(f.avx2);
  }
#if defined(__x86_64__)
  EXPECT_FALSE(f.neon);
#endif
}

TEST(Cpu, TheEnvironmentCanOnlyTakeAway) {
  const char* limit = std::getenv("BLOOMERY_ISA");
  if (limit == nullptr) GTEST_SKIP() << "BLOOMERY_ISA is not set";
  if (std::string_view(limit) == "portable") {
    EXPECT_FALSE(cpu().avx2 || cpu().avx512 || cpu().neon);
  }
  if (std::string_view(limit) == "avx2") {
    EXPECT_FALSE(cpu().avx512);
  }
}

TEST(Cpu, CacheSizesAreOrderedAndPlausible) {
  const cache_sizes& c = caches();
  EXPECT_GE(c.l1, 4u << 10);
  EXPECT_LE(c.l1, c.l2);
  EXPECT_LE(c.l2, std::size_t{1} << 30);
  EXPECT_GE(c.l3, c.l1);
}

}  // namespace
}  // namespace bloomery::base
