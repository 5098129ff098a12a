#include "fixture_row.hpp"

namespace bloomery::testing {

std::vector<fixture_row> spark_rows() {
  const auto k10 = numbered("k", 10), k1000 = numbered("k", 1000);
  std::vector<std::string> longs, absent_longs;
  for (int i = 0; i < 1000; ++i)
    longs.push_back(long_key(std::int64_t{i} * 1'000'003 - 500'000'000));
  for (int i = 0; i < 10'000; ++i) absent_longs.push_back(long_key(1'000'000 + i));
  const auto row = [](const char* file, std::vector<std::string> keys, std::size_t fp,
                      foreign_params write, std::optional<std::uint64_t> seed = {}) {
    write.seed = seed;
    return fixture_row{.dialect = "spark",
                       .files = file_in("spark", file),
                       .keys = std::move(keys),
                       .fp = fp,
                       .write = write};
  };
  const auto integers = [&](const char* file, std::size_t fp, std::string_view variant) {
    auto r = row(file, longs, fp, sized(1000, 0.01, variant));
    r.read.form = r.write->form = key_form::integer;
    r.others = absent_longs;
    return r;
  };
  return {
      row("v1_k10_n10_p0.01.bin", k10, 55, sized(10, 0.01, "v1")),
      row("v1_k1000_n1000_p0.01.bin", k1000, 91, sized(1000, 0.01, "v1")),
      integers("v1_long1000.bin", 93, "v1"),
      row("v2_k10_n10_p0.01.bin", k10, 108, sized(10, 0.01)),
      row("v2_k10_n10_p0.01_seed42.bin", k10, 103, sized(10, 0.01), 42),
      row("v2_k1000_n1000_p0.01.bin", k1000, 100, sized(1000, 0.01, "v2")),
      row("v2_k1000_n1000_p0.01_seedneg7.bin", k1000, 88, sized(1000, 0.01),
          static_cast<std::uint64_t>(-7)),
      integers("v2_long1000.bin", 100, "v2"),
  };
}

}  // namespace bloomery::testing
