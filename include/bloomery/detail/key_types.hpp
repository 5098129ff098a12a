// Which C++ values are one key, and which are ranges of keys.
//
//   f.insert("alice");                     text: literals, std::string, string_view
//   f.insert(bytes);                       contiguous bytes: span<const std::byte>,
//                                          vector<unsigned char>, array<char, 16>
//   f.insert(42);                          integers, of a filter of integers
//   f.insert(k);                           a bloomery::key
//   f.insert(names);                       a range of those, at the speed of batches
//   f.insert(first, last);                 two iterators
//
// A std::string is a range of char and still one key; a vector<std::string> is many, and
// so is a vector<int>.
//
// The integer 42 is the same key as int, unsigned or std::int64_t; -1 is the key of
// std::int64_t{-1} and not of 4294967295u.  Integers are hashed by hash_u64
// (spec/hash.md, section 6), so the filter must have been made for them:
//   block_bloom::integers::make({.keys = n})
// With one made for bytes the call does not compile (integer_filter.hpp).
//
// Ambiguous types do not compile, and the error says what to write instead: bool,
// characters, 8-bit integers, floating-point numbers, enumerations, pointers.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <bloomery/detail/probe/words.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

namespace detail {

template <class T, class... Us>
inline constexpr bool is_one_of = (std::same_as<T, Us> || ...);

template <class T>
inline constexpr bool is_small_integer = is_one_of<T, signed char, unsigned char>;
template <class T>
inline constexpr bool is_character =
    is_one_of<T, char, wchar_t, char8_t, char16_t, char32_t>;
template <class T>
inline constexpr bool is_byte =
    is_small_integer<T> || is_one_of<T, std::byte, char, char8_t>;

template <class T>
concept null_pointer = std::is_null_pointer_v<std::remove_cvref_t<T>>;

// Text: one key.
template <class T>
concept text_key = std::convertible_to<T, std::string_view> && !null_pointer<T>;
template <class T>
concept utf8_key = std::convertible_to<T, std::u8string_view> && !null_pointer<T>;

// Contiguous bytes: one key.
template <class T>
concept bytes_key = requires(const std::remove_reference_t<T>& x) {
  { std::size(x) } -> std::convertible_to<std::size_t>;
  requires is_byte<std::remove_cvref_t<decltype(*std::data(x))>>;
};

template <class T>
concept integer_key = std::integral<std::remove_cvref_t<T>> &&
                          sizeof(std::remove_cvref_t<T>) <= 8 &&
                      !is_small_integer<std::remove_cvref_t<T>> &&
                      !is_character<std::remove_cvref_t<T>> &&
                      !std::same_as<std::remove_cvref_t<T>, bool>;

template <class T>
concept iterated = requires(T& r) {
  std::begin(r) != std::end(r);
  *std::begin(r);
};

// Types for which every filter has its own overloads.
template <class T>
concept taken_as_is = std::same_as<std::remove_cvref_t<T>, key> || text_key<T> ||
    std::convertible_to<T, std::span<const key>> ||
    std::convertible_to<T, std::span<const std::string_view>>;

}  // namespace detail

// One key.
template <class T>
concept single_key = std::same_as<std::remove_cvref_t<T>, key> || detail::text_key<T> ||
    detail::utf8_key<T> || detail::bytes_key<T> || detail::integer_key<T>;

// An iterator over keys; a range of them.
template <class It>
concept key_iterator = std::input_iterator<It> && single_key<std::iter_reference_t<It>>;
template <class R>
concept key_range =
    !single_key<R> && detail::iterated<std::remove_reference_t<R>> &&
    single_key<decltype(*std::begin(std::declval<std::remove_reference_t<R>&>()))>;

// The key of any of them.  REQUIRES: it is of the hasher's source
template <single_key T>
BLOOMERY_INLINE key key_of(const hasher& h, const T& x) noexcept {
  if constexpr (std::same_as<T, key>)
    return x;
  else if constexpr (detail::integer_key<T>)
    return h.hash_u64(static_cast<std::uint64_t>(x));
  else if constexpr (detail::text_key<const T&>)
    return h.hash(std::string_view(x));
  else if constexpr (detail::utf8_key<const T&>)
    return h.hash(std::as_bytes(std::span(std::u8string_view(x))));
  else
    return h.hash(std::as_bytes(std::span(std::data(x), std::size(x))));
}

namespace detail {

// Does not compile, and says what to write instead.
template <class T>
void refuse_key() {
  using U = std::remove_cvref_t<T>;
  constexpr bool known = std::is_null_pointer_v<U> || std::same_as<U, bool> ||
                         is_character<U> || is_small_integer<U> ||
                         std::floating_point<U> || std::is_enum_v<U> ||
                         std::is_pointer_v<U> || iterated<U>;
  static_assert(!std::is_null_pointer_v<U>,
                "a null pointer is no key: for the empty text write \"\"");
  static_assert(!std::same_as<U, bool>,
                "a bool is no key: for an integer write int{b}, for text \"true\"");
  static_assert(!is_character<U>,
                "a character is no key: for text write std::string_view(&c, 1), for an "
                "integer int{c}");
  static_assert(!is_small_integer<U>,
                "an 8-bit integer may be meant as a byte: for an integer write int{x}, "
                "for a byte std::span(&x, 1)");
  static_assert(!std::floating_point<U>,
                "a floating-point number is no key, for equal numbers may differ in "
                "bytes (0.0, -0.0): write its text, or "
                "std::bit_cast<std::uint64_t>(x) of a filter of integers");
  static_assert(!std::is_enum_v<U>,
                "an enumeration is no key: write static_cast<int>(e), for an integer");
  static_assert(!std::is_pointer_v<U>,
                "a pointer is no key: write std::string_view(p, n) or std::span(p, n) "
                "for the bytes it points to");
  static_assert(!iterated<U>,
                "the elements of this range are no keys: pass a range of text, "
                "contiguous bytes, integers or bloomery::key; of UTF-16 or UTF-32 text "
                "write std::as_bytes(std::span(text))");
  static_assert(known,
                "no key: pass text, contiguous bytes, an integer, a bloomery::key, or a "
                "range of those; a type of your own is hashed by you: f.from_hash(h)");
}
template <class T>
void refuse_lookup() {
  static_assert(!key_range<const T&>,
                "many keys have as many answers: write may_contain(keys, answers), with "
                "a std::span<bool> or an output iterator");
  if constexpr (!key_range<const T&>) refuse_key<T>();
}

// {"a", "b"} would otherwise be one std::string_view from one literal to the other.
template <class T>
void refuse_list() {
  static_assert(!std::same_as<T, T>,
                "keys in braces are many keys: write one key, or a range and room for "
                "the answers");
}

}  // namespace detail

}  // namespace bloomery::inline v1
