#include "fixture_row.hpp"

namespace bloomery::testing {

std::vector<fixture_row> datasketches_rows() {
  const auto k10 = numbered("k", 10), k1000 = numbered("k", 1000);
  std::vector<std::string> integers;
  for (int i = 0; i < 100; ++i) integers.push_back(long_key(std::int64_t{i} * 1'000'003));
  const auto row = [](const char* file, std::vector<std::string> keys,
                      std::optional<std::size_t> fp, foreign_params write,
                      std::uint64_t seed) {
    write.seed = seed;
    return fixture_row{.dialect = "datasketches",
                       .files = file_in("datasketches", file),
                       .keys = std::move(keys),
                       .fp = fp,
                       .write = write};
  };
  auto numbers = row("u64x100_acc_100_0.01_seed123_counted.bin", integers, {},
                     sized(100, 0.01, "counted"), 123);
  numbers.read.form = numbers.write->form = key_form::integer;
  return {
      row("empty_size100_k3_seed9001.bin", {}, 0, exactly(100, 3), 9001),
      row("k10_size200_k4_seed123_dirty.bin", k10, 8, exactly(200, 4), 123),
      row("k10_size200_k4_seed123_counted.bin", k10, 8, exactly(200, 4, "counted"), 123),
      row("k1000_acc_1000_0.01_seed0_dirty.bin", k1000, 95, sized(1000, 0.01), 0),
      row("k1000_acc_1000_0.01_seed123_counted.bin", k1000, 101,
          sized(1000, 0.01, "counted"), 123),
      numbers,
  };
}

}  // namespace bloomery::testing
