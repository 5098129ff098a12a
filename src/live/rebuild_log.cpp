#include <bloomery/detail/live/rebuild_log.hpp>

#include <chrono>

namespace bloomery::inline v1 {
namespace {

std::int64_t now() noexcept {
  const auto t = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(t).count();
}

}  // namespace

const char* name_of(rebuild_phase phase) noexcept {
  switch (phase) {
    case rebuild_phase::idle:
      return "idle";
    case rebuild_phase::preparing:
      return "preparing";
    case rebuild_phase::filling:
      return "filling";
    case rebuild_phase::checking:
      return "checking";
    case rebuild_phase::swapping:
      return "swapping";
    case rebuild_phase::stopped:
      return "stopped";
  }
  return "unknown";
}

void rebuild_log::begin(std::uint64_t expected) noexcept {
  delivered_.store(0, std::memory_order_relaxed);
  expected_.store(expected, std::memory_order_relaxed);
  began_.store(now(), std::memory_order_relaxed);
  ended_.store(0, std::memory_order_relaxed);
  started_.fetch_add(1, std::memory_order_relaxed);
}

void rebuild_log::end(const std::optional<error>& why) noexcept {
  if (why) {
    const stripe_guard held(error_lock_);
    last_error_ = why;
  }
  ended_.store(now(), std::memory_order_relaxed);
  (why ? rolled_back_ : succeeded_).fetch_add(1, std::memory_order_relaxed);
}

void rebuild_log::end_after_fork(const std::optional<error>& why) noexcept {
  if (started_ != succeeded_ + rolled_back_) end(why);
}

rebuild_status rebuild_log::status(rebuild_phase phase) const noexcept {
  rebuild_status s;
  s.phase = phase;
  s.delivered = delivered_.load(std::memory_order_relaxed);
  s.expected = expected_.load(std::memory_order_relaxed);
  const std::int64_t end = ended_.load(std::memory_order_relaxed);
  if (const std::int64_t began = began_.load(std::memory_order_relaxed); began != 0)
    s.took = std::chrono::nanoseconds((end >= began ? end : now()) - began);
  s.started = started_.load(std::memory_order_relaxed);
  s.succeeded = succeeded_.load(std::memory_order_relaxed);
  s.rolled_back = rolled_back_.load(std::memory_order_relaxed);
  const stripe_guard held(error_lock_);
  s.last_error = last_error_;
  return s;
}

}  // namespace bloomery::inline v1
