// Tenants by name, as rows of metrics: counts, recent rate, and alarm.
//
// Counts since the start hide a late attack.  So rates and alarms cover the last interval
// and the time since; mark() ends an interval.
//
// Thread safety: one thread at a time; others may go on counting in `rates`.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/live/metrics.hpp>
#include <bloomery/detail/live/observed_rate.hpp>
#include <bloomery/detail/owned.hpp>
#include <bloomery/live/tenant_rates.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class BLOOMERY_EXPORT tenant_watch {
 public:
  // `rates` and `names` outlive it; `limits.floor` is given anew with each call of rows.
  // Errors: invalid_argument (not one name for each tenant), out_of_memory.
  static result<tenant_watch> make(const tenant_rates& rates,
                                   std::span<const std::string_view> names,
                                   const outlier_limits& limits = {}) noexcept;

  // Call it, for example, once per minute: rows then cover the last one to two minutes.
  void mark() noexcept;

  // One per tenant, in their order; valid until the next call.  `floor`: the known rate
  // of the filter.  Counts are those since the start.
  std::span<const tenant_metrics> rows(double floor) noexcept;
  // How many of these rows have an alarm.
  std::size_t alarms() const noexcept { return alarms_; }

 private:
  // What is kept of one moment.
  using moment = owned<lookup_counts[]>;

  tenant_watch() noexcept = default;
  std::span<lookup_counts> of(const moment& m) const noexcept {
    return {m.get(), names_.size()};
  }

  const tenant_rates* rates_ = nullptr;
  std::span<const std::string_view> names_;
  outlier_limits limits_;
  moment last_mark_, mark_before_, recent_;
  owned<tenant_alarm[]> found_;
  owned<tenant_metrics[]> rows_;
  std::size_t alarms_ = 0;
};

}  // namespace bloomery::inline v1
