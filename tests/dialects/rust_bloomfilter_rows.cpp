#include "fixture_row.hpp"

namespace bloomery::testing {

std::vector<fixture_row> rust_bloomfilter_rows() {
  const auto row = [](const char* file, std::size_t keys, std::size_t fp) {
    foreign_params p;
    p.keys = keys;
    p.fpr = 0.01;
    return fixture_row{.dialect = "rust-bloomfilter",
                       .files = file_in("rust-bloomfilter", file),
                       .keys = numbered("k", keys),
                       .fp = fp,
                       .write = p};
  };
  return {
      row("k1000_n1000_p0.01_valkeyseed.bin", 1000, 96),
      row("k10_n10_p0.01_valkeyseed.bin", 10, 63),
  };
}

}  // namespace bloomery::testing
