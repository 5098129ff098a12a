#include "fixture_row.hpp"

namespace bloomery::testing {
std::vector<fixture_row> leveldb_rows() {
  const auto k10 = numbered("k", 10), k1000 = numbered("k", 1000);
  const auto row = [](const char* file, std::vector<std::string> keys,
                      std::optional<std::size_t> fp, double bits_per_key) {
    const auto n = keys.size();
    return fixture_row{.dialect = "leveldb",
                       .files = file_in("leveldb", file),
                       .keys = std::move(keys),
                       .fp = fp,
                       .write = sized_by_bits(n, bits_per_key)};
  };
  return {
      row("empty_bpk10.bin", {}, 0, 10),
      row("hello_world_bpk10.bin", {"hello", "world"}, 36, 10),
      row("k10_bpk10.bin", k10, 276, 10),
      row("k10_bpk16.bin", k10, 41, 16),
      row("k1000_bpk1.bin", k1000, 6297, 1),
      row("k1000_bpk10.bin", k1000, 74, 10),
      row("k1000_bpk20.bin", k1000, 1, 20),
      row("k1000_bpk60.bin", k1000, 0, 60),
      {.dialect = "leveldb",
       .files = {"leveldb/filterblock_k10_bpk10.bin"},
       .keys = k10,
       .not_rebuilt = "the block of 5 filters is rebuilt by LevelDbBlock.IsRebuilt"},
  };
}

}  // namespace bloomery::testing
