// The numbers of a rebuild: how fast, how often it is checked, what it must have shown.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/base/durations.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/live/rebuild_request.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT rebuild_rules {
 public:
  // Errors: invalid_argument (a rate or speed that is none).
  template <class Params, class Sentinel>
  static result<rebuild_rules> of(
      const rebuild_request<Params, Sentinel>& request) noexcept {
    rebuild_rules r;
    r.keys_ = request.params.keys;
    r.min_keys_ = request.min_keys.value_or(r.keys_ - r.keys_ / 100);
    r.max_fpr_ =
        request.max_fpr != 0 ? request.max_fpr : std::min(1.0, 1.5 * request.params.fpr);
    r.a_second_ = request.max_keys_per_second;
    r.pause_ = request.pause;
    if (auto ok = r.check_numbers(); !ok) return ok.error();
    return r;
  }

  std::uint64_t keys() const noexcept { return keys_; }

  // The most keys to request from the source at once: few enough for the L1 cache, and to
  // check twenty times per second whether to stop.
  std::size_t batch() const noexcept;

  // Between batches: whether to go on.  Calls what the caller gave, which may throw.
  bool go_on(std::uint64_t delivered) const {
    return pause_.call == nullptr ||
           pause_.call(pause_.context, {delivered, keys_, clock::now() - start_});
  }
  // Sleeps until `n` more keys are due.
  void keep_pace(std::size_t n) noexcept;

  // Whether to check the rate now: first when the expected number of keys is in, then
  // after each sixteenth of it.  Duplicate keys set no bits, so only the bits show
  // whether a source gives too many.
  bool rate_is_due(std::uint64_t delivered) noexcept;

  // Errors: unattainable.
  result<void> check_rate(double realised) const noexcept;
  // For build_only kinds: their rate does not show that a source never ends, and the keys
  // are collected in memory.  More than twice the requested number is an error.
  // Errors: too_large.
  result<void> check_distinct(std::uint64_t distinct) const noexcept;
  // Errors: incompatible (it ended early).
  result<void> check_delivered(std::uint64_t delivered) const noexcept;

 private:
  using clock = std::chrono::steady_clock;

  rebuild_rules() noexcept = default;
  result<void> check_numbers() const noexcept;

  std::uint64_t keys_ = 0, min_keys_ = 0, looked_at_ = 0;
  double max_fpr_ = 0, a_second_ = 0;
  rebuild_pause pause_;
  clock::time_point start_ = clock::now(), free_at_ = start_;
};

}  // namespace bloomery::inline v1
