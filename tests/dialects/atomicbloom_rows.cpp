#include "fixture_row.hpp"

namespace bloomery::testing {
std::vector<fixture_row> atomicbloom_rows() {
  const auto k10 = numbered("k", 10), k1000 = numbered("k", 1000);
  const auto row = [](const char* file, std::vector<std::string> keys, std::size_t fp,
                      foreign_params write) {
    return fixture_row{.dialect = "atomicbloom",
                       .files = file_in("atomicbloom", file),
                       .keys = std::move(keys),
                       .fp = fp,
                       .write = write};
  };
  return {
      row("empty_m100_k3.bin", {}, 0, exactly(100, 3)),
      row("k10_m200_k4.bin", k10, 13, exactly(200, 4)),
      row("k10_est_10_0.01.bin", k10, 242, sized(10, 0.01)),
      row("k1000_est_1000_0.01.bin", k1000, 107, sized(1000, 0.01)),
      row("k1000_est_1000_0.001.bin", k1000, 12, sized(1000, 0.001)),
  };
}

}  // namespace bloomery::testing
