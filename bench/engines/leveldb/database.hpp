// The databases of bench_leveldb: the same keys and values in each, whatever the policy.
#pragma once

#include <leveldb/cache.h>
#include <leveldb/db.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "engines/leveldb/sections.hpp"

namespace bloomery::bench {

class database {
 public:
  // Writes it, into tables of one level.
  database(const contender& c, const std::filesystem::path& folder, std::uint64_t keys);

  // With a block cache of so many bytes; 0: every Get reads its block again.
  leveldb::DB& open(std::size_t cache_bytes,
                    const leveldb::FilterPolicy* instead = nullptr);
  void close();

  const contender& about() const { return *about_; }
  std::uint64_t filter_bytes() const;

 private:
  const contender* about_;
  std::string folder_;
  std::unique_ptr<leveldb::Cache> cache_;
  std::unique_ptr<leveldb::DB> db_;
};

// What the filters answer to so many absent keys.
struct answers {
  std::uint64_t refused = 0, passed = 0;
};
answers answers_of(database& d, std::uint64_t lookups);

}  // namespace bloomery::bench
