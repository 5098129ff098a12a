// Filters that grow with their keys, for inserts and lookups by any number of threads.
//
// Lookups never wait.  Inserts take a bounded number of steps; one that finds the last
// level full adds the next, or waits a little for the thread that does, and adds it
// itself if that one is held up.  A lookup that happens-after an insert answers "possibly
// present", also while a level is added.  Levels are only ever added, and freed by the
// destructor.
//
// Which level a key is in depends on the order of the threads, so the bits do too; the
// answers for inserted keys do not.  A level counts as full up to 1/64 early, since its
// ones are counted by thread.
// Protocol and proof: detail/sync/shared_chain.hpp, docs/concurrency.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/shared_bits.hpp>
#include <bloomery/detail/filter/shared_core.hpp>
#include <bloomery/detail/owned.hpp>
#include <bloomery/detail/sync/stripe_locks.hpp>
#include <bloomery/result.hpp>
#include <bloomery/scalable_bloom.hpp>

namespace bloomery::inline v1 {

namespace detail {

// The levels of a chain as threads share them (src/kind/scalable/shared.cpp).
class BLOOMERY_EXPORT shared_levels {
 public:
  // The levels of `f`.  Errors: out_of_memory.
  static result<shared_levels> make(scalable_bloom f) noexcept;
  shared_levels(shared_levels&&) noexcept;
  shared_levels& operator=(shared_levels&&) noexcept;
  ~shared_levels();

  // Whether some bits were missing.
  bool insert(key k) noexcept;
  result<void> try_insert(key k) noexcept;
  bool may_contain(key k) const noexcept;
  void may_contain(std::span<const key> ks, bool* out) const noexcept;
  result<scalable_bloom> copy() const noexcept;

  const scalable_bloom& first() const noexcept;  // for its shape and hasher
  unsigned size() const noexcept;
  std::size_t size_in_bytes() const noexcept;
  double realised_fpr() const noexcept;
  double estimated_keys() const noexcept;
  std::uint64_t ones() const noexcept;

 private:
  struct state;
  explicit shared_levels(owned<state> s) noexcept;
  owned<state> state_;
};

}  // namespace detail

inline namespace BLOOMERY_BY_ISA {

// One thread at a time adds a level; lookups and other inserts go on meanwhile.
template <>
class shared_core<scalable_bloom, wait_free> {
 public:
  // A plain copy, with every key whose insert happens-before the call.  Blocks no thread.
  // Errors: out_of_memory.
  result<scalable_bloom> snapshot() const noexcept { return levels_.copy(); }

  // --- properties, and its current state while others insert ---
  const scalable_shape& shape() const noexcept { return plain_form().shape(); }
  unsigned levels() const noexcept { return levels_.size(); }
  std::uint64_t capacity() const noexcept { return plain_form().capacity(); }
  std::size_t size_in_bytes() const noexcept { return levels_.size_in_bytes(); }
  std::uint64_t bits() const noexcept { return 8 * std::uint64_t{size_in_bytes()}; }
  std::uint64_t ones() const noexcept { return levels_.ones(); }
  double fill() const noexcept {
    return static_cast<double>(ones()) / static_cast<double>(bits());
  }
  double estimated_keys() const noexcept { return levels_.estimated_keys(); }
  double realised_fpr() const noexcept { return levels_.realised_fpr(); }
  double expected_fpr(std::uint64_t keys) const noexcept {
    return plain_form().expected_fpr(keys);
  }

 protected:
  // Errors: out_of_memory.
  static result<shared_core> share(scalable_bloom f) noexcept {
    auto keys = stripe_locks<>::make(bloomery::detail::key_locks(f.size_in_bytes()));
    if (!keys) return keys.error();
    auto levels = bloomery::detail::shared_levels::make(std::move(f));
    if (!levels) return levels.error();
    return shared_core(*std::move(levels), *std::move(keys));
  }
  const scalable_bloom& plain_form() const noexcept { return levels_.first(); }

  // --- the core (filter_of.hpp) ---
  bool find(key k) const noexcept { return levels_.may_contain(k); }
  void find_each(std::span<const key> ks, std::span<bool> out) const noexcept {
    levels_.may_contain(ks, out.data());
  }
  // Where the chain cannot grow the key goes into the last level all the same, as in
  // scalable_bloom.
  void add(key k) noexcept { (void)levels_.insert(k); }
  void add_each(std::span<const key> ks) noexcept {
    for (const key k : ks) add(k);
  }
  // Without the lock of add_absent.
  bool add_and_test(key k) noexcept { return !find(k) && levels_.insert(k); }
  bool add_absent(key k) noexcept {
    const stripe_guard hold(keys_.of(k.bits()));
    return add_and_test(k);
  }
  void add_each_absent(std::span<const key> ks, std::span<bool> first) noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) first[i] = add_absent(ks[i]);
  }
  // Errors: full, out_of_memory.
  result<void> try_add(key k) noexcept { return levels_.try_insert(k); }
  std::size_t try_add_each(std::span<const key> ks) noexcept {
    std::size_t in = 0;
    while (in < ks.size() && try_add(ks[in])) ++in;
    return in;
  }

  shared_core(bloomery::detail::shared_levels levels, stripe_locks<> keys) noexcept
      : hasher_(levels.first().hasher()),
        levels_(std::move(levels)),
        keys_(std::move(keys)) {}

  bloomery::hasher hasher_;

 private:
  bloomery::detail::shared_levels levels_;
  stripe_locks<> keys_;  // for insert_if_absent, by key
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
