// Counting filters for inserts, erases and lookups by any number of threads.
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
// Protocol and proof: detail/sync/shared_cells.hpp, docs/concurrency.md.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/counting_bloom.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/concurrent_access.hpp>
#include <bloomery/detail/filter/shared_core.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// (src/kind/counting/shared.cpp)
template <>
struct BLOOMERY_EXPORT concurrent_access<counting_bloom> {
  // Any number of threads may call this.
  static result<void> ensure_identity(counting_bloom& f) noexcept {
    return f.ensure_identity();
  }
  // Receipts of `of` are for the copy, too.  Errors: out_of_memory.
  static result<counting_bloom> with_receipts(result<counting_bloom> copy,
                                              const counting_bloom& of) noexcept {
    if (!copy) return copy;
    auto same = of.receipts_.copy();
    if (!same) return same.error();
    copy->receipts_ = *std::move(same);
    return copy;
  }

  // Errors: corrupt (bytes of f are damaged).
  static result<void> check(const counting_bloom& f) noexcept;

  static void insert(counting_bloom& f, key k) noexcept;
  static void insert(counting_bloom& f, std::span<const key> ks) noexcept;
  // False: a cell is 0, and nothing has changed.
  static bool erase(counting_bloom& f, key k) noexcept;
  // Cells are added up, and stop at the sticky value.  Errors: incompatible.
  static result<void> add(counting_bloom& f, const counting_bloom& other) noexcept;
  // To `to`, which is empty and of the same shape: stuck cells at exactly the sticky
  // value.
  static void copy(counting_bloom& to, const counting_bloom& f) noexcept;
  // The same in place.  REQUIRES: alone
  static void normalise(counting_bloom& f) noexcept;
};

inline namespace BLOOMERY_BY_ISA {

// Inserts add to cells by atomic operations; erases repeat until their cell was not
// changed meanwhile.
template <>
class shared_core<counting_bloom, wait_free> : public shared_filter<counting_bloom> {
  using access = concurrent_access<counting_bloom>;

 public:
  // Alone.  The plain filter with everything that is in it.
  counting_bloom release() && noexcept {
    access::normalise(filter_);
    return std::move(filter_);
  }
  // A plain copy.  It has every key whose insert happens-before the call and whose erase
  // happens-after it.  Keys inserted or erased meanwhile may be in it, missing, or in
  // some of its cells only: erase from a snapshot only keys that were inserted before.
  // Blocks no thread.  Errors: out_of_memory.
  result<counting_bloom> snapshot() const noexcept {
    auto copy = filter_.empty_like();
    if (copy) access::copy(*copy, filter_);
    return access::with_receipts(std::move(copy), filter_);
  }
  // Afterwards it holds the keys of both, copies added.  Lock-free; `other` does not
  // change: a snapshot.  Errors: incompatible, as counting_bloom::merge; corrupt.
  result<void> merge(const counting_bloom& other) noexcept {
    return access::add(filter_, other);
  }

  counting_shape shape() const noexcept { return filter_.shape(); }
  std::uint32_t hashes() const noexcept { return filter_.hashes(); }
  std::uint64_t identity() const noexcept { return filter_.identity(); }
  std::uint64_t receipt_scope() const noexcept { return filter_.receipt_scope(); }
  std::uint64_t stuck_cells() const noexcept { return filter_.stuck_cells(); }

 protected:
  // Errors: corrupt (bytes of `f` are damaged).
  static result<shared_core> share(counting_bloom f) noexcept {
    if (auto ok = access::check(f); !ok) return ok.error();
    return shared_core(std::move(f));
  }

  // --- the core (filter_of.hpp) ---
  result<void> ensure_identity() noexcept { return access::ensure_identity(filter_); }
  BLOOMERY_INLINE bool find(key k) const noexcept {
    // Without this a loop that waits for a key could be compiled to look only once.
    std::atomic_signal_fence(std::memory_order_acquire);
    return filter_.may_contain(k);
  }
  void find_each(std::span<const key> ks, std::span<bool> out) const noexcept {
    filter_.may_contain(ks, out);
  }
  // Never too low for inserts that happen-before and erases that happen-after.
  std::uint64_t copies_of(key k) const noexcept { return filter_.count(k); }
  void add(key k) noexcept { access::insert(filter_, k); }
  void add_each(std::span<const key> ks) noexcept { access::insert(filter_, ks); }
  result<void> try_add(key k) noexcept { return add(k), result<void>(); }
  std::size_t try_add_each(std::span<const key> ks) noexcept {
    return add_each(ks), ks.size();
  }
  result<void> remove(key k) noexcept {
    if (!access::erase(filter_, k))
      return error{errc::not_present, "the key to erase is not in the filter"};
    return {};
  }
  result<std::size_t> remove_each(std::span<const key> ks,
                                  std::span<bool> erased) noexcept {
    std::size_t gone = 0;
    for (std::size_t i = 0; i < ks.size(); ++i)
      gone += erased[i] = access::erase(filter_, ks[i]);
    return gone;
  }

 private:
  explicit shared_core(counting_bloom f) noexcept : shared_filter(std::move(f)) {}
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
