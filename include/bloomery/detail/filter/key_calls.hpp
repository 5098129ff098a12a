// The calls that take keys as callers have them (key_types.hpp), written once for every
// filter over its calls for `key` and for spans of keys.
//
//   class my_filter : public key_lookups<my_filter>, public key_inserts<my_filter> {
//     using key_lookups<my_filter>::may_contain;     beside its own overloads
//
// A filter that may be full, or erases, has key_changes instead of key_inserts.
//
// Ranges go to the batch calls (batch_calls.hpp), so they cost what those cost.  What an
// iterator throws passes through; the groups before it are in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <bloomery/detail/base/contract.hpp>
#include <bloomery/detail/filter/batch_calls.hpp>
#include <bloomery/detail/filter/core_parts.hpp>
#include <bloomery/detail/filter/source_checks.hpp>
#include <bloomery/detail/key_types.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

namespace detail {

// F inserts keys.  T keeps the question from being asked before F is complete.
template <class F, class T>
concept inserts_keys = requires(F& f, key k, std::remove_reference_t<T>*) {
  f.insert(k);
};
template <class F, class T>
concept tries_keys = requires(F& f, key k, std::remove_reference_t<T>*) {
  f.try_insert(k);
};
template <class F, class T>
concept erases_keys = requires(F& f, key k, std::remove_reference_t<T>*) {
  f.erase_present(k);
};

inline namespace BLOOMERY_BY_ISA {

// The key of x in f.
template <class F, class T>
BLOOMERY_INLINE key key_in(const F& f, const T& x) noexcept {
  check_source<F, T>();
  return key_of(f.hasher(), x);
}

// One integer, where F has calls for it.
template <class F, class T>
concept integer_for =
    core_has_integer<F> && typed_by_source<F> && integer_key<std::remove_reference_t<T>>;
template <class F, class T>
BLOOMERY_INLINE bool find_integer(const F& f, T x) noexcept {
  check_source<F, T>();
  return core_parts::find_integer(
      f, static_cast<std::uint64_t>(x),
      [&f](std::uint64_t y) { return key_of(f.hasher(), y); });
}
template <class F, class T>
BLOOMERY_INLINE void add_integer(F& f, T x) noexcept {
  check_source<F, T>();
  core_parts::add_integer(f, static_cast<std::uint64_t>(x),
                          [&f](std::uint64_t y) { return key_of(f.hasher(), y); });
}

}  // namespace BLOOMERY_BY_ISA
}  // namespace detail

// F has hasher(), may_contain(key) and may_contain(span<const key>, span<bool>).
template <class F>
class key_lookups {
 public:
  // The key of a value of any type that is one.
  template <class T>
  requires(!detail::taken_as_is<const T&>) BLOOMERY_INLINE key hash(const T& x)
  const noexcept {
    if constexpr (single_key<T>)
      return detail::key_in(self(), x);
    else
      return detail::refuse_key<T>(), key();
  }

  template <class T>
  key hash(std::initializer_list<T>) const noexcept {
    return detail::refuse_list<T>(), key();
  }

  template <class T>
  bool may_contain(std::initializer_list<T>) const noexcept {
    return detail::refuse_list<T>(), true;
  }
  template <class T>
  requires(!detail::taken_as_is<const T&>) BLOOMERY_INLINE
      bool may_contain(const T& x) const noexcept {
    if constexpr (detail::integer_for<F, T>)
      return detail::find_integer(self(), x);
    else if constexpr (single_key<T>)
      return !detail::takes<T>(self()) || self().may_contain(detail::key_in(self(), x));
    else
      return detail::refuse_lookup<T>(), true;
  }

  // Many: an answer for each, in their order, to a std::span<bool> of exactly that size,
  // or to an output iterator, as std::transform does it:
  //   std::vector<bool> known;
  //   f.may_contain(names, std::back_inserter(known));
  template <key_range R>
  requires(!detail::taken_as_is<R>) BLOOMERY_INLINE
      void may_contain(R&& ks, std::span<bool> out) const {
    detail::answer_groups(self(), std::begin(ks), std::end(ks), out,
                          detail::lookup_in{self()});
  }
  template <key_iterator It, std::sentinel_for<It> End>
  BLOOMERY_INLINE void may_contain(It first, End last, std::span<bool> out) const {
    detail::answer_groups(self(), std::move(first), last, out, detail::lookup_in{self()});
  }
  template <key_range R, std::output_iterator<bool> Out>
  BLOOMERY_INLINE Out may_contain(R&& ks, Out out) const {
    return detail::answer_groups(self(), std::begin(ks), std::end(ks), std::move(out),
                                 detail::lookup_in{self()});
  }
  template <key_iterator It, std::sentinel_for<It> End, std::output_iterator<bool> Out>
  BLOOMERY_INLINE Out may_contain(It first, End last, Out out) const {
    return detail::answer_groups(self(), std::move(first), last, std::move(out),
                                 detail::lookup_in{self()});
  }

