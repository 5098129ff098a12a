#include "sizes/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

constexpr std::array<const kind*, 4> table{&block_kind, &split_block_kind, &bloom_kind,
                                           &portable_kind};

}  // namespace

std::span<const kind* const> kinds() { return table; }

std::string kind_names() {
  std::vector<std::string_view> all;
  for (const kind* k : table) all.push_back(k->name);
  return fmt::format("{}", fmt::join(all, ", "));
}

const kind& kind_named(std::string_view name) {
  const auto* found = std::ranges::find(table, name, &kind::name);
  if (found != table.end()) return **found;
  throw failure(
      fmt::format("unknown kind '{}'; this version builds: {}", name, kind_names()));
}

}  // namespace bloomery::cli
