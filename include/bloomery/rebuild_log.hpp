// Where a rebuild stands, for those who watch it and those who want it stopped.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include <bloomery/export.hpp>
#include <bloomery/live_status.hpp>
#include <bloomery/result.hpp>
#include <bloomery/stripe_locks.hpp>

namespace bloomery::inline v1 {

// One thread at a time rebuilds and calls begin, enter, deliver and end; the others may
// be called by any.
class BLOOMERY_EXPORT rebuild_log {
 public:
  bool running() const noexcept { return phase() != rebuild_phase::idle; }
  bool stopped() const noexcept { return phase() == rebuild_phase::stopped; }

  // REQUIRES: !running()
  void begin(std::uint64_t expected) noexcept;
  // False: it was stopped, and stays so.
  bool enter(rebuild_phase next) noexcept;
  void deliver(std::uint64_t all) noexcept {
    delivered_.store(all, std::memory_order_relaxed);
  }
  // `why`: it was rolled back.
  void end(const std::optional<error>& why) noexcept;

  // True for one caller: the rebuild will not serve.  False: there is none, or another
  // stopped it, or it is `swapping`.
  bool stop() noexcept;

  rebuild_status status() const noexcept;

 private:
  rebuild_phase phase() const noexcept { return phase_.load(std::memory_order_acquire); }

  std::atomic<rebuild_phase> phase_{rebuild_phase::idle};
  std::atomic<std::uint64_t> delivered_{0}, expected_{0};
  std::atomic<std::int64_t> began_{0}, ended_{0};  // ns of the steady clock; 0: not yet
  std::atomic<std::uint64_t> started_{0}, succeeded_{0}, rolled_back_{0};
  mutable stripe_lock<> error_lock_;  // for as long as a copy takes
  std::optional<error> last_error_;
};

}  // namespace bloomery::inline v1
