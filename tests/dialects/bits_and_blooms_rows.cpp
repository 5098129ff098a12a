#include "fixture_row.hpp"

namespace bloomery::testing {

std::vector<fixture_row> bits_and_blooms_rows() {
  const auto k10 = numbered("k", 10), k1000 = numbered("k", 1000);
  std::vector<fixture_row> rows;
  // Each filter was written in both forms.
  const auto both = [&](const std::string& file, const std::vector<std::string>& keys,
                        std::size_t fp, const foreign_params& write, bool little) {
    for (const bool text : {false, true}) {
      fixture_row row{.dialect = "bits-and-blooms",
                      .files = {"bits-and-blooms/" + file + (text ? ".json" : ".bin")},
                      .keys = keys,
                      .fp = fp,
                      .write = write};
      row.write->variant =
          little ? (text ? "le-json" : "le") : (text ? "json" : "binary");
      rows.push_back(row);
    }
  };
  both("empty_m100_k3", {}, 0, exactly(100, 3), false);
  both("m0_k0", {}, 0, exactly(0, 0), false);
  both("m0_k0_1key", {"k0"}, 10'000, exactly(0, 0), false);
  both("k10_m200_k4", k10, 14, exactly(200, 4), false);
  both("k10_m200_k4_LEmode", k10, 14, exactly(200, 4), true);
  both("k10_from4words_k5", k10, 5, exactly(256, 5), false);
  both("k10_est_10_0.01", k10, 149, sized(10, 0.01), false);
  both("k1000_est_1000_0.01", k1000, 95, sized(1000, 0.01), false);
  both("k1000_est_1000_0.001", k1000, 9, sized(1000, 0.001), false);
  return rows;
}

}  // namespace bloomery::testing
