#include "format/dialect/rocksdb_stored.hpp"

#include <algorithm>
#include <cmath>

#include <bloomery/detail/hash/mix.hpp>

#include "base/bits.hpp"
#include "format/dialect/own_table_filter.hpp"
#include "format/dialect/rocksdb_full.hpp"

namespace bloomery::format {
namespace {

// The probes of a key follow one another at random within a line: the mean over lines.
double rate_of_lines(std::span<const std::byte> cells, std::uint32_t hashes) noexcept {
  constexpr std::size_t line = 64;
  double sum = 0;
  for (std::size_t at = 0; at + line <= cells.size(); at += line)
    sum += std::pow(
        static_cast<double>(base::count_ones(cells.subspan(at, line), 8 * line)) /
            (8 * line),
        static_cast<double>(hashes));
  return cells.empty() ? 0 : sum / static_cast<double>(cells.size() / line);
}

// The share of so many keys that pass.  The fill promises less, as steps repeat within a
// line: it only counts where hardly any passes.
double measured_rate(const layout& l, std::span<const std::byte> filter, double computed,
                     std::uint64_t trials) noexcept {
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < trials; ++i) {
    char key[8];
    const std::uint64_t word = hash::splitmix64(i);
    for (unsigned j = 0; j < sizeof key; ++j) key[j] = static_cast<char>(word >> (8 * j));
    found += rocksdb_may_contain(l, {filter}, {key, sizeof key});
  }
  const double measured = static_cast<double>(found) / static_cast<double>(trials);
  return found < 10 ? std::max(computed, measured) : measured;
}

}  // namespace

result<stored_filter> inspect_stored(std::span<const std::byte> filter) noexcept {
  if (is_own_table_filter(filter)) {
    const auto own = inspect_own_table_filter(filter);
    if (!own) return own.error();
    return stored_filter{own->name, "xxh3", true, own->bits, own->hashes};
  }
  const auto l = rocksdb_inspect(filter, {});
  if (!l) return l.error();
  const char* const kind = l->answer == layout::constant::never    ? "empty"
                           : l->answer == layout::constant::always ? "unknown"
                                                                   : l->variant;
  return stored_filter{kind, l->hash, false, l->bits, l->hashes};
}

bool stored_may_contain(std::span<const std::byte> filter,
                        std::string_view key) noexcept {
  if (is_own_table_filter(filter)) return own_table_may_contain(filter, key);
  const auto l = rocksdb_inspect(filter, {});
  return !l || rocksdb_may_contain(*l, {filter}, key);
}

census stored_count(std::span<const std::byte> filter) noexcept {
  if (is_own_table_filter(filter)) return own_table_count(filter);
  const auto l = rocksdb_inspect(filter, {});
  return l ? rocksdb_count(*l, {filter}) : census();
}

double stored_rate(std::span<const std::byte> filter, std::uint64_t trials) noexcept {
  if (is_own_table_filter(filter)) return own_table_rate(filter);
  const auto l = rocksdb_inspect(filter, {});
  if (!l) return 1;
  if (l->answer == layout::constant::none && l->variant[0] == 'f')
    return rate_of_lines(filter.subspan(l->at, l->length), l->hashes);
  const double computed = rocksdb_count(*l, {filter}).fpr;
  if (l->answer != layout::constant::none || l->variant[0] != 'l') return computed;
  return measured_rate(*l, filter, computed, trials);
}

}  // namespace bloomery::format
