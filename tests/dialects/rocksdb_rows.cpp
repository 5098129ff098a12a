#include "fixture_row.hpp"

namespace bloomery::testing {
namespace {

// Keys of 0, 13 .. 1300 bytes by the rule of EDGE65: every branch of the hash.
std::vector<std::string> long_edges() {
  std::vector<std::string> out(101);
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t j = 0, length = 13 * i; j < length; ++j)
      out[i].push_back(static_cast<char>((31 * length + 7 * j + 128) & 0xff));
  return out;
}

}  // namespace

std::vector<fixture_row> rocksdb_rows() {
  const auto k10 = numbered("k", 10), k1000 = numbered("k", 1000);
  const auto row = [](const char* file, std::vector<std::string> keys, std::size_t fp,
                      double bits_per_key, std::string_view variant) {
    const auto p = sized_by_bits(keys.size(), bits_per_key, variant);
    return fixture_row{.dialect = "rocksdb",
                       .files = file_in("rocksdb", file),
                       .keys = std::move(keys),
                       .fp = fp,
                       .write = p};
  };
  const auto ribbon = [](const char* file, std::size_t keys, std::size_t fp) {
    return fixture_row{.dialect = "rocksdb",
                       .files = file_in("rocksdb", file),
                       .keys = numbered("k", keys),
                       .fp = fp,
                       .not_rebuilt = "ribbon (6 files) is only read"};
  };
  return {
      row("empty_fastlocal.bin", {}, 0, 10, "fastlocal"),
      row("fastlocal_edgelong101_bpk10.bin", long_edges(), 93, 10, "fastlocal"),
      row("fastlocal_k10_bpk10.bin", k10, 1, 10, ""),
      row("fastlocal_k1000_bpk10.bin", k1000, 85, 10, "fastlocal"),
      row("fastlocal_k1000_bpk15.5.bin", k1000, 12, 15.5, "fastlocal"),
      row("fastlocal_k1000_bpk20.bin", k1000, 3, 20, "fastlocal"),
      row("fastlocal_k1000_bpk100.bin", k1000, 0, 100, "fastlocal"),
      row("legacy_k10_bpk10.bin", k10, 2, 10, "legacy"),
      row("legacy_k1000_bpk10.bin", k1000, 67, 10, "legacy"),
      row("legacy_k1000_bpk15.5.bin", k1000, 20, 15.5, "legacy"),
      // So few keys that RocksDB fell back to the Bloom filter.
      row("ribbon_k10_bpk10.bin", k10, 1, 10, "fastlocal"),
      ribbon("ribbon_k200_bpk10.bin", 200, 85),
      ribbon("ribbon_k1000_bpk10.bin", 1000, 92),
      ribbon("ribbon_k1000_bpk15.5.bin", 1000, 7),
      ribbon("ribbon_k1000_bpk20.bin", 1000, 0),
      ribbon("ribbon_k10000_bpk10.bin", 10'000, 99),
      ribbon("ribbon_k40000_bpk10.bin", 40'000, 85),
  };
}

}  // namespace bloomery::testing
