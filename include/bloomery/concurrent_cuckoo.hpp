// A cuckoo filter for inserts, erases and lookups by any number of threads.
//
//   auto f = bloomery::concurrent<bloomery::cuckoo>::make({.keys = 1'000'000});
//   auto r = f->try_insert_with_receipt("alice");   // from any thread
//   f->erase(std::move(*r));
//   auto copy = f->snapshot();                      // a plain cuckoo, of one moment
//
// Lookups never wait.  A lookup that happens-after the insert of a key, and not after the
// begin of its erase, answers "possibly present", also while its tag is moved to make
// room for another.  If other threads change the buckets of an absent key again and again
// while it is looked up, the answer is "possibly present" after 64 attempts;
// contended_lookups() counts these. Inserts and erases lock two stripes of the filter for
// some ten nanoseconds: a thread that is preempted inside blocks writers of those
// stripes.  With one thread the bytes are those of the plain filter; with several, every
// tag is in its buckets as often as in the plain filter, in other slots. A refused insert
// adds nothing.  Tags of other keys may have moved to their other bucket.
//
// Receipts are those of the plain filter: each accepts the other's.
// Protocol and proof: shared_cuckoo.hpp, docs/concurrency.md.
// "Alone" in a comment: no other call may run at the same time.  Everything else may be
// called by any thread at any time.  Move, assignment and destruction: alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/concurrent.hpp>
#include <bloomery/cuckoo.hpp>
#include <bloomery/detail/base/contract.hpp>
#include <bloomery/detail/filter/concurrent_cuckoo_access.hpp>
#include <bloomery/detail/filter/hashed_groups.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/receipt.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {
inline namespace BLOOMERY_BY_ISA {

// Inserts and erases lock two stripes of the filter; lookups never wait.
template <>
class concurrent<cuckoo, striped> : public key_lookups<concurrent<cuckoo, striped>>,
                                    public key_changes<concurrent<cuckoo, striped>> {
  using shared = concurrent_access<cuckoo>;

 public:
  using plain = cuckoo;
  using policy = striped;
  using params = cuckoo::params;

  // An empty filter.  Errors: as cuckoo::make, out_of_memory.
  static result<concurrent> make(params p) noexcept {
    auto made = cuckoo::make(p);
    if (!made) return made.error();
    return adopt(*std::move(made));
  }
  // What is in `f`.  Errors: out_of_memory; corrupt (bytes of `f` are damaged).
  static result<concurrent> adopt(cuckoo f) noexcept {
    auto stripes = shared::share(f);
    if (!stripes) return stripes.error();
    return concurrent(std::move(f), *std::move(stripes));
  }
  // An empty filter of the same layout, capacity, hasher and identity.
  // Errors: out_of_memory.
  result<concurrent> empty_like() const noexcept {
    auto made = filter_.empty_like();
    if (!made) return made.error();
    return adopt(*std::move(made));
  }
  // Alone.  The plain filter with everything that is in it.
  cuckoo release() && noexcept { return std::move(filter_); }

  // --- lookups ---
  BLOOMERY_INLINE bool may_contain(key k) const noexcept {
    return shared::may_contain(filter_, stripes_, k);
  }
  bool may_contain(std::string_view bytes) const noexcept {
    return may_contain(hash(bytes));
  }
  // REQUIRES: out.size() == ks.size()
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    detail::require_answers(ks.size(), out.size());
    shared::may_contain(filter_, stripes_, ks, out.data());
  }
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept {
    detail::require_answers(ks.size(), out.size());
    for_each_hashed_group(hasher(), ks,
                          [&](std::span<const key> some, std::size_t first) noexcept {
                            may_contain(some, out.subspan(first, some.size()));
                          });
  }
  // How often a key is in, as cuckoo::count; 8 after 64 attempts.
  std::uint64_t count(key k) const noexcept {
    return shared::count(filter_, stripes_, k);
  }
  std::uint64_t count(std::string_view bytes) const noexcept {
    return count(hash(bytes));
  }
  // Lookups so far that answered "possibly present" after 64 attempts.
  std::uint64_t contended_lookups() const noexcept { return stripes_.given_up(); }

  // --- inserts ---
  // Errors: full (a search found no room in buckets that did not change meanwhile),
  // too_many_copies.  Then the key was not inserted.
  result<void> try_insert(key k) noexcept { return shared::insert(filter_, stripes_, k); }
  result<void> try_insert(std::string_view bytes) noexcept {
    return try_insert(hash(bytes));
  }
  // In order, up to the first that is refused; how many are in.
  std::size_t try_insert(std::span<const key> ks) noexcept {
    return shared::insert(filter_, stripes_, ks);
  }
  result<receipt> try_insert_with_receipt(key k) noexcept {
    if (auto in = try_insert(k); !in) return in.error();
    return receipt::issue(hasher(), k, shared::scope(filter_));
  }
  result<receipt> try_insert_with_receipt(std::string_view bytes) noexcept {
    return try_insert_with_receipt(hash(bytes));
  }

  // --- erasing: one copy ---
  // As in cuckoo.  If two threads use copies of one stored receipt, both may succeed: one
  // of them deletes the tag of another key.
  result<void> erase(receipt&& r) noexcept {
    const auto k = r.key_for(hasher(), shared::scope(filter_));
    if (!k) return k.error();
    auto erased = erase_present(*k);
    if (erased) r.use_up();
    return erased;
  }
  // REQUIRES: the insert of k happens-before this call, and k was not erased since
  // Errors: not_present; nothing has changed.
  result<void> erase_present(key k) noexcept {
    return shared::erase(filter_, stripes_, k);
  }
  result<void> erase_present(std::string_view bytes) noexcept {
    return erase_present(hash(bytes));
  }
  result<std::size_t> erase_present(std::span<const key> ks,
                                    std::span<bool> erased) noexcept {
    detail::require_answers(ks.size(), erased.size());
    return shared::erase(filter_, stripes_, ks, erased.data());
  }

  // Integers, bytes, and ranges of keys: key_types.hpp.
  using key_changes<concurrent>::erase_present;
  using key_changes<concurrent>::try_insert;
  using key_lookups<concurrent>::hash;
  using key_lookups<concurrent>::may_contain;

  key hash(std::string_view bytes) const noexcept { return filter_.hash(bytes); }
  key hash_u64(std::uint64_t x) const noexcept { return filter_.hash_u64(x); }
  key from_hash(std::uint64_t h) const noexcept { return filter_.from_hash(h); }
  bloomery::hasher hasher() const noexcept { return filter_.hasher(); }

  // --- whole filters ---
  // A plain copy of one moment during the call: every insert and erase is in it whole or
  // not at all, and all that happen-before the call are in it.  Lookups go on; a writer
  // waits for as long as its stripe (1/8192 of the filter, 1.5 KB at least) is copied.
  // Errors: out_of_memory.
  result<cuckoo> snapshot() const noexcept {
    auto copy = filter_.empty_like();
    if (copy) stripes_.copy(shared::data(*copy));
    return copy;
  }
  // Alone.  To empty a filter in use, start a new one: live_filter.
  void clear() noexcept { filter_.clear(); }

  // --- properties ---
  std::uint64_t bits() const noexcept { return filter_.bits(); }
  std::uint64_t buckets() const noexcept { return filter_.buckets(); }
  std::uint32_t tag_bits() const noexcept { return filter_.tag_bits(); }
  std::uint64_t capacity() const noexcept { return filter_.capacity(); }
  std::uint64_t identity() const noexcept { return filter_.identity(); }
  std::size_t size_in_bytes() const noexcept { return filter_.size_in_bytes(); }

  // --- current state: each reads every bucket, while others are changed ---
  std::uint64_t occupied() const noexcept { return filter_.occupied(); }
  double fill() const noexcept { return filter_.fill(); }
  double estimated_keys() const noexcept { return filter_.estimated_keys(); }
  double expected_fpr(std::uint64_t keys) const noexcept {
    return filter_.expected_fpr(keys);
  }
  double realised_fpr() const noexcept { return filter_.realised_fpr(); }

  // The filter as it is right now, for layouts and facts: its lookups do not see a tag
  // that moves meanwhile.
  const cuckoo& unsynchronised() const noexcept { return filter_; }

  // Alone.
  friend bool operator==(const concurrent& a, const concurrent& b) noexcept {
    return a.filter_ == b.filter_;
  }

 private:
  concurrent(cuckoo f, shared::stripes s) noexcept
      : filter_(std::move(f)), stripes_(std::move(s)) {}

  cuckoo filter_;
  shared::stripes stripes_;  // over the memory of filter_, which does not move with it
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
