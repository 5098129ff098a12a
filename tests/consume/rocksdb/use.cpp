// A user's database with our policies: use FOLDER
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <memory>
#include <string>

#include <bloomery_rocksdb/budget_policy.hpp>
#include <bloomery_rocksdb/filter_policy.hpp>

namespace {

bool works_with(std::shared_ptr<const rocksdb::FilterPolicy> policy, const char* folder) {
  rocksdb::BlockBasedTableOptions table;
  table.filter_policy = std::move(policy);
  rocksdb::Options options;
  options.create_if_missing = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  rocksdb::DB* opened = nullptr;
  if (!rocksdb::DB::Open(options, folder, &opened).ok()) return false;
  const std::unique_ptr<rocksdb::DB> db(opened);
  if (!db->Put({}, "alice", "1").ok() || !db->Flush({}).ok()) return false;
  std::string value;
  const bool found = db->Get({}, "alice", &value).ok() && value == "1";
  return found && db->Get({}, "bob", &value).IsNotFound();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  using namespace bloomery_rocksdb;
  const auto plan = plan_levels(leveled_tree(1e6, 4));
  if (!plan) return 1;
  return works_with(new_budget_policy(plan->levels), argv[1]) &&
                 works_with(new_filter_policy(), argv[1])
             ? 0
             : 1;
}
