// Inserting into a filter of any kind that takes keys one after the other.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string_view>

#include <bloomery/filter.hpp>
#include <bloomery/key.hpp>

namespace bloomery::bench {

// The others are made whole, by F::build.
template <class F>
concept growing = insertable<F> || bounded<F>;

// As large as a caller's batch may be; its answers stay in the L1 cache.
inline constexpr std::size_t batch_keys = 1024;

// A filter that refuses a key it was sized for would be timed with less work.
inline void require_accepted(bool accepted) {
  if (!accepted)
    throw std::runtime_error("bench: the filter refused a key that it was sized for");
}

template <growing F, class Key>  // key or string_view
void insert_each(F& f, std::span<const Key> ks) {
  if constexpr (insertable<F>)
    for (const Key k : ks) f.insert(k);
  else
    for (const Key k : ks) require_accepted(f.try_insert(k).has_value());
}

// May refuse, and takes many keys of this form in one call.
template <class F, class Key>
concept tries_batches = bounded<F> && requires(F& f, std::span<const Key> ks) {
  { f.try_insert(ks) } -> std::same_as<std::size_t>;
};

// All of them in one call, if there is one.
template <growing F, class Key>
void insert_whole(F& f, std::span<const Key> ks) {
  if constexpr (insertable<F>)
    f.insert(ks);
  else if constexpr (tries_batches<F, Key>)
    require_accepted(f.try_insert(ks) == ks.size());
  else
    insert_each(f, ks);
}

template <growing F, class Key>
void insert_batches(F& f, std::span<const Key> ks) {
  for (std::size_t i = 0; i < ks.size(); i += batch_keys)
    insert_whole(f, ks.subspan(i, std::min(batch_keys, ks.size() - i)));
}

}  // namespace bloomery::bench
