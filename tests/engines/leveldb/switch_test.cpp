// A database changes its policy both ways, without a rebuild.
#include <cstdint>

#include "databases.hpp"
#include "policies.hpp"
#include "temp_dir.hpp"

namespace bloomery_leveldb::testing {
namespace {

struct change {
  const char* name;
  policy before, after;
  // Whether filters of before are read by after, and whether they refuse absent keys.
  bool read, refuse;
};

TEST(LevelDbSwitch, BothWaysWithoutARebuild) {
  constexpr std::uint64_t keys = 5000;
  constexpr auto own = policy_name::own;
  change all[] = {
      {"built-in to ours", built_in(), ours(), true, true},
      {"ours to built-in", ours(), built_in(), true, false},
      {"built-in to our own name", built_in(), ours(10, own), false, false},
      {"our own name to built-in", ours(10, own), built_in(), false, false},
      {"our own name to ours", ours(10, own), ours(), false, false},
      {"fewer bits", ours(20), ours(5), true, true},
      {"fewer bits, own name", ours(20, own), ours(5, own), true, true},
      {"built-in with other bits", built_in(16), ours(5), true, true},
      {"ours to none", ours(), nullptr, false, false},
  };
  for (change& c : all) {
    SCOPED_TRACE(c.name);
    const bloomery::testing::temp_dir dir;
    {
      const auto db = open(small_tables(c.before.get()), dir / "db");
      load(*db, 0, keys);
      ASSERT_NO_FATAL_FAILURE(expect_keys(*db, keys));
    }
    const bool some = c.after != nullptr;
    const counted after(some ? std::move(c.after) : ours());
    {
      const auto db = open(small_tables(some ? &after : nullptr), dir / "db");
      ASSERT_NO_FATAL_FAILURE(expect_keys(*db, keys));
      EXPECT_EQ(after.passed >= keys, c.read);
      EXPECT_EQ(after.refused > keys * 9 / 10, c.refuse) << after.refused;
      EXPECT_TRUE(c.refuse || after.refused == 0) << after.refused;
      // New tables have filters of the new policy.
      load(*db, keys, 2 * keys);
      const std::uint64_t refused = after.refused;
      ASSERT_NO_FATAL_FAILURE(expect_keys(*db, 2 * keys));
      if (some) {
        EXPECT_GT(after.refused - refused, keys * 9 / 10);
      }
    }
    // And back.
    const auto again = open(small_tables(c.before.get()), dir / "db");
    ASSERT_NO_FATAL_FAILURE(expect_keys(*again, 2 * keys));
  }
}

}  // namespace
}  // namespace bloomery_leveldb::testing
