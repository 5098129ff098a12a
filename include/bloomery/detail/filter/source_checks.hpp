// Whether a value can be a key of a filter: at compile time where the type of the filter
// says what its keys are, otherwise by its hasher (docs/decisions/0040-integer-keys.md).
#pragma once

#include <concepts>
#include <type_traits>

#include <bloomery/detail/key_source.hpp>
#include <bloomery/detail/key_types.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1::detail {

// The type says what keys are: F::integers is the form for integers.
template <class F>
concept typed_by_source = requires {
  typename F::integers;
};

// Does not compile, and says what to write instead, where the type of a filter says that
// a T is no key of it.  F::integers is its form for integers (integer_filter.hpp), and F
// itself there.  Filters without one are opened at run time: their hasher decides.
template <class F, class T>
constexpr void check_source() noexcept {
  if constexpr (typed_by_source<F>) {
    if constexpr (std::same_as<typename F::integers, F>)
      static_assert(integer_key<T> || std::same_as<std::remove_cvref_t<T>, key>,
                    "text and bytes are no keys of a filter of integers: leave out "
                    "integers::, as in block_bloom::make({.keys = n, .fpr = 0.01})");
    else
      static_assert(!integer_key<T>,
                    "an integer is a key of a filter of integers: write integers:: "
                    "before make, build or load, as in "
                    "block_bloom::integers::make({.keys = n, .fpr = 0.01})");
  }
}

// Whether a T can be a key of a filter whose hasher has this source.
template <class T>
constexpr bool is_key_of(key_source source) noexcept {
  if constexpr (std::same_as<std::remove_cvref_t<T>, key>)
    return true;
  else if constexpr (integer_key<T>)
    return source == key_source::integers;
  else
    return is_hashed_as_bytes(source);
}
// Whether keys of f can be a T, where f was opened at run time.  If not, lookups answer
// "possibly present", which is never a false negative, and inserts return the error
// below.
template <class T, class F>
BLOOMERY_INLINE bool takes(const F& f) noexcept {
  if constexpr (typed_by_source<F>)
    return true;  // check_source
  else
    return is_key_of<T>(f.hasher().source());
}
template <class T>
constexpr error no_key_of_it() noexcept {
  if constexpr (integer_key<T>)
    return {errc::incompatible,
            "an integer is no key of this filter: its keys are not "
            "integers"};
  else
    return {errc::incompatible,
            "text and bytes are no keys of this filter: its keys are "
            "integers or hashes"};
}

}  // namespace bloomery::inline v1::detail
