// What threads share of a filter: the cores of `concurrent` (concurrent.hpp).
//
// shared_core<F, Policy> is to concurrent<F, Policy> what the core of a kind is to the
// kind (filter_of.hpp): calls for keys and spans of keys, which any thread may make at
// any time.  Its public members are the calls that only some kinds have.  A kind that
// threads can share has one, in shared_*.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <bloomery/detail/probe/block_dispatch.hpp>
#include <bloomery/hasher.hpp>

namespace bloomery::inline v1 {

using block_probe::locked;
using block_probe::wait_free;

// Inserts and erases lock stripes of the filter; lookups lock nothing (shared_cuckoo.hpp,
// shared_quotient.hpp in detail/sync).
struct striped {};

// What `concurrent<F>` means.
template <class F>
struct default_policy {
  using type = wait_free;
};

inline namespace BLOOMERY_BY_ISA {

template <class F, class Policy>
class shared_core;

// A plain filter whose memory threads share.
template <class F>
class shared_filter {
 public:
  // Alone.  The plain filter with everything that is in it.
  F release() && noexcept { return std::move(filter_); }
  // Alone: a concurrent insert could lose some of its bits, a permanent false negative.
  // To empty a filter in use, start a new one: live_filter.
  void clear() noexcept { filter_.clear(); }

  // --- properties ---
  std::uint64_t bits() const noexcept { return filter_.bits(); }
  std::uint64_t capacity() const noexcept { return filter_.capacity(); }
  std::size_t size_in_bytes() const noexcept { return filter_.size_in_bytes(); }

  // --- current state: each reads the whole filter, while others change it ---
  double fill() const noexcept { return filter_.fill(); }
  double estimated_keys() const noexcept { return filter_.estimated_keys(); }
  double expected_fpr(std::uint64_t keys) const noexcept {
    return filter_.expected_fpr(keys);
  }
  double realised_fpr() const noexcept { return filter_.realised_fpr(); }

  // The filter as it is right now, for layouts and facts: its calls are those of a plain
  // filter, and its bytes may change while they are read.
  const F& unsynchronised() const noexcept { return filter_; }

 protected:
  explicit shared_filter(F f) noexcept
      : filter_(std::move(f)), hasher_(filter_.hasher()) {}

  const F& plain_form() const noexcept { return filter_; }
  bool is_like(const shared_filter& other) const noexcept {
    return filter_ == other.filter_;
  }

  F filter_;
  bloomery::hasher hasher_;
};

// Whether threads can share filters of this kind under this policy.
template <class F, class Policy>
concept shared_by_threads = sizeof(shared_core<F, Policy>) != 0;

}  // namespace BLOOMERY_BY_ISA
}  // namespace bloomery::inline v1
