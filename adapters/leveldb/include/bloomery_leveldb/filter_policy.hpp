// A filter policy for LevelDB 1.23: tiny filters (bloomery/tiny_filter.hpp) where the
// built-in policy has Bloom filters.
//
//   const auto policy = bloomery_leveldb::new_filter_policy({.bits_per_key = 10});
//   options.filter_policy = policy.get();        // must outlive the database
//
// At 10 bits per key a filter is no larger than the built-in policy's, and its rate is
// 0.2 %, where that has 0.9 to 1.1 %; building takes 150 to 200 ns per key.
//
// LevelDB ignores filters of a policy with another name, so this one bears the name of
// the built-in policy, reads its filters, and ends its own in a byte that the built-in
// answers with "possibly present": a database switches both ways without a rebuild.
// A filter has a checksum: bytes that this policy has not written answer "possibly
// present", also where LevelDB does not check what it reads (Options::paranoid_checks).
//
// Thread safety: all calls may run together.
#pragma once

#include <leveldb/filter_policy.h>

#include <memory>

namespace bloomery_leveldb {

enum class policy_name {
  built_in,  // "leveldb.BuiltinBloomFilter2": old tables keep their filters
  own,       // "bloomery.TinyFilter": filters of other policies are ignored
};

struct policy_options {
  // 1 to 28; each further bit halves the rate, which is 2^-(bits_per_key - 1) from some
  // 30 keys per filter up, and up to four times that below.  At most the bytes of the
  // built-in policy at the same number, from some 40 keys up.
  int bits_per_key = 10;
  policy_name name = policy_name::built_in;
};

std::unique_ptr<const leveldb::FilterPolicy> new_filter_policy(
    const policy_options& options = {});

}  // namespace bloomery_leveldb
