#include "bloomery_rocksdb/filter_policy.hpp"

#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <utility>

#include <bloomery/filter_view.hpp>

#include "filter_builder.hpp"
#include "filter_reader.hpp"
#include "level_choice.hpp"
#include "own_forms.hpp"

namespace bloomery_rocksdb {
namespace {

using rocksdb::Slice;

// Whether the bytes end as ours do.  RocksDB's own do not, but for Ribbon filters of 900
// million keys and more.
bool has_our_ending(const Slice& contents) noexcept {
  return text_of(contents).ends_with("blm");
}

class table_policy final : public rocksdb::FilterPolicy {
 public:
  explicit table_policy(const policy_options& o)
      : first_level_(o.first_level),
        name_(o.name),
        built_in_(rocksdb::NewBloomFilterPolicy(10)) {
    for (const level_filter& f : o.levels) {
      const bool is_read_here = is_own(f.form) || name_ == policy_name::built_in;
      levels_.push_back({is_read_here ? f : level_filter{filter_form::none},
                         is_read_here ? built_in_for(f) : nullptr});
    }
  }

  const char* Name() const override { return "bloomery.TablePolicy"; }
  const char* CompatibilityName() const override {
    return name_ == policy_name::own ? "bloomery.Table1" : built_in_->CompatibilityName();
  }

  // Null, no filter, also where there is no memory for a builder.
  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& table) const override {
    const entry& e = levels_[entry_for(table, first_level_, levels_.size())];
    if (e.built_in) return e.built_in->GetBuilderWithContext(table);
    if (!is_own(e.filter.form)) return nullptr;
    const bool verify = table.table_options.detect_filter_construct_corruption;
    return new (std::nothrow) filter_builder(e.filter, verify);
  }

  // RocksDB takes null for "possibly present", too.
  rocksdb::FilterBitsReader* GetFilterBitsReader(const Slice& contents) const override {
    if (rocksdb::FilterBitsReader* const ours = reader_over(contents)) return ours;
    const bool is_built_in = name_ == policy_name::built_in &&
                             !has_our_ending(contents) &&
                             contents.size() > matches_nothing().size();
    if (is_built_in) return built_in_->GetFilterBitsReader(contents);
    return new (std::nothrow) constant_reader(!is_of_no_keys(contents));
  }

 private:
  struct entry {
    level_filter filter;
    std::shared_ptr<const rocksdb::FilterPolicy> built_in;
  };

  static rocksdb::FilterBitsReader* reader_over(const Slice& contents) noexcept {
    const auto bytes = bytes_of(contents);
    const bloomery::container_kind kind = bloomery::table_filter_kind(bytes);
    for (const filter_form form :
         {filter_form::block, filter_form::ribbon, filter_form::fuse}) {
      const auto* const row = kind_of(form);
      if (row->facts.number != kind) continue;
      return with_type(form,
                       [&]<class F>(std::type_identity<F>) -> rocksdb::FilterBitsReader* {
                         return filter_reader<F>::over(bytes);
                       });
    }
    return nullptr;
  }

  std::vector<entry> levels_;
  int first_level_;
  policy_name name_;
  std::unique_ptr<const rocksdb::FilterPolicy> built_in_;
};

}  // namespace

std::shared_ptr<const rocksdb::FilterPolicy> new_filter_policy(
    const policy_options& options) {
  return std::make_shared<table_policy>(options);
}

}  // namespace bloomery_rocksdb
