#include "kit/kinds.hpp"

#include <algorithm>
#include <array>

#include "kit/block_bench.hpp"
#include "kit/bloom_bench.hpp"
#include "kit/portable_bench.hpp"

namespace bloomery::bench {
namespace {

constexpr std::array table{
    kind{"block", measure_block},
    kind{"split-block", measure_split_block},
    kind{"bloom", measure_bloom},
    kind{"portable", measure_portable},
};

}  // namespace

std::span<const kind> kinds() noexcept { return table; }

const kind* find_kind(std::string_view name) noexcept {
  const auto found = std::ranges::find(table, name, &kind::name);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace bloomery::bench
