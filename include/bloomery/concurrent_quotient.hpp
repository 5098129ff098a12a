// A quotient filter for inserts, erases, counts and lookups by any number of threads.
//
//   auto f = bloomery::concurrent<bloomery::quotient>::make({.keys = 1'000'000});
//   auto r = f->try_insert_with_receipt("alice");   // from any thread
//   f->erase(std::move(*r));
//   auto copy = f->snapshot();                      // a plain quotient, of one moment
//
// Lookups never wait.  A lookup that happens-after the insert of a key, and not after the
// begin of its erase, answers "possibly present", also while its run is moved.  If other
// threads change the stripe of a key again and again while it is looked up, the answer is
// "possibly present" after 64 attempts; contended_lookups() counts these.  Inserts and
// erases lock the stripes (512 slots, or more in large filters) of the slots that they
// move, usually one or two: a thread that is preempted inside blocks writers of those
// stripes, and lookups there answer "possibly present".
// When no writer is at work the bytes are those of the plain filter with the same keys,
// whatever the order and number of threads.  A refused insert changes nothing.
//
// To list, merge or double one: snapshot(), or release().
// Receipts are those of the plain filter: each accepts the other's.
// In the child of a fork, parts that a thread of the parent was changing are torn:
// lookups there answer "possibly present", and changes are refused (corrupt). Protocol
// and proof: shared_quotient.hpp, docs/concurrency.md. "Alone" in a comment: no other
// call may run at the same time.  Everything else may be called by any thread at any
// time.  Move, assignment and destruction: alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <bloomery/concurrent.hpp>
#include <bloomery/detail/base/contract.hpp>
#include <bloomery/detail/filter/concurrent_quotient_access.hpp>
#include <bloomery/detail/filter/hashed_groups.hpp>
#include <bloomery/detail/filter/key_calls.hpp>
#include <bloomery/quotient.hpp>
#include <bloomery/receipt.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {
inline namespace BLOOMERY_BY_ISA {

// Inserts and erases lock stripes of the filter; lookups never wait.
template <>
class concurrent<quotient, striped> : public key_lookups<concurrent<quotient, striped>>,
                                      public key_changes<concurrent<quotient, striped>> {
  using shared = concurrent_access<quotient>;

 public:
  using plain = quotient;
  using policy = striped;
  using params = quotient::params;

  // An empty filter.  Errors: as quotient::make, out_of_memory.
  static result<concurrent> make(params p) noexcept {
    auto made = quotient::make(p);
    if (!made) return made.error();
    return adopt(*std::move(made));
  }
  // What is in `f`.  Errors: out_of_memory; corrupt (bytes of `f` are damaged).
  static result<concurrent> adopt(quotient f) noexcept {
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
  // Alone.  The plain filter with everything that is in it.  If parts are torn, all its
  // bytes are damaged.
  quotient release() && noexcept { return shared::release(std::move(filter_), stripes_); }

  // --- lookups ---
  bool may_contain(key k) const noexcept { return shared::may_contain(stripes_, k); }
  bool may_contain(std::string_view bytes) const noexcept {
    return may_contain(hash(bytes));
  }
  // REQUIRES: out.size() == ks.size()
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    detail::require_answers(ks.size(), out.size());
    shared::may_contain(stripes_, ks, out.data());
  }
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept {
    detail::require_answers(ks.size(), out.size());
    for_each_hashed_group(hasher(), ks,
                          [&](std::span<const key> some, std::size_t first) noexcept {
                            may_contain(some, out.subspan(first, some.size()));
                          });
  }
  // How often a key is in, as quotient::count; unknown_count after 64 attempts.
  static constexpr std::uint64_t unknown_count = quotient::unknown_count;
  std::uint64_t count(key k) const noexcept { return shared::count(stripes_, k); }
  std::uint64_t count(std::string_view bytes) const noexcept {
    return count(hash(bytes));
  }
  // Lookups so far that answered "possibly present", or unknown_count, after 64 attempts.
  std::uint64_t contended_lookups() const noexcept { return stripes_.given_up(); }

  // --- inserts ---
  // Errors: full, too_many_copies, corrupt (torn by a fork).  Nothing has changed then.
  result<void> try_insert(key k) noexcept { return shared::insert(stripes_, k); }
  result<void> try_insert(std::string_view bytes) noexcept {
    return try_insert(hash(bytes));
  }
  // In order, up to the first that is refused; how many are in.
  std::size_t try_insert(std::span<const key> ks) noexcept {
    return shared::insert(stripes_, ks);
  }
  result<receipt> try_insert_with_receipt(key k) noexcept {
    if (auto in = try_insert(k); !in) return in.error();
    return receipt::issue(hasher(), k, shared::scope(filter_));
  }
  result<receipt> try_insert_with_receipt(std::string_view bytes) noexcept {
    return try_insert_with_receipt(hash(bytes));
  }

  // --- erasing: one copy ---
  // As in quotient.  If two threads use copies of one stored receipt, both may succeed:
  // one of them deletes the copy of another key with that fingerprint.
  result<void> erase(receipt&& r) noexcept {
    const auto k = r.key_for(hasher(), shared::scope(filter_));
    if (!k) return k.error();
    auto erased = erase_present(*k);
    if (erased) r.use_up();
    return erased;
  }
  // REQUIRES: the insert of k happens-before this call, and k was not erased since
  // Errors: not_present, corrupt (torn by a fork); nothing has changed.
  result<void> erase_present(key k) noexcept { return shared::erase(stripes_, k); }
  result<void> erase_present(std::string_view bytes) noexcept {
    return erase_present(hash(bytes));
  }
  result<std::size_t> erase_present(std::span<const key> ks,
                                    std::span<bool> erased) noexcept {
    detail::require_answers(ks.size(), erased.size());
    return shared::erase(stripes_, ks, erased.data());
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
  // waits for as long as its stripe (1/4096 of the filter, or eight blocks) is copied.
  // Errors: out_of_memory, corrupt (torn by a fork).
  result<quotient> snapshot() const noexcept {
    auto copy = filter_.empty_like();
    if (!copy) return copy;
    if (auto done = shared::copy(stripes_, *copy); !done) return done.error();
    return copy;
  }
  // Alone.  To empty a filter in use, start a new one: live_filter.
  void clear() noexcept {
    filter_.clear();
    stripes_.heal();
  }

  // --- properties ---
  std::uint64_t bits() const noexcept { return filter_.bits(); }
  const quotient_layout& layout() const noexcept { return filter_.layout(); }
  std::uint64_t quotients() const noexcept { return filter_.quotients(); }
  std::uint32_t remainder_bits() const noexcept { return filter_.remainder_bits(); }
  std::uint64_t slots() const noexcept { return filter_.slots(); }
  std::uint64_t capacity() const noexcept { return filter_.capacity(); }
  std::uint64_t identity() const noexcept { return filter_.identity(); }
  std::size_t size_in_bytes() const noexcept { return filter_.size_in_bytes(); }

  // --- current state: each reads every block, while others are changed ---
  double fill() const noexcept { return shared::fill(stripes_); }
  double estimated_keys() const noexcept { return shared::estimated_keys(stripes_); }
  double expected_fpr(std::uint64_t keys) const noexcept {
    return filter_.expected_fpr(keys);
  }
  double realised_fpr() const noexcept { return shared::realised_fpr(stripes_); }

  // The filter as it is right now, for layouts and facts: its lookups do not see a run
  // that moves meanwhile.
  const quotient& unsynchronised() const noexcept { return filter_; }

  // Alone.
  friend bool operator==(const concurrent& a, const concurrent& b) noexcept {
    return a.filter_ == b.filter_;
  }

 private:
  concurrent(quotient f, shared::stripes s) noexcept
      : filter_(std::move(f)), stripes_(std::move(s)) {}

  quotient filter_;
  shared::stripes stripes_;  // over the memory of filter_, which does not move with it
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
