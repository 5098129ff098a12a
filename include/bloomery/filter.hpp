// The shapes a filter can have.  Each filter's .cpp asserts the shapes it claims.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/detail/receipt.hpp>
#include <bloomery/detail/receipt_ledger.hpp>
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
      { f.hasher() } noexcept -> std::convertible_to<hasher>;
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

// Makes an empty filter of its own layout and hasher.
template <class F>
concept resettable = requires(const F& f) {
  { f.empty_like() } -> std::same_as<result<F>>;
};

// Can be emptied.  A filter that is only built cannot.
template <class F>
concept clearable = requires(F& f) {
  { f.clear() } noexcept -> std::same_as<void>;
};

// Grows key by key and never refuses one: the Bloom family.
template <class F>
concept insertable = askable<F> && clearable<F> &&
    requires(F& f, key k, std::string_view text, std::span<const key> ks,
             std::span<const std::string_view> texts) {
      { f.insert(k) } noexcept -> std::same_as<void>;
      { f.insert(text) } noexcept -> std::same_as<void>;
      { f.insert(ks) } noexcept -> std::same_as<void>;
      { f.insert(texts) } noexcept -> std::same_as<void>;
    };

// Several threads insert one batch; the bits do not depend on their number.
template <class F>
concept insertable_by_threads = insertable<F> && requires(F& f, std::span<const key> ks) {
  { f.insert(ks, 2u) } noexcept -> std::same_as<void>;
};

// Grows until it is full: cuckoo, quotient.  A refused key changes nothing.  A batch
// stops at the first refused key; it returns the number of keys inserted before that.
// Errors: full, too_many_copies, corrupt (bytes of the key are damaged).
template <class F>
concept bounded = filter<F> && clearable<F> &&
    requires(F& f, key k, std::string_view text, std::span<const key> ks) {
      { f.try_insert(k) } noexcept -> std::same_as<result<void>>;
      { f.try_insert(text) } noexcept -> std::same_as<result<void>>;
      { f.try_insert(ks) } noexcept -> std::same_as<std::size_t>;
    };

// Inserts, and reports whether the key was definitely not present before.
template <class F>
concept deduplicating = askable<F> &&
    requires(F& f, key k, std::span<const key> ks, std::span<bool> absent) {
      { f.insert_if_absent(k) } noexcept -> std::same_as<bool>;
      { f.insert_if_absent(ks, absent) } noexcept -> std::same_as<void>;
    };

// Takes keys and cannot refuse them: an insertable filter, or what live filters and
// handles hold instead of one, which need not have its other calls.
template <class F>
concept inserting = requires(F& f, key k, std::span<const key> ks) {
  f.insert(k);
  f.insert(ks);
};

// The same, and reports whether a bit was new: under a lock, how wrappers deduplicate.
template <class F>
concept testing_inserts = inserting<F> && requires(F& f, key k) {
  { f.insert_and_test(k) } -> std::convertible_to<bool>;
};

// Deletes one copy of a key.
//   erase_present(k)      the caller knows that k was inserted and not erased since.  For any
//                         other key that tests positive it would delete the fingerprint of
//                         one that is in: a false negative.
//   erase(receipt)        safe for other keys, a numbered receipt always, another one the
//                         first time; the receipt is used up if it
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

// The same, sized by its parameters.
template <class F>
concept buildable_by_params = buildable<F> &&
    requires(std::span<const key> ks, const typename F::params& p) {
      { F::build(ks, p) } -> std::same_as<result<F>>;
    };

// The same, by several threads; the bits do not depend on their number.
template <class F>
concept buildable_by_threads = buildable_by_params<F> &&
    requires(std::span<const key> ks, const typename F::params& p) {
      { F::build(ks, p, 2u) } -> std::same_as<result<F>>;
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
concept foldable = filter<F> &&
    requires(F& f, const F& other, std::uint64_t divisor, double fpr) {
      { f.fold(divisor) } noexcept -> std::same_as<result<void>>;
      { f.fold_to_rate(fpr) } noexcept -> std::same_as<result<std::uint64_t>>;
      { f.fold_and_merge(other) } noexcept -> std::same_as<result<void>>;
    };

// Lists the fingerprints that it stores, each with its number of copies.
template <class F>
concept iterable = filter<F> &&
    requires(const F& f, void (*visit)(void*, std::uint64_t, std::uint64_t), void* context) {
      { f.for_each(visit, context) } -> std::same_as<void>;
    };

// Becomes twice as large, with the same answers, when it is full.
template <class F>
concept growable = bounded<F> && requires(F& f, const F& g) {
  { f.grow() } noexcept -> std::same_as<result<void>>;
  { g.keys_when_full() } noexcept -> std::same_as<std::uint64_t>;
};

// Has generations, and forgets the oldest on request.
template <class F>
concept rotatable = askable<F> && requires(F& f) {
  { f.rotate() } noexcept -> std::same_as<void>;
};

// Forgets keys one by one, with a known probability by age.
template <class F>
concept decaying = askable<F> && requires(const F& f, std::uint64_t gap) {
  { f.forgetting(gap) } noexcept -> std::same_as<double>;
};

// Becomes a filter of bits with the same keys: a variant of the kinds that it may be.
template <class F>
concept publishable = filter<F> && requires(const F& f) {
  { f.published() } noexcept;
  std::variant_size<std::remove_cvref_t<decltype(*f.published())>>::value;
};

// Has bits after its last one that no key sets.
template <class F>
concept padded = askable<F> && requires(const F& f) {
  { f.padding_is_clear() } -> std::convertible_to<bool>;
};

// Knows which of its bytes must not be believed.
template <class F>
concept damageable = askable<F> && requires(const F& f) {
  { f.damage().empty() } -> std::convertible_to<bool>;
};

// Has a number that its receipts are for.
template <class F>
concept identified = requires(const F& f) {
  { f.identity() } -> std::convertible_to<std::uint64_t>;
};

// Knows which of its numbered receipts were used.
template <class F>
concept keeps_receipts = identified<F> && requires(const F& f) {
  { f.receipts() } noexcept -> std::same_as<const receipt_ledger&>;
};

// Parameters of a filter that takes any hasher; others have a source of keys instead.
template <class Params>
concept params_with_hasher = requires(const Params& p) {
  { p.hasher } -> std::convertible_to<hasher>;
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
  if (rotatable<F>) can.add(capability::rotate);
  if (growable<F>) can.add(capability::grow);
  if (decaying<F>) can.add(capability::forgetting);
  if (publishable<F>) can.add(capability::publish);
  return can;
}

}  // namespace bloomery::inline v1
