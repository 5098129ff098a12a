// Every dialect but portable, which is a native filter, in the order of
// spec/dialects.md.
#include <algorithm>
#include <array>

#include "format/dialect/dialect.hpp"

namespace bloomery::format {
namespace {

// clang-format off
constexpr std::array rows{
    &nori_dialect,
    &atomicbloom_dialect,
    &blockbloom_dialect,
    &bits_and_blooms_dialect,
    &parquet_dialect,
    &guava_dialect,
    &spark_dialect,
    &redisbloom_dialect,
    &leveldb_dialect,
    &rocksdb_dialect,
    &cassandra_dialect,
    &datasketches_dialect,
    &fastbloom_dialect,
    &rust_bloomfilter_dialect,
    &fastfilter_dialect,
    &clickhouse_dialect,
};
// clang-format on

}  // namespace

std::span<const dialect* const> all_dialects() noexcept { return rows; }

const dialect* find_dialect(std::string_view name) noexcept {
  const auto* found =
      std::ranges::find(rows, name, [](const dialect* d) { return d->facts.name; });
  return found == rows.end() ? nullptr : *found;
}

}  // namespace bloomery::format