 private:
  const F& self() const noexcept { return static_cast<const F&>(*this); }
};

// F has hasher(), insert(key) and insert(span<const key>), which answer Done: nothing, or
// a result<void>; and insert_if_absent(key) if it can, which answers First.
template <class F, class Done = void, class First = bool>
class key_inserts {
 public:
  // One key, or many.
  template <class T>
  requires(!detail::taken_as_is<T>) && detail::inserts_keys<F, T> BLOOMERY_INLINE Done
      insert(T&& x) {
    if constexpr (detail::integer_for<F, T>) {
      return detail::add_integer(self(), x);
    } else if constexpr (single_key<T>) {
      if constexpr (!std::is_void_v<Done>)
        if (!detail::takes<T>(self())) return detail::no_key_of_it<T>();
      return self().insert(detail::key_in(self(), x));
    } else if constexpr (key_range<T>)
      return detail::insert_groups<Done>(self(), std::begin(x), std::end(x));
    else
      return detail::refuse_key<T>(), Done();
  }
  template <class T>
  requires detail::inserts_keys<F, T> BLOOMERY_INLINE Done
  insert(std::initializer_list<T> ks) {
    return insert(ks.begin(), ks.end());
  }
  template <std::input_iterator It, std::sentinel_for<It> End>
  requires detail::inserts_keys<F, It> BLOOMERY_INLINE Done insert(It first, End last) {
    if constexpr (key_iterator<It>)
      return detail::insert_groups<Done>(self(), std::move(first), last);
    else
      return detail::refuse_key<std::iter_reference_t<It>>(), Done();
  }

  template <class T>
  First insert_if_absent(std::initializer_list<T>) noexcept {
    return detail::refuse_list<T>(), First(false);
  }
  template <class T>
  requires(!detail::taken_as_is<const T&>) && detail::inserts_keys<F, T> BLOOMERY_INLINE
      First insert_if_absent(const T& x) noexcept {
    if constexpr (single_key<T>) {
      if constexpr (!std::same_as<First, bool>)
        if (!detail::takes<T>(self())) return detail::no_key_of_it<T>();
      return self().insert_if_absent(detail::key_in(self(), x));
    } else {
      return detail::refuse_key<T>(), First(false);
    }
  }

  // Many, of which one may occur twice: true for each that was definitely not present
  // when its turn came.
  template <key_range R>
  requires(!std::convertible_to<R, std::span<const key>>) &&
      std::same_as<First, bool> BLOOMERY_INLINE
      void insert_if_absent(R&& ks, std::span<bool> out) {
    detail::answer_groups(self(), std::begin(ks), std::end(ks), out,
                          detail::insert_absent_in{self()});
  }
  template <key_range R, std::output_iterator<bool> Out>
  requires std::same_as<First, bool> BLOOMERY_INLINE Out insert_if_absent(R&& ks,
                                                                          Out out) {
    return detail::answer_groups(self(), std::begin(ks), std::end(ks), std::move(out),
                                 detail::insert_absent_in{self()});
  }

 private:
  F& self() noexcept { return static_cast<F&>(*this); }
};

// F has hasher(), try_insert(key) and try_insert(span<const key>), which returns how many
// are in; and erase_present(key), if it can erase.
template <class F>
class key_changes {
 public:
  // One key: Errors as the filter's own call.  Many: how many are in, before the first
  // that was refused.
  template <class T>
  requires(!detail::taken_as_is<T>) && detail::tries_keys<F, T> BLOOMERY_INLINE
      auto try_insert(T&& x) {
    if constexpr (single_key<T>) {
      return self().try_insert(detail::key_in(self(), x));
    } else if constexpr (key_range<T>) {
      return try_insert(std::begin(x), std::end(x));
    } else {
      return detail::refuse_key<T>(), std::size_t{0};
    }
  }
  template <key_iterator It, std::sentinel_for<It> End>
  requires detail::tries_keys<F, It> BLOOMERY_INLINE std::size_t try_insert(It first,
                                                                            End last) {
    detail::check_source<F, std::iter_reference_t<It>>();
    std::size_t in = 0;
    detail::for_each_group(self().hasher(), std::move(first), last,
                           [&](std::span<const key> ks) {
                             const std::size_t some = self().try_insert(ks);
                             in += some;
                             return some == ks.size();
                           });
    return in;
  }
  template <class T>
  requires detail::tries_keys<F, T> std::size_t try_insert(std::initializer_list<T> ks) {
    return try_insert(ks.begin(), ks.end());
  }

  // REQUIRES: what the filter's own call requires
  template <class T>
  requires(!detail::taken_as_is<const T&>) && detail::erases_keys<F, T> BLOOMERY_INLINE
      auto erase_present(const T& x) {
    if constexpr (!single_key<T>) detail::refuse_key<T>();
    return self().erase_present(detail::key_in(self(), x));
  }

 private:
  F& self() noexcept { return static_cast<F&>(*this); }
};

}  // namespace bloomery::inline v1
