// One file of another system: how to read it, how to make it again, what it must answer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <bloomery/foreign_filter.hpp>

#include "foreign.hpp"
#include "test_key.hpp"

namespace bloomery::testing {

// One file of a folder.
inline std::vector<std::string> file_in(std::string folder, const char* name) {
  folder.append("/").append(name);
  return {std::move(folder)};
}

struct fixture_row {
  std::string dialect;             // "portable" is ours, and no foreign_filter
  std::vector<std::string> files;  // under fixtures/; several are one after the other
  foreign_options read = {};
  std::vector<std::string> keys = {};  // as bytes: all must be found
  // False positives among `others`, as its writer counted; none: it did not say.
  std::optional<std::size_t> fp = {};
  // How its writer made it; none: it is not rebuilt, for the reason in `not_rebuilt`.
  std::optional<foreign_params> write = {};
  std::string not_rebuilt = {};
  std::vector<std::string> others = numbered("x", 10'000);
};

std::vector<fixture_row> atomicbloom_rows();
std::vector<fixture_row> bits_and_blooms_rows();
std::vector<fixture_row> blockbloom_rows();
std::vector<fixture_row> cassandra_rows();
std::vector<fixture_row> clickhouse_rows();
std::vector<fixture_row> datasketches_rows();
std::vector<fixture_row> fastbloom_rows();
std::vector<fixture_row> fastfilter_rows();
std::vector<fixture_row> guava_rows();
std::vector<fixture_row> leveldb_rows();
std::vector<fixture_row> nori_rows();
std::vector<fixture_row> parquet_rows();
std::vector<fixture_row> portable_rows();
std::vector<fixture_row> redisbloom_rows();
std::vector<fixture_row> rocksdb_rows();
std::vector<fixture_row> rust_bloomfilter_rows();
std::vector<fixture_row> spark_rows();

}  // namespace bloomery::testing
