// What bench_leveldb measures: each section returns Markdown.
#pragma once

#include <leveldb/filter_policy.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bloomery_leveldb/filter_policy.hpp"

namespace bloomery::bench {

struct leveldb_request {
  std::uint64_t keys = 1'000'000;
  unsigned rounds = 41;
  std::string folder;  // for databases: 150 bytes per key and policy
};

struct contender {
  const char* name;
  std::unique_ptr<const leveldb::FilterPolicy> policy;  // none: no filters
};
std::vector<contender> contenders();

// 16 bytes; keys from 2^40 on are never written.
std::string leveldb_key(std::uint64_t i);
inline constexpr std::uint64_t absent_from = std::uint64_t{1} << 40;

std::string gets_section(const leveldb_request& r);
std::string probes_section(const leveldb_request& r);
std::string table_file_section(const leveldb_request& r);

}  // namespace bloomery::bench
