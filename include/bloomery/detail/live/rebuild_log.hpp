// How rebuilds went, for live_status.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/live/live_status.hpp>
#include <bloomery/detail/sync/stripe_locks.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

// The thread that rebuilds calls begin, deliver and end; status() may be called by any.
class BLOOMERY_EXPORT rebuild_log {
 public:
  void begin(std::uint64_t expected) noexcept;
  void deliver(std::uint64_t all) noexcept {
    delivered_.store(all, std::memory_order_relaxed);
  }
  // `why`: it was rolled back.
  void end(const std::optional<error>& why) noexcept;

  rebuild_status status(rebuild_phase phase) const noexcept;

  void mend_after_fork() noexcept { error_lock_.mend(); }
  // In the child of a fork, whose only thread runs none.  `why`: as end, if one was
  // running in another.
  void end_after_fork(const std::optional<error>& why) noexcept;

 private:
  std::atomic<std::uint64_t> delivered_{0}, expected_{0};
  std::atomic<std::int64_t> began_{0}, ended_{0};  // ns of the steady clock; 0: not yet
  std::atomic<std::uint64_t> started_{0}, succeeded_{0}, rolled_back_{0};
  mutable stripe_lock<> error_lock_;  // for as long as a copy takes
  std::optional<error> last_error_;
};

}  // namespace bloomery::inline v1
