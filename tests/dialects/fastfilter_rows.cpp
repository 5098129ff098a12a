#include "fixture_row.hpp"

namespace bloomery::testing {

std::vector<fixture_row> fastfilter_rows() {
  const auto row = [](const char* file, const char* variant, std::size_t keys,
                      std::size_t fp) {
    fixture_row r{.dialect = "fastfilter",
                  .files = file_in("fastfilter", file),
                  .keys = numbered("k", keys),
                  .fp = fp};
    r.read.variant = variant;
    // The variant in which it was written, by its name.
    const std::string_view name(file);
    const bool wide = name.find("16_") != name.npos;
    r.write.emplace();
    r.write->variant = name.starts_with("xor")     ? wide ? "xor16" : "xor8"
                       : name.ends_with(".packed") ? wide ? "packed16" : "packed8"
                       : wide                      ? "fuse16"
                                                   : "fuse8";
    return r;
  };
  return {
      row("binary_fuse8_k0.bin", "", 0, 43),
      row("binary_fuse8_k0.packed", "", 0, 43),
      row("binary_fuse8_k1.bin", "", 1, 48),
      row("binary_fuse8_k1.packed", "", 1, 48),
      row("binary_fuse8_k2.bin", "", 2, 42),
      row("binary_fuse8_k2.packed", "", 2, 42),
      row("binary_fuse8_k10.bin", "", 10, 46),
      row("binary_fuse8_k10.packed", "", 10, 46),
      row("binary_fuse8_k1000.bin", "fuse8", 1000, 42),
      row("binary_fuse8_k1000.packed", "packed8", 1000, 42),
      row("binary_fuse8_k10000.bin", "", 10'000, 39),
      row("binary_fuse8_k10000.packed", "", 10'000, 39),
      row("binary_fuse16_k10.bin", "", 10, 0),
      row("binary_fuse16_k1000.bin", "fuse16", 1000, 0),
      row("xor8_k10_zeroinit.bin", "", 10, 47),
      row("xor8_k1000_zeroinit.bin", "xor8", 1000, 42),
      row("xor16_k1000_zeroinit.bin", "", 1000, 0),
  };
}

}  // namespace bloomery::testing
