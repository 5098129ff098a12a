// The shapes a filter can have.  Each filter's .cpp asserts the shapes it claims.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/detail/receipt.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {
// clang-format off

// Answers "possibly present" (true) or "definitely not present" (false).
template <class F>
concept askable = std::movable<F> &&
    requires(const F& f, key k, std::string_view text, std::span<const key> ks,
             std::span<const std::string_view> texts, std::span<bool> out) {
      { f.may_contain(k) } noexcept -> std::same_as<bool>;
      { f.may_contain(text) } noexcept -> std::same_as<bool>;
      { f.may_contain(ks, out) } noexcept -> std::same_as<void>;
      { f.may_contain(texts, out) } noexcept -> std::same_as<void>;
      { f.hasher() } noexcept -> std::same_as<hasher>;
      { f.hash(text) } noexcept -> std::same_as<key>;
      { f.expected_fpr(std::uint64_t{}) } noexcept -> std::same_as<double>;
      { f.realised_fpr() } noexcept -> std::same_as<double>;
      { f.estimated_keys() } noexcept -> std::same_as<double>;
      { f.fill() } noexcept -> std::same_as<double>;
      { f.capacity() } noexcept -> std::same_as<std::uint64_t>;
      { f.size_in_bytes() } noexcept -> std::same_as<std::size_t>;
    };

// Keeps recent keys only, by design: "definitely not present" may be a key that was
// inserted long ago.  Each such type says of which keys that is not so.
template <class F>
concept forgetting = askable<F> && requires { requires F::kind.forgets; };

// Never a false negative.  What relies on that requires this concept.
template <class F>
concept filter = askable<F> && !forgetting<F>;

// Grows key by key and never refuses one: the Bloom family.
template <class F>
concept insertable = askable<F> &&
    requires(F& f, key k, std::string_view text, std::span<const key> ks,
             std::span<const std::string_view> texts) {
      { f.insert(k) } noexcept -> std::same_as<void>;
      { f.insert(text) } noexcept -> std::same_as<void>;
      { f.insert(ks) } noexcept -> std::same_as<void>;
      { f.insert(texts) } noexcept -> std::same_as<void>;
      { f.clear() } noexcept -> std::same_as<void>;
    };

// Grows until it is full: cuckoo, quotient.  A refused key changes nothing.  A batch
// stops at the first refused key; it returns the number of keys inserted before that.
// Errors: full, too_many_copies, corrupt (bytes of the key are damaged).
template <class F>
concept bounded = filter<F> &&
    requires(F& f, key k, std::string_view text, std::span<const key> ks) {
      { f.try_insert(k) } noexcept -> std::same_as<result<void>>;
      { f.try_insert(text) } noexcept -> std::same_as<result<void>>;
      { f.try_insert(ks) } noexcept -> std::same_as<std::size_t>;
      { f.clear() } noexcept -> std::same_as<void>;
    };

// Inserts, and reports whether the key was definitely not present before.
template <class F>
concept deduplicating = askable<F> &&
    requires(F& f, key k, std::span<const key> ks, std::span<bool> absent) {
      { f.insert_if_absent(k) } noexcept -> std::same_as<bool>;
      { f.insert_if_absent(ks, absent) } noexcept -> std::same_as<void>;
    };

// Deletes one copy of a key.
//   erase_present(k)      the caller knows that k was inserted and not erased since.  For any
//                         other key that tests positive it would delete the fingerprint of
//                         one that is in: a false negative.
//   erase(receipt)        safe for other keys the first time; the receipt is used up if it
//                         succeeds.  A stored copy that is used again may delete another key
//   erase_present(ks, erased)  one by one, in order; erased[i]: ks[i] was present, and one
//                         copy of it is gone.  Returns their number.
// Errors: not_present, incompatible (no receipt of this filter), corrupt (bytes of the key
// are damaged); nothing has changed.
template <class F>
concept erasable = filter<F> &&
    requires(F& f, key k, std::string_view text, std::span<const key> ks,
             std::span<bool> erased, receipt r) {
      { f.erase_present(k) } noexcept -> std::same_as<result<void>>;
      { f.erase_present(text) } noexcept -> std::same_as<result<void>>;
      { f.erase_present(ks, erased) } noexcept -> std::same_as<result<std::size_t>>;
      { f.try_insert_with_receipt(k) } noexcept -> std::same_as<result<receipt>>;
      { f.try_insert_with_receipt(text) } noexcept -> std::same_as<result<receipt>>;
      { f.erase(std::move(r)) } noexcept -> std::same_as<result<void>>;
    };

// Reports how often a key was inserted: never too low.
template <class F>
concept counting = filter<F> && requires(const F& f, key k) {
  { f.count(k) } noexcept -> std::same_as<std::uint64_t>;
};

// Can be built from all its keys at once.
template <class F>
concept buildable = askable<F> && requires(std::span<const key> ks) {
  { F::build(ks) } -> std::same_as<result<F>>;
};

// Can be built only in this way, without inserts: xor, fuse, ribbon.
template <class F>
concept build_only = buildable<F> && !insertable<F> && !bounded<F>;

// Union with a filter of the same layout and hasher: afterwards it answers "possibly
// present" wherever either did.
template <class F>
concept mergeable = askable<F> && requires(F& f, const F& other) {
  { f.merge(other) } noexcept -> std::same_as<result<void>>;
};

// Afterwards it answers "possibly present" where both did.
template <class F>
concept intersectable = filter<F> && requires(F& f, const F& other) {
  { f.intersect(other) } noexcept -> std::same_as<result<void>>;
};

// Shrinks to a filter of the same keys, smaller by an integer divisor.
template <class F>
concept foldable = filter<F> && requires(F& f, std::uint64_t divisor) {
  { f.fold(divisor) } noexcept -> std::same_as<result<void>>;
};

// Lists the fingerprints that it stores, each with its number of copies.
template <class F>
concept iterable = filter<F> &&
    requires(const F& f, void (*visit)(void*, std::uint64_t, std::uint64_t), void* context) {
      { f.for_each(visit, context) } -> std::same_as<void>;
    };

// clang-format on

// The calls that a filter type has, derived from the type.
template <class F>
constexpr capabilities capabilities_of() noexcept {
  capabilities can;
  if (insertable<F>) can.add(capability::insert);
  if (bounded<F>) can.add(capability::try_insert);
  if (deduplicating<F>) can.add(capability::insert_if_absent);
  if (erasable<F>) can.add(capability::erase);
  if (counting<F>) can.add(capability::count);
  if (mergeable<F>) can.add(capability::merge);
  if (foldable<F>) can.add(capability::fold);
  if (intersectable<F>) can.add(capability::intersect);
  if (iterable<F>) can.add(capability::iterate);
  if (build_only<F>) can.add(capability::build);
  return can;
}

}  // namespace bloomery::inline v1
