// Many keys are hashed some at a time, so that their keys stay in the L1 cache.
//
// Out-of-order execution overlaps the end of hashing with the first lookups; weaving the
// two loops into one was slower (docs/dead_ends.md).  A group of 512 takes 4 KiB of
// stack, 12 KiB where the texts are gathered first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include <bloomery/detail/key_types.hpp>
#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>

namespace bloomery::inline v1 {

inline constexpr std::size_t hashed_group = 512;

namespace detail {

// Elements that stay where they are while a group is gathered: views of them are enough.
template <class It>
concept lasting_text =
    std::forward_iterator<It> && std::is_lvalue_reference_v<std::iter_reference_t<It>> &&
    text_key<std::iter_reference_t<It>>;

// Integers that lie in memory as hash_u64 takes them.
template <class It, class End>
concept stored_integers = std::contiguous_iterator<It> &&
    std::sized_sentinel_for<End, It> && integer_key<std::iter_reference_t<It>> &&
    std::same_as<std::make_unsigned_t<std::iter_value_t<It>>, std::uint64_t>;

inline namespace BLOOMERY_BY_ISA {

// Texts are fetched while others are hashed, the object that says where one is before the
// text itself.  The CPU's own prefetchers lose the trail while a group is looked up.
inline constexpr std::size_t texts_ahead = 128;

template <class It>
BLOOMERY_INLINE void fetch_text_ahead(const It& at) noexcept {
  constexpr auto ahead = static_cast<std::iter_difference_t<It>>(texts_ahead);
  __builtin_prefetch(&at[2 * ahead]);
  __builtin_prefetch(std::string_view(at[ahead]).data());
}

// The keys of the next texts, as many as there is room for, and how many they are.
template <class It, class End>
BLOOMERY_INLINE std::size_t hash_texts(const hasher& h, It& first, const End& last,
                                       std::array<key, hashed_group>& keys) {
  std::size_t n = 0;
  if (h.hashes_text_inline()) {
    if constexpr (std::contiguous_iterator<It> && std::sized_sentinel_for<End, It>) {
      const auto left = static_cast<std::size_t>(last - first);
      if (left > 2 * texts_ahead) {
        const std::size_t far = left - 2 * texts_ahead;
        for (; n < keys.size() && n < far; ++first) {
          fetch_text_ahead(first);
          keys[n++] = h.hash(std::string_view(*first));
        }
      }
    }
    for (; n < keys.size() && first != last; ++first)
      keys[n++] = h.hash(std::string_view(*first));
    return n;
  }
  std::array<std::string_view, hashed_group> texts;
  for (; n < keys.size() && first != last; ++first) texts[n++] = std::string_view(*first);
  h.hash(std::span<const std::string_view>(texts).first(n), std::span(keys).first(n));
  return n;
}

// Texts whose keys may be used a group later than they are hashed: reading them cannot
// throw, which would lose the group before.
template <class It, class End>
concept steady_texts = lasting_text<It> && std::contiguous_iterator<It> &&
    std::sized_sentinel_for<End, It> &&
    std::is_nothrow_convertible_v<std::iter_reference_t<It>, std::string_view>;

// Texts hashed, then used, at a time; and how many are hashed, and their lines on their
// way, before the first is used.
inline constexpr std::size_t fetched_group = 24, fetched_ahead = 24;

// Hashes some more, from `first` on, and fetches their lines; how many.
template <class It, class End, class Lines>
BLOOMERY_INLINE std::size_t hash_and_fetch(const hasher& h, const Lines& lines, It& first,
                                           const End& last, key* out) {
  const auto left = static_cast<std::size_t>(last - first);
  const std::size_t n = left < fetched_group ? left : fetched_group;
  if (h.hashes_text_inline()) {
    for (std::size_t i = 0; i < n; ++i, ++first)
      lines(out[i] = h.hash(std::string_view(*first)));
    return n;
  }
  std::array<std::string_view, fetched_group> texts;
  for (std::size_t i = 0; i < n; ++i, ++first) texts[i] = std::string_view(*first);
  h.hash(std::span<const std::string_view>(texts).first(n), {out, n});
  for (std::size_t i = 0; i < n; ++i) lines(out[i]);
  return n;
}

// use(keys, first), a group at a time whose lines are fetched, until it answers false.
// Hashing gives the lines of the groups before time to arrive.
template <class It, class End, class Lines, class Use>
void for_each_fetched_group(const hasher h, const Lines lines, It first, const End& last,
                            Use use) {
  constexpr std::size_t groups = fetched_ahead / fetched_group + 1;
  std::array<key, groups * fetched_group> ring;
  std::size_t hashed = 0, used = 0;
  const auto hash_some = [&] {
    hashed += hash_and_fetch(h, lines, first, last, &ring[hashed % ring.size()]);
  };
  for (std::size_t i = 1; i < groups; ++i) hash_some();
  for (;;) {
    hash_some();
    if (used == hashed) return;
    const std::size_t left = hashed - used,
                      n = left < fetched_group ? left : fetched_group;
    if (!use(std::span<const key>(&ring[used % ring.size()], n), used)) return;
    used += n;
  }
}

// use(keys, first), a group of texts at a time, `first` being the position of its first
// text, until it answers false.
template <class Use>
void for_each_text_group(const hasher& h, std::span<const std::string_view> texts,
                         Use use) noexcept {
  std::array<key, hashed_group> keys;
  auto at = texts.begin();
  for (std::size_t i = 0; i < texts.size(); i += keys.size()) {
    const std::size_t n = hash_texts(h, at, texts.end(), keys);
    if (!use(std::span<const key>(keys).first(n), i)) return;
  }
}

// use(keys), a group at a time, until it answers false.
template <class It, class End, class Use>
void for_each_group(const hasher& h, It first, const End& last, Use use) {
  std::array<key, hashed_group> keys;
  while (first != last) {
    std::size_t n = 0;
    if constexpr (stored_integers<It, End>) {
      const auto left = static_cast<std::size_t>(last - first);
      n = left < keys.size() ? left : keys.size();
      h.hash_u64({reinterpret_cast<const std::uint64_t*>(&*first), n},
                 std::span(keys).first(n));
      first += static_cast<std::iter_difference_t<It>>(n);
    } else if constexpr (integer_key<std::iter_reference_t<It>>) {
      std::array<std::uint64_t, hashed_group> integers;
      for (; n < keys.size() && first != last; ++first)
        integers[n++] = static_cast<std::uint64_t>(*first);
      h.hash_u64(std::span(integers).first(n), std::span(keys).first(n));
    } else if constexpr (lasting_text<It>) {
      n = hash_texts(h, first, last, keys);
    } else {
      for (; n < keys.size() && first != last; ++first) keys[n++] = key_of(h, *first);
    }
    if (!use(std::span<const key>(keys).first(n))) return;
  }
}

}  // namespace BLOOMERY_BY_ISA
}  // namespace detail
}  // namespace bloomery::inline v1
