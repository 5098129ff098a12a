// The keys of a comparison: hashed in advance, the same for all.
//
// Key i is splitmix64(i): uniform, and no two are alike.  A filter holds keys 0 .. n-1.
// Present queries are drawn from those at random, absent ones from a disjoint stream, the
// mix is a coin thrown for each key: 2^20 of each, so that neither the branch predictor
// nor a cache learns them.
#pragma once

#include <cstdint>
#include <vector>

namespace bloomery::bench {

struct query_sets {
  explicit query_sets(std::uint64_t keys);

  std::vector<std::uint64_t> all;  // what the filters hold
  std::vector<std::uint64_t> present, absent, mixed;
  std::size_t fresh = 0;  // so many of the first of `all` are inserted one by one
};

}  // namespace bloomery::bench
