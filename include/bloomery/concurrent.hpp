// A Bloom filter for concurrent inserts and lookups by any number of threads.
//
//   auto seen = bloomery::concurrent<bloomery::block_bloom>::make({.keys = 1'000'000});
//   seen->insert("alice");                        // from any thread
//   if (seen->insert_if_absent(url)) fetch(url);  // true for at most one thread
//   auto copy = seen->snapshot();                 // a plain block_bloom; blocks nobody
//
// No false negatives between threads either: a lookup that happens-after an insert
// returned (the threads were joined, took the same lock, passed a message) answers
// "possibly present".  A lookup concurrent with the insert may answer either way, and its
// answer does not synchronise other memory: publish that by other means.  The bits are
// those of the plain filter with the same keys, whatever the order and number of threads.
//
// F: any filter of bits; counting_bloom (concurrent_counting.hpp), cuckoo
// (concurrent_cuckoo.hpp), quotient (concurrent_quotient.hpp) and scalable_bloom
// (concurrent_scalable.hpp) have their own.  Policies:
//   wait_free  inserts finish in a bounded number of steps, whatever other threads do.
//              One locked instruction for each word that lacks bits.
//   locked     inserts hold a lock of the key's line for a few nanoseconds: two to three
//              times the throughput, but a thread that is preempted inside blocks others.
//              Lookups take no lock.  Block filters only: keys of other filters touch
//              many lines.
// Lookups are wait-free under both, and as fast as the plain filter's.
// docs/concurrency.md has figures and proofs.
//
// "Alone" in a comment: no other call may run at the same time.  Everything else may be
// called by any thread at any time.  Move, assignment and destruction: alone.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include <bloomery/detail/base/contract.hpp>
#include <bloomery/detail/filter/concurrent_access.hpp>
#include <bloomery/detail/filter/hashed_groups.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/sync/stripe_locks.hpp>
#include <bloomery/export.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

namespace detail {

// Locks of four bytes each stay small beside the filter, and there are enough that two
// threads rarely meet.  Those of lines are taken for every insert: spread over few cache
// lines these would go back and forth between the cores (docs/dead_ends.md).
constexpr std::size_t key_locks(std::size_t bytes) noexcept {
  return std::bit_floor(std::clamp<std::size_t>(bytes / 256, 16, 4096));
}
constexpr std::size_t line_locks(std::size_t bytes) noexcept {
  return std::bit_floor(std::clamp<std::size_t>(bytes / 64, 16, 65536));
}

}  // namespace detail

