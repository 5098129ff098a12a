#include "fixture_row.hpp"

namespace bloomery::testing {
namespace {

fixture_row token(const char* file, std::size_t keys, std::uint64_t bytes,
                  std::uint32_t hashes, std::uint64_t seed, std::size_t fp) {
  foreign_params p;
  p.variant = "tokenbf";
  p.hashes = hashes;
  p.seed = seed;
  const foreign_options read = p;
  p.bits = 8 * bytes;
  return {.dialect = "clickhouse",
          .files = file_in("clickhouse", file),
          .read = read,
          .keys = numbered("k", keys),
          .fp = fp,
          .write = p};
}

fixture_row granule(const char* file, std::size_t keys, double bits_per_row,
                    std::uint32_t hashes, std::size_t fp) {
  foreign_params p;
  p.variant = "granule";
  p.hashes = hashes;
  const foreign_options read = p;
  p.keys = keys;
  p.bits_per_key = bits_per_row;
  return {.dialect = "clickhouse",
          .files = file_in("clickhouse", file),
          .read = read,
          .keys = numbered("k", keys),
          .fp = fp,
          .write = p};
}

}  // namespace

std::vector<fixture_row> clickhouse_rows() {
  return {
      granule("bloom_filter_String_k1000_bpr8_h6.granule", 1000, 8, 6, 205),
      token("tokenbf_k1000_size1250_h6_seed0.raw", 1000, 1250, 6, 0, 89),
      token("tokenbf_k1000_size1250_h6_seed7.raw", 1000, 1250, 6, 7, 87),
      token("tokenbf_k10_size32_h3_seed0.raw", 10, 32, 3, 0, 27),
  };
}

}  // namespace bloomery::testing
