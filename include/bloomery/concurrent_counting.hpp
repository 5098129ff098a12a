// A counting filter for inserts, erases and lookups by any number of threads.
//
//   auto f = bloomery::concurrent<bloomery::counting_bloom>::make({.keys = 1'000'000});
//   f->insert("alice");                               // from any thread
//   f->erase_present("alice");
//
// A lookup that happens-after the insert of a key, and not after the begin of its erase,
// answers "possibly present".
//   lookups   wait-free, as fast as the plain filter's
//   inserts   wait-free for 7 threads with cells of 4 bits, 127 with 8, all with 32:
//             those with the smallest numbers (thread_numbers.hpp); lock-free for more.
//             One locked instruction for each cell of the key
//   erases    lock-free
// A cell may go beyond the sticky value by one for each thread; snapshot and release
// bring it back.  So the cells are those of the plain filter with the same keys, whatever
// the order and number of threads; if keys were erased, up to the cells that got stuck,
// which depends on the order.
//
// Receipts are those of the plain filter: each accepts the other's.
// Protocol and proof: shared_cells.hpp, docs/concurrency.md.
// "Alone" in a comment: no other call may run at the same time.  Everything else may be
// called by any thread at any time.  Move, assignment and destruction: alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/concurrent.hpp>
#include <bloomery/counting_bloom.hpp>
#include <bloomery/detail/base/contract.hpp>
#include <bloomery/detail/filter/concurrent_counting_access.hpp>
#include <bloomery/detail/filter/hashed_groups.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/detail/filter/key_erases.hpp>
#include <bloomery/receipt.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {
inline namespace BLOOMERY_BY_ISA {

// Inserts are wait-free below a bound of writers, erases lock-free, lookups wait-free.
template <>
class concurrent<counting_bloom, wait_free>
    : public key_lookups<concurrent<counting_bloom, wait_free>>,
      public key_inserts<concurrent<counting_bloom, wait_free>>,
      public key_erases<concurrent<counting_bloom, wait_free>> {
  using shared = concurrent_access<counting_bloom>;

 public:
  using plain = counting_bloom;
  using policy = wait_free;
  using params = counting_bloom::params;

  // An empty filter.  Errors: as counting_bloom::make.
  static result<concurrent> make(params p) noexcept {
    auto made = counting_bloom::make(p);
    if (!made) return made.error();
    return adopt(*std::move(made));
  }
  // What is in `f`.  Errors: corrupt (bytes of `f` are damaged).
  static result<concurrent> adopt(counting_bloom f) noexcept {
    if (auto ok = shared::check(f); !ok) return ok.error();
    return concurrent(std::move(f));
  }
  // An empty filter of the same shape, capacity, hasher and identity.
  // Errors: out_of_memory.
  result<concurrent> empty_like() const noexcept {
    auto made = filter_.empty_like();
    if (!made) return made.error();
    return adopt(*std::move(made));
  }
  // Alone.  The plain filter with everything that is in it.
  counting_bloom release() && noexcept {
    shared::normalise(filter_);
    return std::move(filter_);
  }

  // --- one key ---
  void insert(key k) noexcept { shared::insert(filter_, k); }
  void insert(std::string_view bytes) noexcept { insert(hash(bytes)); }
  result<void> try_insert(key k) noexcept { return insert(k), result<void>(); }
  bool may_contain(key k) const noexcept {
    // Without this a loop that waits for a key could be compiled to look only once.
    std::atomic_signal_fence(std::memory_order_acquire);
    return filter_.may_contain(k);
  }
  bool may_contain(std::string_view bytes) const noexcept {
    return may_contain(hash(bytes));
  }
  // REQUIRES: the insert of k happens-before this call, and k was not erased since.
  // Errors: not_present; nothing has changed.
  result<void> erase_present(key k) noexcept {
    if (!shared::erase(filter_, k))
      return error{errc::not_present, "the key to erase is not in the filter"};
    return {};
  }
  // Never too low for inserts that happen-before and erases that happen-after.
  std::uint64_t count(key k) const noexcept { return filter_.count(k); }

  // Integers, bytes, receipts, and ranges of keys: key_types.hpp, key_erases.hpp.
  using key_erases<concurrent>::count;
  using key_erases<concurrent>::erase_present;
  using key_erases<concurrent>::try_insert;
  using key_inserts<concurrent>::insert;
  using key_lookups<concurrent>::hash;
  using key_lookups<concurrent>::may_contain;

  // --- many keys: memory latency overlaps ---
  void insert(std::span<const key> ks) noexcept { shared::insert(filter_, ks); }
  void insert(std::span<const std::string_view> ks) noexcept {
    for_each_hashed_group(
        hasher(), ks,
        [this](std::span<const key> some, std::size_t) noexcept { insert(some); });
  }
  std::size_t try_insert(std::span<const key> ks) noexcept {
    return insert(ks), ks.size();
  }
  // REQUIRES: out.size() == ks.size()
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    filter_.may_contain(ks, out);
  }
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept {
    filter_.may_contain(ks, out);
  }
  // One by one; as in counting_bloom.
  result<std::size_t> erase_present(std::span<const key> ks,
                                    std::span<bool> erased) noexcept {
    detail::require_answers(ks.size(), erased.size());
    std::size_t gone = 0;
    for (std::size_t i = 0; i < ks.size(); ++i)
      gone += erased[i] = shared::erase(filter_, ks[i]);
    return gone;
  }

  key hash(std::string_view bytes) const noexcept { return filter_.hash(bytes); }
  key hash_u64(std::uint64_t x) const noexcept { return filter_.hash_u64(x); }
  key from_hash(std::uint64_t h) const noexcept { return filter_.from_hash(h); }
  bloomery::hasher hasher() const noexcept { return filter_.hasher(); }

  // --- whole filters ---
  // A plain copy.  It has every key whose insert happens-before the call and whose erase
  // happens-after it.  Keys inserted or erased meanwhile may be in it, missing, or in
  // some of its cells only: erase from a snapshot only keys that were inserted before.
  // Blocks no thread.  Errors: out_of_memory.
  result<counting_bloom> snapshot() const noexcept {
    auto copy = filter_.empty_like();
    if (copy) shared::copy(*copy, filter_);
    return copy;
  }
  // Afterwards it holds the keys of both, copies added.  Lock-free; `other` does not
  // change: a snapshot.  Errors: incompatible, as counting_bloom::merge; corrupt.
  result<void> merge(const counting_bloom& other) noexcept {
    return shared::add(filter_, other);
  }
  // Alone.  To empty a filter in use, start a new one: live_filter.
  void clear() noexcept { filter_.clear(); }

  // --- properties ---
  counting_shape shape() const noexcept { return filter_.shape(); }
  std::uint32_t hashes() const noexcept { return filter_.hashes(); }
  std::uint64_t capacity() const noexcept { return filter_.capacity(); }
  std::uint64_t identity() const noexcept { return filter_.identity(); }
  std::uint64_t receipt_scope() const noexcept { return filter_.receipt_scope(); }
  std::size_t size_in_bytes() const noexcept { return filter_.size_in_bytes(); }

  // --- current state: each reads every cell, while others are changed ---
  std::uint64_t stuck_cells() const noexcept { return filter_.stuck_cells(); }
  double fill() const noexcept { return filter_.fill(); }
  double estimated_keys() const noexcept { return filter_.estimated_keys(); }
  double expected_fpr(std::uint64_t keys) const noexcept {
    return filter_.expected_fpr(keys);
  }
  double realised_fpr() const noexcept { return filter_.realised_fpr(); }

  // The filter as it is right now, for layouts and facts; stuck cells may be beyond the
  // sticky value.
  const counting_bloom& unsynchronised() const noexcept { return filter_; }

  // Alone.
  friend bool operator==(const concurrent& a, const concurrent& b) noexcept {
    return a.filter_ == b.filter_;
  }

 private:
  explicit concurrent(counting_bloom f) noexcept : filter_(std::move(f)) {}

  counting_bloom filter_;
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