inline namespace BLOOMERY_BY_ISA {

template <class F, class Policy = typename default_policy<F>::type>
class concurrent;

// A filter of bits that any number of threads insert into and query.
template <shareable F, class Policy>
class concurrent<F, Policy> : public key_lookups<concurrent<F, Policy>>,
                              public key_inserts<concurrent<F, Policy>> {
  static_assert(std::same_as<Policy, wait_free> || lockable<F>,
                "the locked policy is for filters whose keys fall into one line or two");

 public:
  using plain = F;
  using policy = Policy;
  using params = typename F::params;

  // An empty filter.  Errors: as F::make, out_of_memory.
  static result<concurrent> make(params p) noexcept {
    auto made = F::make(p);
    if (!made) return made.error();
    return adopt(*std::move(made));
  }
  // What is in `f`.  Errors: out_of_memory.
  static result<concurrent> adopt(F f) noexcept {
    const std::size_t bytes = f.size_in_bytes();
    auto keys = stripe_locks<>::make(detail::key_locks(bytes));
    if (!keys) return keys.error();
    auto lines = stripe_locks<>::make(
        std::same_as<Policy, locked> ? detail::line_locks(bytes) : 1);
    if (!lines) return lines.error();
    return concurrent(std::move(f), *std::move(keys), *std::move(lines));
  }
  // An empty filter of the same layout, capacity and hasher.  Errors: out_of_memory.
  result<concurrent> empty_like() const noexcept {
    auto made = filter_.empty_like();
    if (!made) return made.error();
    return adopt(*std::move(made));
  }
  // Alone.  The plain filter with everything that was inserted.
  F release() && noexcept { return std::move(filter_); }

  // --- one key ---
  // Once it has returned, lookups that happen-after it find the key.  `wait_free`: no
  // lock and no retry, at most one locked instruction for each word of the key.
  BLOOMERY_INLINE void insert(key k) noexcept { shared::insert(filter_, k, memory()); }
  BLOOMERY_INLINE void insert(std::string_view bytes) noexcept { insert(hash(bytes)); }

  // Wait-free.  Never a false negative for a key whose insert happens-before.
  BLOOMERY_INLINE bool may_contain(key k) const noexcept {
    // Without this a loop that waits for a key could be compiled to look only once.
    std::atomic_signal_fence(std::memory_order_acquire);
    return filter_.may_contain(k);
  }
  BLOOMERY_INLINE bool may_contain(std::string_view bytes) const noexcept {
    return may_contain(hash(bytes));
  }

  // Inserts.  Returns true if this call was the first to insert the key.  Of any number
  // of threads that call it with the same new key at most one gets true, and exactly one,
  // unless the key already tested positive (a false positive, or bits of another key that
  // arrive first) or a plain insert of the same key runs concurrently.  Callers with the
  // same key take turns under a lock, so this call blocks under both policies.
  bool insert_if_absent(key k) noexcept {
    if (takes_turns_anyway()) return shared::insert(filter_, k, memory());
    const stripe_guard hold(keys_.of(k.bits()));
    return shared::insert(filter_, k, memory());
  }
  bool insert_if_absent(std::string_view bytes) noexcept {
    return insert_if_absent(hash(bytes));
  }

  // Inserts.  Returns true if some bit was missing when this call looked.  As cheap as
  // insert, and only a hint: two threads that insert the same new key at the same time
  // may both get true.
  BLOOMERY_INLINE bool insert_and_test(key k) noexcept {
    return shared::insert(filter_, k, memory());
  }
  bool insert_and_test(std::string_view bytes) noexcept {
    return insert_and_test(hash(bytes));
  }

  // Integers, bytes, and ranges of keys: key_types.hpp.
  using key_inserts<concurrent>::insert;
  using key_inserts<concurrent>::insert_if_absent;
  using key_lookups<concurrent>::hash;
  using key_lookups<concurrent>::may_contain;
  // A literal 0 would be a string_view of a null pointer.
  bool insert_and_test(std::nullptr_t) = delete;

  // --- many keys: memory latency overlaps ---
  // As the one-key calls for each key, once the batch has returned.
  // REQUIRES: out.size() == ks.size()
  void insert(std::span<const key> ks) noexcept { shared::insert(filter_, ks, memory()); }
  void insert(std::span<const std::string_view> ks) noexcept {
    for_each_hashed_group(
        filter_.hasher(), ks,
        [this](std::span<const key> some, std::size_t) noexcept { insert(some); });
  }
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    filter_.may_contain(ks, out);
  }
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept {
    filter_.may_contain(ks, out);
  }
  // first[i]: this call was the first to insert ks[i].
  void insert_if_absent(std::span<const key> ks, std::span<bool> first) noexcept {
    detail::require_answers(ks.size(), first.size());
    constexpr std::size_t group = 32;
    shared::fetch(filter_, ks.first(std::min(group, ks.size())));
    for (std::size_t i = 0; i < ks.size(); i += group) {
      const std::size_t next = std::min(i + group, ks.size());
      shared::fetch(filter_, ks.subspan(next, std::min(group, ks.size() - next)));
      for (std::size_t j = i; j < next; ++j) first[j] = insert_if_absent(ks[j]);
    }
  }

  key hash(std::string_view bytes) const noexcept { return filter_.hash(bytes); }
  key hash_u64(std::uint64_t x) const noexcept { return filter_.hash_u64(x); }
  key from_hash(std::uint64_t h) const noexcept { return filter_.from_hash(h); }
  bloomery::hasher hasher() const noexcept { return filter_.hasher(); }

  // --- whole filters ---
  // A plain copy.  It has every key whose insert happens-before the call; of the keys
  // inserted meanwhile it may have some, or some of their bits.  Blocks no thread:
  // writers stay wait-free, and share the memory bandwidth.  save_snapshot (snapshot.hpp)
  // writes one to a file without a second filter in memory.  Errors: out_of_memory.
  result<F> snapshot() const noexcept {
    auto copy = filter_.empty_like();
    if (copy)
      words::copy(shared::data(*copy), filter_.bytes().data(), filter_.size_in_bytes());
    return copy;
  }

  // Afterwards this filter has every key of the other one, as if they had been inserted;
  // inserts and lookups go on meanwhile.  `other` does not change: a snapshot.
  // Errors: incompatible, as F::merge.
  result<void> merge(const F& other) noexcept {
    return shared::add(filter_, other, memory());
  }
  // The same for a filter in use: what was inserted into it before the call.
  result<void> merge(const concurrent& other) noexcept {
    return shared::add(filter_, other.filter_, memory());
  }

  // Alone: a concurrent insert could lose some of its bits, a permanent false negative.
  // To empty a filter in use, start a new one: live_filter.
  void clear() noexcept { filter_.clear(); }

  // --- properties ---
  std::uint64_t bits() const noexcept { return filter_.bits(); }
  unsigned hashes() const noexcept { return filter_.hashes(); }
  std::uint64_t capacity() const noexcept { return filter_.capacity(); }
  std::size_t size_in_bytes() const noexcept { return filter_.size_in_bytes(); }

  // --- current state: each reads every bit, while others are being set ---
  std::uint64_t ones() const noexcept { return filter_.ones(); }
  double fill() const noexcept { return filter_.fill(); }
  double estimated_keys() const noexcept { return filter_.estimated_keys(); }
  double expected_fpr(std::uint64_t keys) const noexcept {
    return filter_.expected_fpr(keys);
  }
  double realised_fpr() const noexcept { return filter_.realised_fpr(); }

  // The filter as it is right now, for layouts and facts: its calls are those of a plain
  // filter, and its bits may change while they are read.
  const F& unsynchronised() const noexcept { return filter_; }

  // Alone.
  friend bool operator==(const concurrent& a, const concurrent& b) noexcept {
    return a.filter_ == b.filter_;
  }

 private:
  using shared = concurrent_access<F>;

  concurrent(F f, stripe_locks<> keys, stripe_locks<> lines) noexcept
      : filter_(std::move(f)), keys_(std::move(keys)), lines_(std::move(lines)) {}

  Policy memory() const noexcept {
    if constexpr (std::same_as<Policy, locked>)
      return {lines_};
    else
      return {};
  }
  // Whether two inserts of one key already exclude each other.
  bool takes_turns_anyway() const noexcept {
    if constexpr (std::same_as<Policy, locked>)
      return shared::one_line(filter_);
    else
      return false;
  }

  F filter_;
  stripe_locks<> keys_;   // for insert_if_absent, by key
  stripe_locks<> lines_;  // for `locked`, by line; otherwise one
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
