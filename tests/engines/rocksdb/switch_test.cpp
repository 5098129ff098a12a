// A database that changes its policy: the filters of both sides are used or ignored, and
// no answer is wrong.
#include "cases.hpp"
#include "database.hpp"
#include "temp_dir.hpp"

namespace bloomery::testing {
namespace {

using bloomery_rocksdb::filter_form;
using bloomery_rocksdb::policy_name;

constexpr int keys = 2000;

void fill(database& db, int from) {
  for (int i = from; i < from + keys; ++i)
    must(db->Put({}, "key" + std::to_string(2 * i), "value" + std::to_string(i)));
  must(db->Flush({}));
}

struct counted {
  std::uint64_t wrong = 0, useful = 0;
};
counted look_up(database& db, int from) {
  counted c;
  const std::uint64_t before = db.useful();
  std::string value;
  for (int i = from; i < from + keys; ++i) {
    const auto there = db->Get({}, "key" + std::to_string(2 * i), &value);
    c.wrong += !there.ok() || value != "value" + std::to_string(i);
    c.wrong += !db->Get({}, "key" + std::to_string(2 * i + 1), &value).IsNotFound();
  }
  c.useful = db.useful() - before;
  return c;
}

class RocksDBSwitch : public ::testing::TestWithParam<filter_form> {};
INSTANTIATE_TEST_SUITE_P(Forms, RocksDBSwitch,
                         ::testing::Values(filter_form::block, filter_form::ribbon,
                                           filter_form::fuse));

TEST_P(RocksDBSwitch, FromTheBuiltInPolicyAndBack) {
  const temp_dir folder;
  const std::string path = folder / "db";
  {
    database db(path, {.policy = built_in_bloom(), .compacts = false});
    fill(db, 0);
  }
  {  // RocksDB's filters are used by ours, and new tables get ours.
    database db(path, {.policy = own_policy(GetParam()), .compacts = false});
    counted c = look_up(db, 0);
    EXPECT_EQ(c.wrong, 0u);
    EXPECT_GT(c.useful, keys * 9 / 10);
    fill(db, keys);
    c = look_up(db, keys);
    EXPECT_EQ(c.wrong, 0u);
    EXPECT_GT(c.useful, keys * 9 / 10);
  }
  {  // RocksDB answers "possibly present" from ours, and uses its own.
    database db(path, {.policy = built_in_bloom(), .compacts = false});
    counted c = look_up(db, 0);
    EXPECT_EQ(c.wrong, 0u);
    EXPECT_GT(c.useful, keys * 9 / 10);
    const std::uint64_t before = db.positive();
    c = look_up(db, keys);
    EXPECT_EQ(c.wrong, 0u);
    EXPECT_GE(db.positive() - before, 2u * keys);
  }
  {  // And once more ours.
    database db(path, {.policy = own_policy(GetParam()), .compacts = false});
    const counted c = look_up(db, keys);
    EXPECT_EQ(c.wrong, 0u);
    EXPECT_GT(c.useful, keys * 9 / 10);
    db.compact();
    EXPECT_EQ(look_up(db, 0).wrong, 0u);
    EXPECT_EQ(look_up(db, keys).wrong, 0u);
  }
  count_cases("gets", 12 * keys);
}

TEST_P(RocksDBSwitch, UnderOurOwnNameOthersAreIgnored) {
  const temp_dir folder;
  const std::string path = folder / "db";
  const policy_ptr own = own_policy(GetParam(), 10, policy_name::own);
  {
    database db(path, {.policy = built_in_bloom(), .compacts = false});
    fill(db, 0);
  }
  {
    database db(path, {.policy = own, .compacts = false});
    counted c = look_up(db, 0);
    EXPECT_EQ(c.wrong, 0u);
    EXPECT_EQ(c.useful, 0u);
    fill(db, keys);
    c = look_up(db, keys);
    EXPECT_EQ(c.wrong, 0u);
    EXPECT_GT(c.useful, keys * 9 / 10);
  }
  database db(path, {.policy = built_in_bloom(), .compacts = false});
  const counted c = look_up(db, keys);
  EXPECT_EQ(c.wrong, 0u);
  EXPECT_LT(c.useful, keys + keys / 10);  // the older table's alone
}

// Other bits, other forms, partitions, prefixes: tables of all kinds side by side.
TEST(RocksDBSwitch, AnyOrderOfSetups) {
  const temp_dir folder;
  const std::string path = folder / "db";
  const database_setup setups[] = {
      {.policy = own_policy(filter_form::block)},
      {.policy = own_policy(filter_form::ribbon, 7), .partitioned = true},
      {.policy = nullptr},
      {.policy = own_policy(filter_form::fuse, 12), .prefix = 4},
      {.policy = built_in_bloom(5), .partitioned = true, .prefix = 3},
      {.policy = own_policy(filter_form::block, 20), .cache_filters = false}};
  int from = 0;
  for (const database_setup& s : setups) {
    database db(path, s);
    fill(db, from);
    from += keys;
    for (int i = 0; i < from; i += keys) ASSERT_EQ(look_up(db, i).wrong, 0u) << i;
  }
}

}  // namespace
}  // namespace bloomery::testing
