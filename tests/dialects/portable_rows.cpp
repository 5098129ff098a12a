#include "fixture_row.hpp"

namespace bloomery::testing {

std::vector<fixture_row> portable_rows() {
  const auto row = [](const char* file, std::vector<std::string> keys, double fpr,
                      std::optional<std::size_t> fp) {
    const auto n = keys.size();
    return fixture_row{.dialect = "portable",
                       .files = file_in("db-lab", file),
                       .keys = std::move(keys),
                       .fp = fp,
                       .write = sized(n, fpr)};
  };
  const auto k10 = numbered("k", 10), k1000 = numbered("k", 1000);
  return {
      row("k10_n10_p0.01.bin", k10, 0.01, 280),
      row("k1000_n1000_p0.01.bin", k1000, 0.01, 94),
      row("k1000_n1000_p0.001.bin", k1000, 0.001, 9),
      row("key1000_n1000_p0.01.bin", numbered("key", 1000), 0.01, {}),
  };
}

}  // namespace bloomery::testing
