#include "comparison/query_sets.hpp"

#include <algorithm>

#include "kit/mix.hpp"
#include "kit/workload.hpp"

namespace bloomery::bench {
namespace {

// No filter holds as many keys: the other streams start here.
constexpr std::uint64_t absent_from = std::uint64_t{1} << 63;
constexpr std::uint64_t choices_from = std::uint64_t{1} << 62;

}  // namespace

query_sets::query_sets(std::uint64_t keys)
    : all(keys), fresh(static_cast<std::size_t>(std::min<std::uint64_t>(keys, queries))) {
  for (std::uint64_t i = 0; i < keys; ++i) all[i] = splitmix64(i);
  for (std::uint64_t i = 0; i < queries; ++i) {
    const std::uint64_t choice = splitmix64(choices_from + i);
    present.push_back(all[scale(choice, keys)]);
    absent.push_back(splitmix64(absent_from + i));
    mixed.push_back((choice & 1) != 0 ? present.back() : absent.back());
  }
}

}  // namespace bloomery::bench
