// A filter of integers: F::integers of every filter F, shared ones too.
//
//   auto seen = bloomery::block_bloom::integers::make({.keys = 1000}).value();
//   seen.insert(42);
//
// It is an F whose keys are integers (key_types.hpp): the same bits as an F with a hasher
// of key_source::integers, the same file, and the same machine code.  The type says what
// its keys are, so an integer given to an F, and text given to an F::integers, do not
// compile, and the error says what to write
// (docs/decisions/0040-integer-keys.md).  Calls that are not here are those of F.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/filter/range_builds.hpp>
#include <bloomery/detail/key_source.hpp>
#include <bloomery/detail/key_types.hpp>
#include <bloomery/detail/path_ref.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

namespace detail {

// A result<T>, where the call exists that returns Made.
template <class Made, class T>
struct result_if {
  using type = result<T>;
};
template <class Made, class T>
using result_where = typename result_if<Made, T>::type;

}  // namespace detail

template <class F>
class integer_filter : public F,
                       public key_lookups<integer_filter<F>>,
                       public key_inserts<integer_filter<F>>,
                       public key_changes<integer_filter<F>>,
                       public range_builds<integer_filter<F>> {
  using many = std::span<const key>;

 public:
  using integers = integer_filter;

  // As those of F.  `make` of a layout: adopt(F::make(layout, keys, hasher).value()).
  template <class S = F>
  BLOOMERY_INLINE static auto make(typename S::params p) noexcept
      -> detail::result_where<decltype(S::make(p)), integer_filter> {
    return typed(S::make(of_integers(p)));
  }
  template <class S = F>
  BLOOMERY_INLINE static auto load(path_ref path) noexcept
      -> detail::result_where<decltype(S::load(path, key_source::integers)),
                              integer_filter> {
    return typed(S::load(path, key_source::integers));
  }
  template <class S = F>
  BLOOMERY_INLINE static auto decode(std::span<const std::byte> bytes) noexcept
      -> detail::result_where<decltype(S::decode(bytes, key_source::integers)),
                              integer_filter> {
    return typed(S::decode(bytes, key_source::integers));
  }
  using range_builds<integer_filter>::build;
  template <class S = F>
  BLOOMERY_INLINE static auto build(many ks, typename S::params p = {}) noexcept
      -> detail::result_where<decltype(S::build(ks, p)), integer_filter> {
    return typed(S::build(ks, of_integers(p)));
  }
  template <class S = F>
  BLOOMERY_INLINE static auto build(many ks, typename S::params p,
                                    unsigned threads) noexcept
      -> detail::result_where<decltype(S::build(ks, p, threads)), integer_filter> {
    return typed(S::build(ks, of_integers(p), threads));
  }

  // A filter that was made for integers.  Errors: incompatible (it was not).
  BLOOMERY_INLINE static result<integer_filter> adopt(F f) noexcept {
    if (f.hasher().source() != key_source::integers)
      return error{errc::incompatible, "the keys of this filter are not integers"};
    return integer_filter(std::move(f));
  }

  // --- lookups ---
  using key_lookups<integer_filter>::hash;
  using key_lookups<integer_filter>::may_contain;
  BLOOMERY_INLINE bool may_contain(key k) const noexcept { return F::may_contain(k); }
  BLOOMERY_INLINE void may_contain(many ks, std::span<bool> out) const noexcept {
    F::may_contain(ks, out);
  }
  template <class S = F>
  BLOOMERY_INLINE auto may_contain(many ks, std::span<std::uint64_t> out) const noexcept
      -> decltype(std::declval<const S&>().may_contain(ks, out)) {
    F::may_contain(ks, out);
  }

  // --- inserts ---
  using key_inserts<integer_filter>::insert;
  template <class S = F>
  BLOOMERY_INLINE auto insert(key k) noexcept -> decltype(std::declval<S&>().insert(k)) {
    return F::insert(k);
  }
  template <class S = F>
  BLOOMERY_INLINE auto insert(many ks) noexcept
      -> decltype(std::declval<S&>().insert(ks)) {
    return F::insert(ks);
  }
  template <class S = F>
  BLOOMERY_INLINE auto insert(many ks, unsigned threads) noexcept
      -> decltype(std::declval<S&>().insert(ks, threads)) {
    return F::insert(ks, threads);
  }
  using key_inserts<integer_filter>::insert_if_absent;
  template <class S = F>
  BLOOMERY_INLINE auto insert_if_absent(key k) noexcept
      -> decltype(std::declval<S&>().insert_if_absent(k)) {
    return F::insert_if_absent(k);
  }
  template <class S = F>
  BLOOMERY_INLINE auto insert_if_absent(many ks, std::span<bool> absent) noexcept
      -> decltype(std::declval<S&>().insert_if_absent(ks, absent)) {
    return F::insert_if_absent(ks, absent);
  }
  template <class T, class S = F>
  BLOOMERY_INLINE auto insert_and_test(const T& x) noexcept
      -> decltype(std::declval<S&>().insert_and_test(key())) {
    return F::insert_and_test(detail::key_in(*this, x));
  }

  // --- inserts that may be refused, erasing, counts ---
  using key_changes<integer_filter>::try_insert;
  template <class S = F>
  BLOOMERY_INLINE auto try_insert(key k) noexcept
      -> decltype(std::declval<S&>().try_insert(k)) {
    return F::try_insert(k);
  }
  template <class S = F>
  BLOOMERY_INLINE auto try_insert(many ks) noexcept
      -> decltype(std::declval<S&>().try_insert(ks)) {
    return F::try_insert(ks);
  }
  template <class T, class S = F>
  BLOOMERY_INLINE auto try_insert_with_receipt(const T& x) noexcept
      -> decltype(std::declval<S&>().try_insert_with_receipt(key())) {
    return F::try_insert_with_receipt(detail::key_in(*this, x));
  }
  template <class T, class S = F>
  BLOOMERY_INLINE auto try_insert_with_numbered_receipt(const T& x) noexcept
      -> decltype(std::declval<S&>().try_insert_with_numbered_receipt(key())) {
    return F::try_insert_with_numbered_receipt(detail::key_in(*this, x));
  }
  using key_changes<integer_filter>::erase_present;
  template <class S = F>
  BLOOMERY_INLINE auto erase_present(key k) noexcept
      -> decltype(std::declval<S&>().erase_present(k)) {
    return F::erase_present(k);
  }
  template <class S = F>
  BLOOMERY_INLINE auto erase_present(many ks, std::span<bool> erased) noexcept
      -> decltype(std::declval<S&>().erase_present(ks, erased)) {
    return F::erase_present(ks, erased);
  }
  template <class T, class S = F>
  BLOOMERY_INLINE auto count(const T& x) const noexcept
      -> decltype(std::declval<const S&>().count(key())) {
    return F::count(detail::key_in(*this, x));
  }

  // Text does not compile.  (const T& where the bases take T&&, and the reverse: clang 14
  // hides a call of a base behind one with the same parameters and other constraints.)
  template <detail::text_key T>
  void insert(const T&) noexcept {
    detail::check_source<integer_filter, T>();
  }
  template <detail::text_key T>
  bool may_contain(T&&) const noexcept {
    return detail::check_source<integer_filter, T>(), true;
  }
  template <detail::text_key T>
  void try_insert(const T&) noexcept {
    detail::check_source<integer_filter, T>();
  }

  // --- whole filters ---
  template <class S = F>
  BLOOMERY_INLINE auto clone() const noexcept
      -> detail::result_where<decltype(std::declval<const S&>().clone()),
                              integer_filter> {
    return typed(F::clone());
  }
  template <class S = F>
  BLOOMERY_INLINE auto empty_like() const noexcept
      -> detail::result_where<decltype(std::declval<const S&>().empty_like()),
                              integer_filter> {
    return typed(F::empty_like());
  }

 private:
  explicit integer_filter(F f) noexcept : F(std::move(f)) {}

  template <class Params>
  static Params of_integers(Params p) noexcept {
    if constexpr (detail::any_hasher_params<Params>)
      p.hasher = p.hasher.of(key_source::integers);
    else
      p.source = key_source::integers;
    return p;
  }
  BLOOMERY_INLINE static result<integer_filter> typed(result<F> f) noexcept {
    if (!f) return f.error();
    return integer_filter(*std::move(f));
  }

  friend range_builds<integer_filter>;
};

}  // namespace bloomery::inline v1
