// Filters of a policy without a database: built from keys, asked one by one or in
// batches.
#pragma once

#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "internal_classes.hpp"

namespace bloomery::testing {

// Four bytes, as in RocksDB's own tests of filters.
inline std::string number_key(std::uint32_t i) {
  return {static_cast<char>(i), static_cast<char>(i >> 8), static_cast<char>(i >> 16),
          static_cast<char>(i >> 24)};
}

inline std::unique_ptr<rocksdb::FilterBitsBuilder> builder_of(
    const rocksdb::FilterPolicy& policy, int level = 0,
    rocksdb::BlockBasedTableOptions options = {}) {
  rocksdb::FilterBuildingContext table(options);
  table.level_at_creation = level;
  return std::unique_ptr<rocksdb::FilterBitsBuilder>(policy.GetBuilderWithContext(table));
}

inline std::string finished(rocksdb::FilterBitsBuilder& builder) {
  std::unique_ptr<const char[]> memory;
  return builder.Finish(&memory).ToString();
}

inline std::string filter_of(const rocksdb::FilterPolicy& policy, std::uint32_t from,
                             std::uint32_t to, int level = 0) {
  const auto builder = builder_of(policy, level);
  for (std::uint32_t i = from; i < to; ++i) builder->AddKey(number_key(i));
  return finished(*builder);
}

class filter_reader_of {
 public:
  // A copy of the bytes, at an address that is a multiple of nothing: engines map files.
  filter_reader_of(const rocksdb::FilterPolicy& policy, const std::string& bytes)
      : memory_(new char[bytes.size() + 1]), size_(bytes.size()) {
    bytes.copy(memory_.get() + 1, bytes.size());
    reader_.reset(policy.GetFilterBitsReader({memory_.get() + 1, size_}));
  }
  bool may_contain(const std::string& key) const { return reader_->MayMatch(key); }
  // How many of the keys [from, to) it lets pass, the same in batches and one by one.
  std::uint32_t passing(std::uint32_t from, std::uint32_t to) const {
    std::uint32_t one_by_one = 0, in_batches = 0;
    for (std::uint32_t i = from; i < to; ++i) one_by_one += may_contain(number_key(i));
    constexpr std::uint32_t batch = 32;  // RocksDB's own readers have room for no more
    for (std::uint32_t i = from; i < to; i += batch) {
      std::vector<std::string> keys;
      std::vector<rocksdb::Slice> slices;
      std::array<rocksdb::Slice*, batch> pointers{};
      std::array<bool, batch> answers{};
      for (std::uint32_t j = i; j < to && j < i + batch; ++j)
        keys.push_back(number_key(j));
      slices.assign(keys.begin(), keys.end());
      for (std::size_t j = 0; j < slices.size(); ++j) pointers[j] = &slices[j];
      reader_->MayMatch(static_cast<int>(slices.size()), pointers.data(), answers.data());
      for (std::size_t j = 0; j < slices.size(); ++j) in_batches += answers[j];
    }
    return one_by_one == in_batches ? one_by_one : ~std::uint32_t{0};
  }

 private:
  std::unique_ptr<char[]> memory_;
  std::size_t size_;
  std::unique_ptr<rocksdb::FilterBitsReader> reader_;
};

}  // namespace bloomery::testing
