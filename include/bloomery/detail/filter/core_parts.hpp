// The parts that the core of a filter may have (filter_of.hpp): a call of the shell
// exists if F has its part.  An error that says "core_removes<F> is not satisfied" means
// that the kind cannot erase keys.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/probe/words.hpp>
#include <bloomery/key.hpp>
#include <bloomery/pages.hpp>

namespace bloomery::inline v1 {

// A friend of every filter, since cores are private.
struct core_parts {
  using keys = std::span<const key>;
  using answers = std::span<bool>;

  template <class F>
  static constexpr bool hash = requires(const F& f) {
    f.hasher_.check();
  };
  template <class F>
  static constexpr bool find = requires(const F& f, key k, keys ks, answers out) {
    f.find(k);
    f.find_each(ks, out);
  };
  template <class F>
  static constexpr bool find_bits = requires(const F& f, keys ks,
                                             std::span<std::uint64_t> out) {
    f.find_bits(ks, out);
  };
  // Batches whose lines the caller has fetched (block_probe::line_fetch).
  template <class F>
  static constexpr bool fetch = requires(F& f, keys ks, answers out) {
    f.lines();
    f.find_fetched(ks, out);
    f.add_fetched(ks);
  };
  template <class F>
  BLOOMERY_INLINE static auto lines_of(const F& f) noexcept {
    return f.lines();
  }
  template <class F>
  BLOOMERY_INLINE static void find_fetched(const F& f, keys ks, answers out) noexcept {
    f.find_fetched(ks, out);
  }
  template <class F>
  BLOOMERY_INLINE static void add_fetched(F& f, keys ks) noexcept {
    f.add_fetched(ks);
  }
  // One integer, with what depends on filter and hash tested once.
  template <class F>
  static constexpr bool integer = requires(F& f, std::uint64_t x,
                                           key (*key_of)(std::uint64_t)) {
    f.find_integer(x, key_of);
    f.add_integer(x, key_of);
  };
  template <class F, class KeyOf>
  BLOOMERY_INLINE static bool find_integer(const F& f, std::uint64_t x,
                                           KeyOf key_of) noexcept {
    return f.find_integer(x, key_of);
  }
  template <class F, class KeyOf>
  BLOOMERY_INLINE static void add_integer(F& f, std::uint64_t x, KeyOf key_of) noexcept {
    f.add_integer(x, key_of);
  }
  // Batches of integers, hashed and looked up in one pass.
  template <class F>
  static constexpr bool find_integers = requires(const F& f,
                                                 std::span<const std::uint64_t> xs,
                                                 answers out) {
    f.finds_integers();
    f.find_integers(xs, out);
  };
  // False: the caller hashes them.
  template <class F>
  BLOOMERY_INLINE static bool finds_integers(const F& f,
                                             std::span<const std::uint64_t> xs,
                                             answers out) noexcept {
    if (!f.finds_integers()) return false;
    f.find_integers(xs, out);
    return true;
  }
  template <class F>
  static constexpr bool add = requires(F& f, key k, keys ks) {
    f.add(k);
    f.add_each(ks);
  };
  template <class F>
  static constexpr bool add_by_threads = requires(F& f, keys ks, unsigned threads) {
    f.add_each(ks, threads);
  };
  template <class F>
  static constexpr bool add_absent = requires(F& f, key k, keys ks, answers absent) {
    f.add_absent(k);
    f.add_each_absent(ks, absent);
  };
  template <class F>
  static constexpr bool add_and_test = requires(F& f, key k) {
    f.add_and_test(k);
  };
  template <class F>
  static constexpr bool try_add = requires(F& f, key k, keys ks) {
    f.try_add(k);
    f.try_add_each(ks);
  };
  template <class F>
  static constexpr bool remove = requires(F& f, key k, keys ks, answers erased) {
    f.remove(k);
    f.remove_each(ks, erased);
    f.receipt_scope();
    f.identity();
    f.ensure_identity();
  };
  template <class F>
  static constexpr bool number = requires(F& f) {
    f.receipts_.next_number();
  };
  template <class F>
  static constexpr bool count = requires(const F& f, key k) {
    f.copies_of(k);
  };
  template <class F>
  static constexpr bool store = requires(const F& f) {
    f.store_.bytes();
  };
  template <class F>
  static constexpr bool damage = requires(const F& f) {
    f.damage_.empty();
  };
  template <class F>
  static constexpr bool copy = requires(const F& f, pages store) {
    f.with_store(std::move(store));
  };
  template <class F>
  static constexpr bool compare = requires(const F& f) {
    f.is_like(f);
  };
};

template <class F>
concept core_finds = core_parts::hash<F> && core_parts::find<F>;
template <class F>
concept core_finds_bits = core_parts::find_bits<F>;
template <class F>
concept core_fetches = core_parts::fetch<F>;
template <class F>
concept core_has_integer = core_parts::integer<F>;
template <class F>
concept core_finds_integers = core_parts::find_integers<F>;
template <class F>
concept core_adds = core_parts::add<F>;
template <class F>
concept core_adds_by_threads = core_parts::add_by_threads<F>;
template <class F>
concept core_adds_absent = core_parts::add_absent<F>;
template <class F>
concept core_tests = core_parts::add_and_test<F>;
template <class F>
concept core_tries = core_parts::try_add<F>;
template <class F>
concept core_removes = core_parts::remove<F>;
template <class F>
concept core_numbers = core_removes<F> && core_parts::number<F>;
template <class F>
concept core_counts = core_parts::count<F>;
template <class F>
concept core_has_store = core_parts::store<F>;
template <class F>
concept core_has_damage = core_parts::damage<F>;
template <class F>
concept core_copies = core_parts::copy<F>;
template <class F>
concept core_compares = core_parts::compare<F>;

}  // namespace bloomery::inline v1
