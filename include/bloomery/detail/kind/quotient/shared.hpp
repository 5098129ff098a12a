// Quotient filters for inserts, erases, counts and lookups by any number of threads.
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
// In the child of a fork, parts that a thread of the parent was changing are torn:
// lookups there answer "possibly present", and changes are refused (corrupt).
// Protocol and proof: detail/sync/shared_quotient.hpp, docs/concurrency.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/concurrent_access.hpp>
#include <bloomery/detail/filter/shared_core.hpp>
#include <bloomery/detail/kind/quotient/stripes.hpp>
#include <bloomery/detail/sync/atomic_words.hpp>
#include <bloomery/key.hpp>
#include <bloomery/quotient.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// (src/kind/quotient/shared.cpp)
template <>
struct BLOOMERY_EXPORT concurrent_access<quotient> {
  // Any number of threads may call this.
  static result<void> ensure_identity(quotient& f) noexcept {
    return f.ensure_identity();
  }
  // Receipts of `of` are for the copy, too.  Errors: out_of_memory.
  static result<quotient> with_receipts(result<quotient> copy,
                                        const quotient& of) noexcept {
    if (!copy) return copy;
    auto same = of.receipts_.copy();
    if (!same) return same.error();
    copy->receipts_ = *std::move(same);
    return copy;
  }

  using stripes = quotient_stripes<atomic_words>;

  // Errors: out_of_memory; corrupt (bytes of f are damaged: writers do not check).
  static result<stripes> share(quotient& f) noexcept;
  // f with all its bytes damaged if some of them are torn.
  static quotient release(quotient f, const stripes& s) noexcept;

  static bool may_contain(const stripes& s, key k) noexcept;
  static void may_contain(const stripes& s, std::span<const key> ks, bool* out) noexcept;
  static std::uint64_t count(const stripes& s, key k) noexcept;
  static result<void> insert(const stripes& s, key k) noexcept;
  // How many are in, before the first that is refused.
  static std::size_t insert(const stripes& s, std::span<const key> ks) noexcept;
  static result<void> erase(const stripes& s, key k) noexcept;
  static result<std::size_t> erase(const stripes& s, std::span<const key> ks,
                                   bool* erased) noexcept;
  // Into an empty filter of the same layout.  Errors: corrupt.
  static result<void> copy(const stripes& s, quotient& to) noexcept;

  // Block after block, each of one moment; without clusters.
  static quotient_census census(const stripes& s) noexcept;
  static double fill(const stripes& s) noexcept;
  static double estimated_keys(const stripes& s) noexcept;
  static double realised_fpr(const stripes& s) noexcept;
};

// Writers lock, so wait_free is not offered.
template <>
struct default_policy<quotient> {
  using type = striped;
};

inline namespace BLOOMERY_BY_ISA {

// Writers lock the stripes of their blocks; readers check a stripe's version instead.
template <>
class shared_core<quotient, striped> : public shared_filter<quotient> {
  using access = concurrent_access<quotient>;

 public:
  // What count() reports after 64 attempts.
  static constexpr std::uint64_t unknown_count = quotient::unknown_count;

  // Alone.  The plain filter with everything that is in it.  If parts are torn, all its
  // bytes are damaged.
  quotient release() && noexcept { return access::release(std::move(filter_), stripes_); }
  // A plain copy of one moment during the call: every insert and erase is in it whole or
  // not at all, and all that happen-before the call are in it.  Lookups go on; a writer
  // waits for as long as its stripe (1/4096 of the filter, or eight blocks) is copied.
  // Errors: out_of_memory, corrupt (torn by a fork).
  result<quotient> snapshot() const noexcept {
    auto copy = filter_.empty_like();
    if (!copy) return copy;
    if (auto done = access::copy(stripes_, *copy); !done) return done.error();
    return access::with_receipts(std::move(copy), filter_);
  }
  // Alone.  To empty a filter in use, start a new one: live_filter.
  void clear() noexcept {
    filter_.clear();
    stripes_.heal();
  }
  // Lookups so far that answered "possibly present", or unknown_count, after 64 attempts.
  std::uint64_t contended_lookups() const noexcept { return stripes_.given_up(); }

  const quotient_layout& layout() const noexcept { return filter_.layout(); }
  std::uint64_t quotients() const noexcept { return filter_.quotients(); }
  std::uint32_t remainder_bits() const noexcept { return filter_.remainder_bits(); }
  std::uint64_t slots() const noexcept { return filter_.slots(); }
  std::uint64_t identity() const noexcept { return filter_.identity(); }
  std::uint64_t receipt_scope() const noexcept { return filter_.receipt_scope(); }

  // --- current state: block after block, each of one moment ---
  double fill() const noexcept { return access::fill(stripes_); }
  double estimated_keys() const noexcept { return access::estimated_keys(stripes_); }
  double realised_fpr() const noexcept { return access::realised_fpr(stripes_); }

 protected:
  // Errors: out_of_memory; corrupt (bytes of `f` are damaged).
  static result<shared_core> share(quotient f) noexcept {
    auto stripes = access::share(f);
    if (!stripes) return stripes.error();
    return shared_core(std::move(f), *std::move(stripes));
  }

  // --- the core (filter_of.hpp) ---
  result<void> ensure_identity() noexcept { return access::ensure_identity(filter_); }
  bool find(key k) const noexcept { return access::may_contain(stripes_, k); }
  void find_each(std::span<const key> ks, std::span<bool> out) const noexcept {
    access::may_contain(stripes_, ks, out.data());
  }
  std::uint64_t copies_of(key k) const noexcept { return access::count(stripes_, k); }
  // Errors: full, too_many_copies, corrupt (torn by a fork).
  result<void> try_add(key k) noexcept { return access::insert(stripes_, k); }
  std::size_t try_add_each(std::span<const key> ks) noexcept {
    return access::insert(stripes_, ks);
  }
  // Errors: not_present, corrupt (torn by a fork).
  result<void> remove(key k) noexcept { return access::erase(stripes_, k); }
  result<std::size_t> remove_each(std::span<const key> ks,
                                  std::span<bool> erased) noexcept {
    return access::erase(stripes_, ks, erased.data());
  }

 private:
  shared_core(quotient f, access::stripes s) noexcept
      : shared_filter(std::move(f)), stripes_(std::move(s)) {}

  access::stripes stripes_;  // over the memory of filter_, which does not move with it
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
