#include "fixture_row.hpp"

namespace bloomery::testing {
std::vector<fixture_row> blockbloom_rows() {
  const auto k10 = numbered("k", 10), k1000 = numbered("k", 1000);
  const auto row = [](const char* file, std::vector<std::string> keys,
                      std::uint32_t hashes, std::optional<std::size_t> fp,
                      foreign_params write) {
    fixture_row r{.dialect = "blockbloom",
                  .files = file_in("blockbloom", file),
                  .keys = std::move(keys),
                  .fp = fp,
                  .write = write};
    r.read.hashes = hashes;
    r.read.variant = write.variant;
    return r;
  };
  return {
      row("k10_b2_k6.raw", k10, 6, 0, exactly(2 * 512, 6, "appendix")),
      row("k10_est_10_0.01.raw", k10, 8, 0, sized(10, 0.01, "appendix")),
      row("k1000_est_1000_0.01.raw", k1000, 8, 30, sized(1000, 0.01, "appendix")),
      row("k1000_est_1000_0.001.raw", k1000, 12, 3, sized(1000, 0.001, "appendix")),
      row("section_k10_b8_k9.raw", k10, 9, {}, exactly(8 * 512, 9, "section")),
  };
}

}  // namespace bloomery::testing
