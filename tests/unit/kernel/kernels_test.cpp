#include <bloomery/detail/kernels.hpp>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <gtest/gtest.h>

namespace bloomery {
namespace {

TEST(Kernels, OneIsChosenAndItRuns) {
  const auto all = kernels();
  EXPECT_EQ(std::ranges::count(all, true, &kernel_info::chosen), 1);
  const auto chosen = std::ranges::find(all, true, &kernel_info::chosen);
  EXPECT_TRUE(chosen->compiled && chosen->runs);
  EXPECT_STREQ(chosen->name, kernel_name());
  // The best that runs.
  EXPECT_TRUE(std::none_of(chosen + 1, all.end(), [](const auto& k) { return k.runs; }));
}

TEST(Kernels, TheDefinitionAlwaysRuns) {
  const auto all = kernels();
  ASSERT_EQ(all.size(), 4u);
  constexpr const char* names[] = {"portable", "avx2", "avx512", "neon"};
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_STREQ(all[i].name, names[i]);
  EXPECT_TRUE(all[0].compiled && all[0].runs);
  for (const kernel_info& k : all) EXPECT_TRUE(k.compiled || !k.runs) << k.name;
}

TEST(Kernels, TheEnvironmentCanOnlyTakeAway) {
  const char* limit = std::getenv("BLOOMERY_ISA");
  if (limit == nullptr) GTEST_SKIP() << "BLOOMERY_ISA is not set";
  if (std::string_view(limit) == "portable") {
    EXPECT_STREQ(kernel_name(), "portable");
  }
}

}  // namespace
}  // namespace bloomery
