// Random operations under our policies, and under policies that are hostile, beside a
// std::map.
#include "cases.hpp"
#include "full.hpp"
#include "machine.hpp"
#include "spoiled_policy.hpp"
#include "temp_dir.hpp"

namespace bloomery::testing {
namespace {

using bloomery_rocksdb::filter_form;
using bloomery_rocksdb::policy_name;

struct model_case {
  const char* name;
  database_setup setup;
  bool has_filters = true;  // every key passes one, or the tickers do not count it
};

policy_ptr budget() {
  const auto tree = bloomery_rocksdb::leveled_tree(1e5, 4);
  return bloomery_rocksdb::new_budget_policy(
      bloomery_rocksdb::plan_levels(tree, {.bits_per_key = 10})->levels);
}
policy_ptr by_level() {
  return bloomery_rocksdb::new_filter_policy(
      {.levels = {{filter_form::block, 14},
                  {filter_form::fuse, 12},
                  {filter_form::ribbon, 0, 0.02}}});
}
policy_ptr random_bytes(policy_name name) {
  return std::make_shared<random_bytes_policy>(own_policy(filter_form::block, 10, name),
                                               name == policy_name::own);
}

std::vector<model_case> cases() {
  const auto own = [](filter_form form) { return own_policy(form); };
  const policy_ptr own_name = own_policy(filter_form::ribbon, 8, policy_name::own);
  return {
      {"block", {.policy = own(filter_form::block)}},
      {"ribbon", {.policy = own(filter_form::ribbon)}},
      {"fuse", {.policy = own(filter_form::fuse), .detect_corruption = true}},
      {"own_name", {.policy = own_name}},
      {"budget", {.policy = budget()}},
      {"by_level", {.policy = by_level(), .prefix = 4}},
      {"partitioned", {.policy = own(filter_form::block), .partitioned = true}},
      {"partitioned_prefixes",
       {.policy = own(filter_form::ribbon), .partitioned = true, .prefix = 4}},
      {"prefixes_alone",
       {.policy = own(filter_form::block), .prefix = 4, .whole_keys = false},
       false},
      {"random_bytes", {.policy = random_bytes(policy_name::built_in)}},
      {"random_bytes_own_name", {.policy = random_bytes(policy_name::own)}},
      {"another_policys",
       {.policy = std::make_shared<mixed_policy>(own_name, built_in_bloom())}},
  };
}

class RocksDBModel : public ::testing::TestWithParam<model_case> {};

TEST_P(RocksDBModel, NoGetIsWrong) {
  const temp_dir folder;
  database_setup setup = GetParam().setup;
  setup.in_memory = std::string_view(GetParam().name) != "by_level";  // ten times as fast
  database db(folder / "db", setup);
  machine m(db, 1, GetParam().setup.prefix);
  const int steps = full_run() ? 1'000'000 : 100'000;
  for (int i = 0; i < steps && m.wrong() < 10; ++i) m.step();
  m.check_all(GetParam().has_filters);
  EXPECT_EQ(m.wrong(), 0);
  EXPECT_GT(m.gets(), static_cast<std::uint64_t>(steps));
  count_cases("operations", static_cast<std::uint64_t>(steps));
  count_cases("gets", m.gets());
}

INSTANTIATE_TEST_SUITE_P(Policies, RocksDBModel, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return std::string(info.param.name); });

// The machine itself: a filter that has lost a key is found.
class forgetful_policy final : public mixed_policy {
 public:
  explicit forgetful_policy(policy_ptr p) : mixed_policy(p, p) {}
  rocksdb::FilterBitsReader* GetFilterBitsReader(const rocksdb::Slice&) const override {
    class forgetful final : public rocksdb::FilterBitsReader {
     public:
      using FilterBitsReader::MayMatch;
      bool MayMatch(const rocksdb::Slice& key) override {
        return key[key.size() - 1] != '9';
      }
    };
    return new forgetful;
  }
};

TEST(RocksDBModel, AFalseNegativeIsNoticed) {
  const temp_dir folder;
  database db(
      folder / "db",
      {.policy = std::make_shared<forgetful_policy>(own_policy(filter_form::block))});
  for (int i = 0; i < 100; ++i) must(db->Put({}, std::to_string(i), "v"));
  must(db->Flush({}));
  std::string value;
  EXPECT_TRUE(db->Get({}, "19", &value).IsNotFound());
  EXPECT_TRUE(db->Get({}, "18", &value).ok());
}

}  // namespace
}  // namespace bloomery::testing
