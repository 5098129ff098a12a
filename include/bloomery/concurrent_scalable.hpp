// A filter that grows with its keys, for inserts and lookups by any number of threads.
//
//   auto f = bloomery::concurrent<bloomery::scalable_bloom>::make({.keys = 1000});
//   f->insert("alice");               // from any thread; a level is added when needed
//   auto copy = f->snapshot();        // a plain scalable_bloom; blocks nobody
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
//
// Protocol and proof: shared_chain.hpp, docs/concurrency.md.
// "Alone" in a comment: no other call may run at the same time.  Everything else may be
// called by any thread at any time.  Move, assignment and destruction: alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/concurrent.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/sync/stripe_locks.hpp>
#include <bloomery/export.hpp>
#include <bloomery/result.hpp>
#include <bloomery/scalable_bloom.hpp>

namespace bloomery::inline v1 {

namespace detail {

// The levels of a chain as threads share them (src/filter/concurrent_scalable.cpp).
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
  explicit shared_levels(std::unique_ptr<state> s) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace detail

inline namespace BLOOMERY_BY_ISA {

template <>
class concurrent<scalable_bloom, wait_free>
    : public key_lookups<concurrent<scalable_bloom, wait_free>>,
      public key_inserts<concurrent<scalable_bloom, wait_free>>,
      public key_changes<concurrent<scalable_bloom, wait_free>> {
 public:
  using plain = scalable_bloom;
  using policy = wait_free;
  using params = scalable_bloom::params;

  // An empty filter of one level.  Errors: as scalable_bloom::make, out_of_memory.
  static result<concurrent> make(params p) noexcept {
    auto made = scalable_bloom::make(p);
    if (!made) return made.error();
    return adopt(*std::move(made));
  }
  // What is in `f`.  Errors: out_of_memory.
  static result<concurrent> adopt(scalable_bloom f) noexcept {
    const std::size_t bytes = f.size_in_bytes();
    auto keys = stripe_locks<>::make(bloomery::detail::key_locks(bytes));
    if (!keys) return keys.error();
    auto levels = bloomery::detail::shared_levels::make(std::move(f));
    if (!levels) return levels.error();
    return concurrent(*std::move(levels), *std::move(keys));
  }
  // An empty filter of the same shape, capacity and hasher, of one level.
  // Errors: out_of_memory.
  result<concurrent> empty_like() const noexcept {
    auto made = levels_.first().empty_like();
    if (!made) return made.error();
    return adopt(*std::move(made));
  }

  // --- one key ---
  // Where the chain cannot grow the key goes into the last level all the same, as in
  // scalable_bloom.
  void insert(key k) noexcept { (void)levels_.insert(k); }
  void insert(std::string_view bytes) noexcept { insert(hash(bytes)); }
  // Errors: full, out_of_memory; nothing has changed.
  result<void> try_insert(key k) noexcept { return levels_.try_insert(k); }
  result<void> try_insert(std::string_view bytes) noexcept {
    return try_insert(hash(bytes));
  }
  bool may_contain(key k) const noexcept { return levels_.may_contain(k); }
  bool may_contain(std::string_view bytes) const noexcept {
    return may_contain(hash(bytes));
  }
  // Inserts, unless some level contains the key.  Of any number of threads that call it
  // with the same new key at most one gets true.  Callers with the same key take turns
  // under a lock.
  bool insert_if_absent(key k) noexcept {
    const stripe_guard hold(keys_.of(k.bits()));
    if (may_contain(k)) return false;
    return levels_.insert(k);
  }
  bool insert_if_absent(std::string_view bytes) noexcept {
    return insert_if_absent(hash(bytes));
  }

  // As insert_if_absent without the lock: two threads that insert the same new key at the
  // same time may both get true.
  bool insert_and_test(key k) noexcept { return !may_contain(k) && levels_.insert(k); }
  bool insert_and_test(std::string_view bytes) noexcept {
    return insert_and_test(hash(bytes));
  }
  // A literal 0 would be a string_view of a null pointer.
  bool insert_and_test(std::nullptr_t) = delete;

  using key_changes<concurrent>::try_insert;
  using key_inserts<concurrent>::insert;
  using key_inserts<concurrent>::insert_if_absent;
  using key_lookups<concurrent>::hash;
  using key_lookups<concurrent>::may_contain;

  // --- many keys ---
  void insert(std::span<const key> ks) noexcept {
    for (const key k : ks) insert(k);
  }
  void insert(std::span<const std::string_view> ks) noexcept {
    for (const std::string_view k : ks) insert(k);
  }
  std::size_t try_insert(std::span<const key> ks) noexcept {
    std::size_t in = 0;
    while (in < ks.size() && try_insert(ks[in])) ++in;
    return in;
  }
  // REQUIRES: out.size() == ks.size(), first.size() == ks.size()
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    bloomery::detail::require_answers(ks.size(), out.size());
    levels_.may_contain(ks, out.data());
  }
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept {
    bloomery::detail::require_answers(ks.size(), out.size());
    for_each_hashed_group(hasher(), ks,
                          [&](std::span<const key> some, std::size_t first) noexcept {
                            may_contain(some, out.subspan(first, some.size()));
                          });
  }
  void insert_if_absent(std::span<const key> ks, std::span<bool> first) noexcept {
    bloomery::detail::require_answers(ks.size(), first.size());
    for (std::size_t i = 0; i < ks.size(); ++i) first[i] = insert_if_absent(ks[i]);
  }

  key hash(std::string_view bytes) const noexcept { return hasher().hash(bytes); }
  key hash_u64(std::uint64_t x) const noexcept { return hasher().hash_u64(x); }
  key from_hash(std::uint64_t h) const noexcept { return hasher().from_hash(h); }
  bloomery::hasher hasher() const noexcept { return levels_.first().hasher(); }

  // --- whole filters ---
  // A plain copy, with every key whose insert happens-before the call.  Blocks no thread.
  // Errors: out_of_memory.
  result<scalable_bloom> snapshot() const noexcept { return levels_.copy(); }

  // --- properties, and its current state while others insert ---
  const scalable_shape& shape() const noexcept { return levels_.first().shape(); }
  unsigned levels() const noexcept { return levels_.size(); }
  std::uint64_t capacity() const noexcept { return levels_.first().capacity(); }
  std::size_t size_in_bytes() const noexcept { return levels_.size_in_bytes(); }
  std::uint64_t bits() const noexcept { return 8 * std::uint64_t{size_in_bytes()}; }
  std::uint64_t ones() const noexcept { return levels_.ones(); }
  double fill() const noexcept {
    return static_cast<double>(ones()) / static_cast<double>(bits());
  }
  double estimated_keys() const noexcept { return levels_.estimated_keys(); }
  double realised_fpr() const noexcept { return levels_.realised_fpr(); }
  double expected_fpr(std::uint64_t keys) const noexcept {
    return levels_.first().expected_fpr(keys);
  }

 private:
  concurrent(bloomery::detail::shared_levels levels, stripe_locks<> keys) noexcept
      : levels_(std::move(levels)), keys_(std::move(keys)) {}

  bloomery::detail::shared_levels levels_;
  stripe_locks<> keys_;  // for insert_if_absent, by key
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
