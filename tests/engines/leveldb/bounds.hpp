// What LevelDB publishes of its Bloom filter at 10 bits per key, held to ours: the rate
// is at most 2 % for every number of keys, above 1.25 % for at most a fifth of them, and
// n keys have at most 1.25 n + 40 bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "databases.hpp"
#include "policies.hpp"

namespace bloomery_leveldb::testing {

inline std::string filter_of(const leveldb::FilterPolicy& p,
                             const std::vector<std::string>& keys) {
  const std::vector<leveldb::Slice> slices(keys.begin(), keys.end());
  std::string filter;
  p.CreateFilter(slices.data(), static_cast<int>(slices.size()), &filter);
  return filter;
}

inline std::vector<std::string> keys_of(int set, int n) {
  std::vector<std::string> keys;
  for (int i = 0; i < n; ++i)
    keys.push_back(
        key_of((static_cast<std::uint64_t>(set) << 20) + static_cast<std::uint64_t>(i)));
  return keys;
}
inline std::string absent(int i) {
  return key_of((std::uint64_t{1} << 40) + static_cast<std::uint64_t>(i));
}

class published_bounds {
 public:
  void check(int n, int lookups) {
    const auto keys = keys_of(n, n);
    const std::string filter = filter_of(*policy_, keys);
    EXPECT_LE(static_cast<double>(filter.size()), 1.25 * n + 40) << n;
    for (const std::string& k : keys) ASSERT_TRUE(policy_->KeyMayMatch(k, filter)) << n;
    int passed = 0;
    for (int i = 0; i < lookups; ++i) passed += policy_->KeyMayMatch(absent(i), filter);
    const double rate = static_cast<double>(passed) / lookups;
    EXPECT_LE(rate, 0.02) << n;
    ++(rate > 0.0125 ? mediocre : good);
  }
  void expect() const {
    EXPECT_LE(mediocre, good / 5);
    ::testing::Test::RecordProperty("mediocre", mediocre);
  }

  int mediocre = 0, good = 0;

 private:
  policy policy_ = ours();
};

}  // namespace bloomery_leveldb::testing
