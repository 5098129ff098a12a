#include <bloomery/ribbon.hpp>

#include <cassert>
#include <utility>

#include "filter/sort_distinct.hpp"
#include "kind/ribbon/layers.hpp"

namespace bloomery::inline v1 {

result<ribbon> ribbon::build(sorted_keys& ks, ribbon_columns columns, params p,
                             unsigned threads) noexcept {
  assert(threads >= 1);
  if (!is_ribbon_width(p.width))
    return error{errc::invalid_argument, "windows of a ribbon have 64 or 128 slots", 0,
                 static_cast<double>(p.width)};
  if (columns.columns == 0 || columns.columns > ribbon_shape::max_columns)
    return error{errc::invalid_argument, "a ribbon has 1 to 32 columns", 0,
                 static_cast<double>(columns.columns), ribbon_shape::max_columns};
  ribbon_layers layers(columns, p.width, threads);
  if (auto ok = layers.build(ks); !ok) return ok.error();
  return ribbon(layers.shape(), p.keys == 0 ? ks.size() : p.keys, p.hasher,
                layers.take_store(), {});
}

result<ribbon> ribbon::build(sorted_keys& ks, params p, unsigned threads) noexcept {
  const auto columns = ribbon_columns_by_rate(ks.size(), p.fpr);
  if (!columns) return columns.error();
  return build(ks, *columns, p, threads);
}

result<ribbon> ribbon::build(std::span<const key> ks, ribbon_columns columns, params p,
                             unsigned threads) noexcept {
  auto sorted = sort_distinct(ks, threads);
  if (!sorted) return sorted.error();
  sorted_keys all(sorted->keys);
  return build(all, columns, p, threads);
}

// Columns of the distinct keys, as from sorted_keys.
result<ribbon> ribbon::build(std::span<const key> ks, params p,
                             unsigned threads) noexcept {
  auto sorted = sort_distinct(ks, threads);
  if (!sorted) return sorted.error();
  sorted_keys all(sorted->keys);
  return build(all, p, threads);
}

}  // namespace bloomery::inline v1
