#include <bloomery/detail/live/tenant_watch.hpp>

#include <new>
#include <utility>

namespace bloomery::inline v1 {

result<tenant_watch> tenant_watch::make(const tenant_rates& rates,
                                        std::span<const std::string_view> names,
                                        const outlier_limits& limits) noexcept {
  if (names.size() != rates.tenants())
    return error{errc::invalid_argument, "each tenant needs a name", 0,
                 static_cast<double>(names.size()), static_cast<double>(rates.tenants())};
  tenant_watch made;
  made.rates_ = &rates;
  made.names_ = names;
  made.limits_ = limits;
  const std::size_t n = names.size();
  for (moment* m : {&made.last_mark_, &made.mark_before_, &made.recent_})
    m->reset(new (std::nothrow) lookup_counts[n]);
  made.found_.reset(new (std::nothrow) tenant_alarm[n]);
  made.rows_.reset(new (std::nothrow) tenant_metrics[n]);
  if (made.last_mark_ == nullptr || made.mark_before_ == nullptr ||
      made.recent_ == nullptr || made.found_ == nullptr || made.rows_ == nullptr)
    return error{errc::out_of_memory, "no memory for the rows of tenants"};
  return made;
}

void tenant_watch::mark() noexcept {
  std::swap(mark_before_, last_mark_);
  rates_->counts(of(last_mark_));
}

std::span<const tenant_metrics> tenant_watch::rows(double floor) noexcept {
  const std::size_t n = names_.size();
  for (std::size_t i = 0; i < n; ++i) {
    const lookup_counts now = rates_->counts(static_cast<unsigned>(i));
    recent_[i] = now.since(mark_before_[i]);
    rows_[i] = {names_[i], now, observe_rate(recent_[i]), false};
  }
  limits_.floor = floor;
  alarms_ = find_outliers(of(recent_), limits_, {found_.get(), n});
  for (std::size_t i = 0; i < alarms_; ++i) rows_[found_[i].tenant].alarm = true;
  return {rows_.get(), n};
}

}  // namespace bloomery::inline v1
