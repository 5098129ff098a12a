// Policies that write other bytes under the name of ours, which reads them.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>

#include "database.hpp"
#include "internal_classes.hpp"

namespace bloomery::testing {

// Name and reader of one policy, builders of another.
class mixed_policy : public rocksdb::FilterPolicy {
 public:
  mixed_policy(policy_ptr reads, policy_ptr writes)
      : reads_(std::move(reads)), writes_(std::move(writes)) {}
  const char* Name() const override { return "bloomery.test.Mixed"; }
  const char* CompatibilityName() const override { return reads_->CompatibilityName(); }
  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& table) const override {
    return writes_->GetBuilderWithContext(table);
  }
  rocksdb::FilterBitsReader* GetFilterBitsReader(
      const rocksdb::Slice& contents) const override {
    return reads_->GetFilterBitsReader(contents);
  }

 private:
  policy_ptr reads_, writes_;
};

// Random bytes that RocksDB's own reader, if it is asked, takes for a later version's:
// any others it takes for a filter of its own, and may find no key in them.
inline std::string random_filter(std::mt19937_64& random, bool may_be_built_in) {
  std::string bytes(1 + random() % 200, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  if (random() % 4 == 0 && bytes.size() > 13) bytes.replace(bytes.size() - 3, 3, "blm");
  if (random() % 8 == 0) bytes.resize(bytes.size() % 6);
  if (!may_be_built_in && bytes.size() > 5) {
    const auto choice = random() % 0x7f;  // 0, or 0x80 to 0xfd
    bytes[bytes.size() - 5] =
        choice == 0x7e ? '\0' : static_cast<char>(0x80 + static_cast<int>(choice));
  }
  return bytes;
}

class random_bytes_policy final : public mixed_policy {
 public:
  random_bytes_policy(policy_ptr reads, bool may_be_built_in)
      : mixed_policy(std::move(reads), nullptr), may_be_built_in_(may_be_built_in) {}
  rocksdb::FilterBitsBuilder* GetBuilderWithContext(
      const rocksdb::FilterBuildingContext& table) const override {
    return new builder(table.column_family_name.size() + seed_++, may_be_built_in_);
  }

 private:
  class builder final : public rocksdb::FilterBitsBuilder {
   public:
    builder(std::uint64_t seed, bool may_be_built_in)
        : random_(seed), may_be_built_in_(may_be_built_in) {}
    void AddKey(const rocksdb::Slice&) override { ++keys_; }
#if BLOOMERY_ROCKSDB_HAS_ALT
    void AddKeyAndAlt(const rocksdb::Slice&, const rocksdb::Slice&) override { ++keys_; }
#endif
    std::size_t EstimateEntriesAdded() override { return keys_; }
    using FilterBitsBuilder::Finish;
    rocksdb::Slice Finish(std::unique_ptr<const char[]>* bits) override {
      keys_ = 0;
      const std::string bytes = random_filter(random_, may_be_built_in_);
      auto* const memory = new char[bytes.size() + 1];
      bytes.copy(memory, bytes.size());
      bits->reset(memory);
      return {memory, bytes.size()};
    }
    std::size_t ApproximateNumEntries(std::size_t) override { return 100; }
#if BLOOMERY_ROCKSDB_HAS_SPACE
    std::size_t CalculateSpace(std::size_t keys) override { return 2 * keys; }
    double EstimatedFpRate(std::size_t, std::size_t) override { return 1; }
#endif

   private:
    std::mt19937_64 random_;
    bool may_be_built_in_;
    std::size_t keys_ = 0;
  };

  bool may_be_built_in_;
  mutable std::uint64_t seed_ = 1;
};

}  // namespace bloomery::testing
