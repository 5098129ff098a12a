#include "fixture_row.hpp"

namespace bloomery::testing {

std::vector<fixture_row> fastbloom_rows() {
  const auto row = [](const char* file, std::size_t keys, key_form form,
                      std::uint32_t hashes, std::size_t fp) {
    foreign_options o;
    o.hashes = hashes;
    o.seed = 42;
    o.form = form;
    foreign_params p;
    p.seed = 42;
    p.form = form;
    p.keys = keys;
    p.fpr = 0.01;
    return fixture_row{.dialect = "fastbloom",
                       .files = file_in("fastbloom", file),
                       .read = o,
                       .keys = numbered("k", keys),
                       .fp = fp,
                       .write = p};
  };
  return {
      row("k1000_fp0.01_n1000_seed42_str.words", 1000, key_form::text, 7, 95),
      row("k1000_fp0.01_n1000_seed42_u8slice.words", 1000, key_form::bytes, 7, 107),
      row("k10_fp0.01_n10_seed42_u8slice.words", 10, key_form::bytes, 9, 34),
  };
}

}  // namespace bloomery::testing
