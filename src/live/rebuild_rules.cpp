#include <bloomery/detail/live/rebuild_rules.hpp>

#include <algorithm>
#include <thread>

namespace bloomery::inline v1 {
namespace {

constexpr double max_in_a_batch = 4096;
constexpr double looks_a_second = 20;

}  // namespace

result<void> rebuild_rules::check_numbers() const noexcept {
  if (!(max_fpr_ > 0 && max_fpr_ <= 1))
    return error{errc::invalid_argument, "the highest rate is not in (0, 1]", 0,
                 max_fpr_};
  if (!(a_second_ >= 0))
    return error{errc::invalid_argument, "keys per second are below 0", 0, a_second_};
  return {};
}

std::size_t rebuild_rules::batch() const noexcept {
  if (a_second_ == 0) return static_cast<std::size_t>(max_in_a_batch);
  return static_cast<std::size_t>(
      std::clamp(a_second_ / looks_a_second, 1.0, max_in_a_batch));
}

void rebuild_rules::keep_pace(std::size_t n) noexcept {
  if (a_second_ == 0) return;
  // Time in which the source gave nothing is not made up for later.
  constexpr double longest = 3600;  // seconds a batch: more than that means never
  const std::chrono::duration<double> takes(
      std::min(longest, static_cast<double>(n) / a_second_));
  free_at_ = std::max(free_at_, clock::now()) +
             std::chrono::duration_cast<clock::duration>(takes);
  std::this_thread::sleep_until(free_at_);
}

bool rebuild_rules::rate_is_due(std::uint64_t delivered) noexcept {
  if (delivered < keys_ || delivered - looked_at_ < keys_ / 16) return false;
  looked_at_ = delivered;
  return true;
}

result<void> rebuild_rules::check_rate(double realised) const noexcept {
  if (realised <= max_fpr_) return {};
  return error{errc::unattainable,
               "the new generation has more keys than its rate allows", 0, max_fpr_,
               realised};
}

result<void> rebuild_rules::check_distinct(std::uint64_t distinct) const noexcept {
  if (distinct <= keys_ || distinct - keys_ <= keys_) return {};
  return error{errc::too_large, "the source gave more than twice the keys of its request",
               0, static_cast<double>(distinct), 2 * static_cast<double>(keys_)};
}

result<void> rebuild_rules::check_delivered(std::uint64_t delivered) const noexcept {
  if (delivered >= min_keys_) return {};
  return error{errc::incompatible, "the source ended early", 0,
               static_cast<double>(min_keys_), static_cast<double>(delivered)};
}

}  // namespace bloomery::inline v1
