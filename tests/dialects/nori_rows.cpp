#include "fixture_row.hpp"

namespace bloomery::testing {
std::vector<fixture_row> nori_rows() {
  const auto k10 = numbered("k", 10), k1000 = numbered("k", 1000);
  const auto row = [](const char* file, std::vector<std::string> keys, std::size_t fp,
                      foreign_params write) {
    return fixture_row{.dialect = "nori",
                       .files = file_in("nori", file),
                       .keys = std::move(keys),
                       .fp = fp,
                       .write = write};
  };
  return {
      row("empty_n0.bin", {}, 0, sized_by_bits(0, 10)),
      row("k10_n10_bpk10.bin", k10, 81, sized_by_bits(10, 10)),
      row("k1000_n1000_bpk10.bin", k1000, 10, sized_by_bits(1000, 10)),
      row("k1000_n1000_bpk12.bin", k1000, 6, sized_by_bits(1000, 12)),
      row("old_mod_k10_n10_bpk10.bin", k10, 139, sized_by_bits(10, 10, "old-mod")),
      row("old_mod_k1000_n1000_bpk10.bin", k1000, 72, sized_by_bits(1000, 10, "old-mod")),
  };
}

}  // namespace bloomery::testing
