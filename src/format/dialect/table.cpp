// Every dialect but portable, which is a filter of our own, in the order of
// spec/dialects.md.
#include <algorithm>
#include <array>

#include "format/dialect/dialect.hpp"

namespace bloomery::format {
namespace {

constexpr std::array rows{
    &atomicbloom_dialect,
    &leveldb_dialect,
    &rocksdb_dialect,
    &fastfilter_dialect,
};

}  // namespace

std::span<const dialect* const> all_dialects() noexcept { return rows; }

const dialect* find_dialect(std::string_view name) noexcept {
  const auto* found =
      std::ranges::find(rows, name, [](const dialect* d) { return d->facts.name; });
  return found == rows.end() ? nullptr : *found;
}

}  // namespace bloomery::format
