#include "fixture_row.hpp"

namespace bloomery::testing {

std::vector<fixture_row> guava_rows() {
  const auto k10 = numbered("k", 10), k1000 = numbered("k", 1000);
  std::vector<std::string> utf16, longs;  // as the funnels give them
  for (const std::string& k : k10) utf16.push_back({k[0], '\0', k[1], '\0'});
  for (int i = 0; i < 100; ++i)
    longs.push_back(long_key(std::int64_t{i} * 1'000'003 - 50'000'000));
  const auto row = [](const char* file, std::vector<std::string> keys,
                      std::optional<std::size_t> fp, foreign_params write) {
    return fixture_row{.dialect = "guava",
                       .files = file_in("guava", file),
                       .keys = std::move(keys),
                       .fp = fp,
                       .write = write};
  };
  foreign_params usual;  // 0.03
  usual.keys = 1000;
  auto integers = row("mitz64_long100_n100_p0.01.bin", longs, {}, sized(100, 0.01));
  integers.read.form = integers.write->form = key_form::integer;
  return {
      row("mitz64_k10_n10_p0.01.bin", k10, 78, sized(10, 0.01)),
      row("mitz64_k1000_n1000_p0.01.bin", k1000, 96, sized(1000, 0.01, "mitz64")),
      row("mitz64_k1000_n1000_p0.03default.bin", k1000, 313, usual),
      row("mitz64_k10_unencodedChars_n10_p0.01.bin", utf16, {}, sized(10, 0.01)),
      integers,
      row("mitz32_k10_n10_p0.01.bin", k10, 65, sized(10, 0.01, "mitz32")),
      row("mitz32_k1000_n1000_p0.01.bin", k1000, 106, sized(1000, 0.01, "mitz32")),
  };
}

}  // namespace bloomery::testing
