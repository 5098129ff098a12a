// Filters of bits for inserts and lookups by any number of threads: `concurrent` of every
// kind whose keys only set bits.
//
// The bits are those of the plain filter with the same keys, whatever the order and
// number of threads.  Policies:
//   wait_free  inserts finish in a bounded number of steps, whatever other threads do.
//              One locked instruction for each word that lacks bits.
//   locked     inserts hold a lock of the key's line for a few nanoseconds: two to three
//              times the throughput, but a thread that is preempted inside blocks others.
//              Lookups take no lock.  Block filters only: keys of other filters touch
//              many lines.
// Lookups are wait-free under both, and as fast as the plain filter's.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <bloomery/detail/filter/concurrent_access.hpp>
#include <bloomery/detail/filter/shared_core.hpp>
#include <bloomery/detail/sync/stripe_locks.hpp>
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

// `locked` is for filters whose keys fall into one line or two.
template <shareable F, class Policy>
requires std::same_as<Policy, wait_free> ||
    (std::same_as<Policy, locked>&& lockable<F>)class shared_core<F, Policy>
    : public shared_filter<F> {
 public:
  // A plain copy.  It has every key whose insert happens-before the call; of the keys
  // inserted meanwhile it may have some, or some of their bits.  Blocks no thread:
  // writers stay wait-free, and share the memory bandwidth.  save_snapshot (snapshot.hpp)
  // writes one to a file without a second filter in memory.  Errors: out_of_memory.
  result<F> snapshot() const noexcept {
    auto copy = filter_.empty_like();
    if (copy)
      words::copy(access::data(*copy), filter_.bytes().data(), filter_.size_in_bytes());
    return copy;
  }
  // Afterwards this filter has every key of the other one, as if they had been inserted;
  // inserts and lookups go on meanwhile.  `other` does not change: a snapshot.
  // Errors: incompatible, as F::merge.
  result<void> merge(const F& other) noexcept {
    return access::add(filter_, other, memory());
  }
  // The same for a filter in use: what was inserted into it before the call.
  result<void> merge(const shared_core& other) noexcept {
    return access::add(filter_, other.filter_, memory());
  }

  unsigned hashes() const noexcept { return filter_.hashes(); }
  std::uint64_t ones() const noexcept { return filter_.ones(); }

 protected:
  using shared_filter<F>::filter_;

  // Errors: out_of_memory.
  static result<shared_core> share(F f) noexcept {
    const std::size_t bytes = f.size_in_bytes();
    auto keys = stripe_locks<>::make(detail::key_locks(bytes));
    if (!keys) return keys.error();
    auto lines = stripe_locks<>::make(
        std::same_as<Policy, locked> ? detail::line_locks(bytes) : 1);
    if (!lines) return lines.error();
    return shared_core(std::move(f), *std::move(keys), *std::move(lines));
  }

  // --- the core (filter_of.hpp) ---
  BLOOMERY_INLINE bool find(key k) const noexcept {
    // Without this a loop that waits for a key could be compiled to look only once.
    std::atomic_signal_fence(std::memory_order_acquire);
    return filter_.may_contain(k);
  }
  void find_each(std::span<const key> ks, std::span<bool> out) const noexcept {
    filter_.may_contain(ks, out);
  }
  BLOOMERY_INLINE void add(key k) noexcept { access::insert(filter_, k, memory()); }
  void add_each(std::span<const key> ks) noexcept {
    access::insert(filter_, ks, memory());
  }
  BLOOMERY_INLINE bool add_and_test(key k) noexcept {
    return access::insert(filter_, k, memory());
  }
  bool add_absent(key k) noexcept {
    if (is_serialized()) return access::insert(filter_, k, memory());
    const stripe_guard hold(keys_.of(k.bits()));
    return access::insert(filter_, k, memory());
  }
  void add_each_absent(std::span<const key> ks, std::span<bool> first) noexcept {
    constexpr std::size_t group = 32;
    access::fetch(filter_, ks.first(std::min(group, ks.size())));
    for (std::size_t i = 0; i < ks.size(); i += group) {
      const std::size_t next = std::min(i + group, ks.size());
      access::fetch(filter_, ks.subspan(next, std::min(group, ks.size() - next)));
      for (std::size_t j = i; j < next; ++j) first[j] = add_absent(ks[j]);
    }
  }

 private:
  using access = concurrent_access<F>;

  shared_core(F f, stripe_locks<> keys, stripe_locks<> lines) noexcept
      : shared_filter<F>(std::move(f)),
        keys_(std::move(keys)),
        lines_(std::move(lines)) {}

  Policy memory() const noexcept {
    if constexpr (std::same_as<Policy, locked>)
      return {lines_};
    else
      return {};
  }
  // Whether two inserts of one key already exclude each other.
  bool is_serialized() const noexcept {
    if constexpr (std::same_as<Policy, locked>)
      return access::one_line(filter_);
    else
      return false;
  }

  stripe_locks<> keys_;   // for insert_if_absent, by key
  stripe_locks<> lines_;  // for `locked`, by line; otherwise one
};

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
