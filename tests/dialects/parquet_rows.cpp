#include "fixture_row.hpp"

namespace bloomery::testing {
namespace {

foreign_params of_bytes(std::uint64_t bytes, std::string_view variant) {
  foreign_params p;
  p.bits = 8 * bytes;
  p.variant = variant;
  return p;
}

fixture_row file(const char* name) {
  return {.dialect = "parquet",
          .files = file_in("parquet-sbbf", name),
          .keys = {"Hello", "today"},
          .fp = 0,
          .not_rebuilt = "whole files are read, not written",
          .others = {"NOT_EXISTS"}};
}

}  // namespace

std::vector<fixture_row> parquet_rows() {
  const auto k10 = numbered("k", 10), k1000 = numbered("k", 1000);
  const auto row = [](const char* name, std::vector<std::string> keys, std::size_t fp,
                      foreign_params write) {
    fixture_row r{.dialect = "parquet",
                  .files = file_in("parquet-sbbf", name),
                  .keys = std::move(keys),
                  .fp = fp,
                  .write = write};
    r.read.variant = write.variant;
    return r;
  };
  return {
      row("bloom_filter.xxhash.bin", {"hello", "parquet", "bloom", "filter"}, 0,
          of_bytes(1024, "header")),
      row("k10_32bytes.bitset", k10, 0, sized(10, 0.01, "bitset")),
      row("k1000_1024bytes.bitset", k1000, 289, of_bytes(1024, "bitset")),
      row("k1000_2048bytes.bitset", k1000, 10, sized(1000, 0.01, "bitset")),
      file("data_index_bloom_encoding_stats.parquet"),
      file("data_index_bloom_encoding_with_length.parquet"),
  };
}

}  // namespace bloomery::testing
