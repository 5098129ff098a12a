#include "fixture_row.hpp"

namespace bloomery::testing {

std::vector<fixture_row> cassandra_rows() {
  const auto k10 = numbered("k", 10), k1000 = numbered("k", 1000);
  const auto texts = numbered("", 5);
  std::vector<std::string> integers;  // of the type int: 4 big-endian bytes
  for (char i = 1; i <= 10; ++i) integers.push_back({'\0', '\0', '\0', i});
  const auto row = [](const char* file, std::vector<std::string> keys,
                      std::optional<std::size_t> fp, foreign_params write) {
    return fixture_row{.dialect = "cassandra",
                       .files = file_in("cassandra", file),
                       .read = as(write.variant),
                       .keys = std::move(keys),
                       .fp = fp,
                       .write = write};
  };
  return {
      row("k10_n10_p0.01_Filter.db", k10, 61, sized(10, 0.01, "new")),
      row("k1000_n1000_p0.01_Filter.db", k1000, 89, sized(1000, 0.01, "new")),
      row("k1000_n1000_p0.1_Filter.db", k1000, 863, sized(1000, 0.1, "new")),
      row("da-1-bti-Filter.db", texts, {}, sized(5, 0.01, "new")),
      row("nb-1-big-Filter.db", texts, {}, sized(5, 0.01, "new")),
      row("oa-1-big-Filter.db", texts, {}, sized(5, 0.01, "new")),
      row("mc-1-big-Filter.db", texts, {}, sized(5, 0.01, "old")),
      row("la-1-big-Filter.db", integers, {}, sized(10, 0.01, "old")),
      row("ka-1-Filter.db", integers, {}, sized(10, 0.01, "ka")),
  };
}

}  // namespace bloomery::testing
