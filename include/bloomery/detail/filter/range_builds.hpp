// `build` from keys as callers have them (key_types.hpp), written once for every kind
// that is built from a span of keys.
//
//   auto f = bloomery::ribbon::build(names, {.fpr = 0.001}, threads);
//
// The calling thread hashes the keys: 8 bytes for each while the filter is built.  What
// an iterator throws passes through.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/key_source.hpp>
#include <bloomery/detail/key_types.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

namespace detail {

// Keys of a range, in its order.
class BLOOMERY_EXPORT key_buffer {
 public:
  // Room for `keys` keys, at least.  Errors: too_large, out_of_memory.
  result<void> reserve(std::size_t keys) noexcept;
  // Errors: as reserve.
  result<void> add(std::span<const key> ks) noexcept;
  std::span<const key> all() const noexcept;

 private:
  static constexpr std::size_t max_keys = ~std::size_t{0} / sizeof(key) / 4;

  pages store_;
  std::size_t count_ = 0;
};

template <class F>
concept builds_from_keys = requires(std::span<const key> ks, typename F::params p) {
  F::build(ks, p);
};
template <class F>
concept builds_by_threads = requires(std::span<const key> ks, typename F::params p) {
  F::build(ks, p, 1u);
};

// A range of other things than keys that were hashed: those a kind takes itself.
template <class R>
concept unhashed_range = !std::convertible_to<R, std::span<const key>> &&
                         iterated<std::remove_reference_t<R>> && !single_key<R>;

// Parameters with a hasher; others have only a source of keys.
template <class Params>
concept any_hasher_params = requires(const Params& p) {
  p.hasher;
};

// The hasher of filters made with `p`.
template <class F>
hasher hasher_for(const typename F::params& p) noexcept {
  hasher h = F::kind.hasher();
  if constexpr (any_hasher_params<typename F::params>)
    h = p.hasher;
  else
    h = h.of(p.source);
  return std::same_as<typename F::integers, F> ? h.of(key_source::integers) : h;
}

inline namespace BLOOMERY_BY_ISA {

// use(keys) of all of them.
template <class F, class It, class End, class Use>
result<F> build_of_range(const hasher& h, It first, const End& last, Use use) {
  check_source<F, std::iter_reference_t<It>>();
  key_buffer all;
  result<void> added;
  if constexpr (std::forward_iterator<It> && std::sentinel_for<End, It>)
    added = all.reserve(static_cast<std::size_t>(std::ranges::distance(first, last)));
  if (!added) return added.error();
  for_each_group(h, std::move(first), last, [&](std::span<const key> ks) {
    added = all.add(ks);
    return added.has_value();
  });
  if (!added) return added.error();
  return use(all.all());
}

}  // namespace BLOOMERY_BY_ISA
}  // namespace detail

// F has build(std::span<const key>, params), and a number of threads behind them where it
// uses several.
template <class F>
class range_builds {
 public:
  // A filter with all keys of a range in it.  Errors: as those for a span of keys,
  // out_of_memory.
  template <detail::unhashed_range R, detail::builds_from_keys S = F>
  BLOOMERY_INLINE static result<S> build(R&& ks, typename S::params p = {}) {
    if constexpr (key_range<R>)
      return build(std::begin(ks), std::end(ks), p);
    else
      return detail::refuse_key<R>(), S::build(std::span<const key>(), p);
  }
  template <class T, detail::builds_from_keys S = F>
  BLOOMERY_INLINE static result<S> build(std::initializer_list<T> ks,
                                         typename S::params p = {}) {
    return build(ks.begin(), ks.end(), p);
  }
  template <key_iterator It, std::sentinel_for<It> End, detail::builds_from_keys S = F>
  BLOOMERY_INLINE static result<S> build(It first, End last, typename S::params p = {}) {
    return detail::build_of_range<S>(
        detail::hasher_for<S>(p), std::move(first), last,
        [&](std::span<const key> all) noexcept { return S::build(all, p); });
  }

  // The same bytes by several threads.  REQUIRES: threads >= 1
  template <detail::unhashed_range R, detail::builds_by_threads S = F>
  BLOOMERY_INLINE static result<S> build(R&& ks, typename S::params p, unsigned threads) {
    if constexpr (key_range<R>)
      return build(std::begin(ks), std::end(ks), p, threads);
    else
      return detail::refuse_key<R>(), S::build(std::span<const key>(), p);
  }
  template <class T, detail::builds_by_threads S = F>
  BLOOMERY_INLINE static result<S> build(std::initializer_list<T> ks,
                                         typename S::params p, unsigned threads) {
    return build(ks.begin(), ks.end(), p, threads);
  }
  template <key_iterator It, std::sentinel_for<It> End, detail::builds_by_threads S = F>
  BLOOMERY_INLINE static result<S> build(It first, End last, typename S::params p,
                                         unsigned threads) {
    return detail::build_of_range<S>(
        detail::hasher_for<S>(p), std::move(first), last,
        [&](std::span<const key> all) noexcept { return S::build(all, p, threads); });
  }
};

}  // namespace bloomery::inline v1
