#include "fixture_row.hpp"

namespace bloomery::testing {
namespace {

foreign_params reserve(std::uint64_t capacity, double error,
                       std::string_view variant = {}, std::uint32_t growth = 2) {
  foreign_params p = sized(capacity, error, variant);
  p.growth = growth;
  return p;
}

// The header, and the chunks with the iterators their names carry.
std::vector<std::string> dump(const std::string& stem, const std::string& iterator,
                              const std::vector<int>& ends) {
  std::vector<std::string> files{"redisbloom/" + stem + ".0.header"};
  for (std::size_t i = 0; i < ends.size(); ++i)
    files.push_back("redisbloom/" + stem + "." + std::to_string(i + 1) + "." + iterator +
                    std::to_string(ends[i]) + ".chunk");
  return files;
}

fixture_row bloom(const std::string& stem, const std::vector<int>& ends,
                  std::vector<std::string> keys, std::size_t fp, foreign_params write) {
  return {.dialect = "redisbloom",
          .files = dump(stem, "iter", ends),
          .keys = std::move(keys),
          .fp = fp,
          .write = write};
}

fixture_row cuckoo(const std::string& stem, const std::vector<int>& ends,
                   std::vector<std::string> keys, std::size_t fp) {
  return {.dialect = "redisbloom",
          .files = dump(stem, "pos", ends),
          .keys = std::move(keys),
          .fp = fp,
          .not_rebuilt = "cuckoo is only read"};
}

}  // namespace

std::vector<fixture_row> redisbloom_rows() {
  const auto k10 = numbered("k", 10), k100 = numbered("k", 100),
             k1000 = numbered("k", 1000);
  return {
      bloom("bf_default_k10", {145}, k10, 0, reserve(100, 0.01)),
      bloom("bf_default_scaled_k1000", {145, 457, 1153, 2689}, k1000, 84,
            reserve(100, 0.01)),
      bloom("bf_growth4_scaled_k1000", {201, 1065, 4809}, k1000, 6,
            reserve(100, 0.001, {}, 4)),
      bloom("bf_reserve1000_0.01_k1000", {1385}, k1000, 42, reserve(1000, 0.01)),
      bloom("bf_reserve1000_0.01_nonscaling_k1000", {1201}, k1000, 93,
            reserve(1000, 0.01, "nonscaling")),
      bloom("bf_reserve10_0.01_k10", {17}, k10, 150, reserve(10, 0.01)),
      bloom("legacy_pow2_32bit_k1000", {2049}, k1000, 6, reserve(1000, 0.01, "legacy32")),
      bloom("legacy_pow2_force64_k1000", {2049}, k1000, 8,
            reserve(1000, 0.01, "legacy64")),
      cuckoo("cf_bs4_k1000", {1025, 2049}, k1000, 277),
      cuckoo("cf_default1024_k1000", {1025, 2049}, k1000, 141),
      cuckoo("cf_grow_k1000", {129, 385, 897, 1921}, k1000, 405),
      cuckoo("cf_reserve1000_k100", {1025}, k100, 7),
      cuckoo("cf_small_k10", {17}, k10, 88),
  };
}

}  // namespace bloomery::testing
