#include "bloomery_rocksdb/budget_policy.hpp"

#include <rocksdb/filter_policy.h>
#include <rocksdb/slice.h>

#include <vector>

#include "level_choice.hpp"

namespace bloomery_rocksdb {
namespace {

class budget_policy final : public rocksdb::FilterPolicy {
 public:
  budget_policy(std::span<const level_filter> levels, int first_level)
      : first_level_(first_level), reader_(rocksdb::NewBloomFilterPolicy(10)) {
    for (const level_filter& l : levels) levels_.push_back(built_in_for(l));
  }

  const char* Name() const override { return "bloomery.BudgetPolicy"; }
  const char* CompatibilityName() const override { return reader_->CompatibilityName(); }

  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& table) const override {
    const auto& policy = levels_[entry_for(table, first_level_, levels_.size())];
    return policy ? policy->GetBuilderWithContext(table) : nullptr;
  }
  // Every built-in policy reads the filters of all.
  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const rocksdb::Slice& contents) const override {
    return reader_->GetFilterBitsReader(contents);
  }

 private:
  std::vector<std::shared_ptr<const rocksdb::FilterPolicy>> levels_;
  int first_level_;
  std::unique_ptr<const rocksdb::FilterPolicy> reader_;
};

}  // namespace

std::shared_ptr<const rocksdb::FilterPolicy> new_budget_policy(
    std::span<const level_filter> levels, int first_level) {
  return std::make_shared<budget_policy>(levels, first_level);
}

}  // namespace bloomery_rocksdb
