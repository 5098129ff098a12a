// Policies around others: one that counts, and one that writes other bytes than it
// should.
#pragma once

#include <leveldb/filter_policy.h>
#include <leveldb/slice.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "bloomery_leveldb/filter_policy.hpp"

namespace bloomery_leveldb::testing {

using policy = std::unique_ptr<const leveldb::FilterPolicy>;

inline policy built_in(int bits_per_key = 10) {
  return policy(leveldb::NewBloomFilterPolicy(bits_per_key));
}
inline policy ours(int bits_per_key = 10, policy_name name = policy_name::built_in) {
  return new_filter_policy({bits_per_key, name});
}

// LevelDB looks up in the thread of the caller, and makes filters in one of its own: what
// is counted of the latter is read while no database is open.
class counted final : public leveldb::FilterPolicy {
 public:
  explicit counted(policy p) : policy_(std::move(p)) {}

  const char* Name() const override { return policy_->Name(); }
  void CreateFilter(const leveldb::Slice* keys, int n, std::string* to) const override {
    const std::size_t before = to->size();
    policy_->CreateFilter(keys, n, to);
    ++filters;
    keys_in += static_cast<std::uint64_t>(n);
    bytes += to->size() - before;
  }
  bool KeyMayMatch(const leveldb::Slice& key, const leveldb::Slice& f) const override {
    const bool found = policy_->KeyMayMatch(key, f);
    ++(found ? passed : refused);
    return found;
  }
  mutable std::uint64_t passed = 0, refused = 0, filters = 0, keys_in = 0, bytes = 0;

 private:
  policy policy_;
};

// Filters are what `forge` makes of the filter; at least one byte, as none means "no
// keys" to LevelDB itself.
class forger final : public leveldb::FilterPolicy {
 public:
  using forgery = std::function<void(std::string& filter)>;
  forger(policy p, forgery forge) : policy_(std::move(p)), forge_(std::move(forge)) {}

  const char* Name() const override { return policy_->Name(); }
  void CreateFilter(const leveldb::Slice* keys, int n, std::string* to) const override {
    std::string filter;
    policy_->CreateFilter(keys, n, &filter);
    forge_(filter);
    to->append(filter.empty() ? std::string(1, '\0') : filter);
  }
  bool KeyMayMatch(const leveldb::Slice& key, const leveldb::Slice& f) const override {
    return policy_->KeyMayMatch(key, f);
  }

 private:
  policy policy_;
  forgery forge_;
};

}  // namespace bloomery_leveldb::testing
