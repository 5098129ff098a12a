#include <bloomery/live/tenant_rates.hpp>

#include <algorithm>
#include <new>

#include <bloomery/detail/base/contract.hpp>

#include "live/binomial.hpp"

namespace bloomery::inline v1 {
namespace {

// All tenants together, in two ways.  The sum of counts is right if every tenant has the
// same share of its positive answers confirmed; the sum of trials if each has many.
struct pool {
  lookup_counts counts;
  double hits = 0, trials = 0;
};

struct others_rate {
  double rate, high;
};

double rate_of(const rate_trials& t) noexcept {
  return t.trials > 0 ? t.hits / t.trials : 1;  // of nothing, nothing is excluded
}

// All tenants but one, in both ways.
struct other_tenants {
  rate_trials counted, summed;

  other_tenants(const pool& all, const lookup_counts& row,
                const rate_trials& tenant) noexcept
      : counted(trials_of(all.counts.since(row))) {
    summed.hits = std::max(0.0, all.hits - tenant.hits);
    summed.trials = std::max(summed.hits, all.trials - tenant.trials);
  }
  double rate() const noexcept { return std::max(rate_of(counted), rate_of(summed)); }
  // The way that says more: neither lets a tenant look worse than it is.
  others_rate bound(double error) const noexcept {
    const auto high = [&](const rate_trials& t) {
      return t.trials > 0 ? live::exact_high(t.hits, t.trials, error) : 1;
    };
    const double a = high(counted), b = high(summed);
    return a >= b ? others_rate{rate_of(counted), a} : others_rate{rate_of(summed), b};
  }
};

}  // namespace

std::size_t find_outliers(std::span<const lookup_counts> rows,
                          const outlier_limits& limits,
                          std::span<tenant_alarm> out) noexcept {
  pool all;
  for (const lookup_counts& row : rows) {
    const rate_trials t = trials_of(row);
    all.counts += row, all.hits += t.hits, all.trials += t.trials;
  }
  // Half of the probability for each of the two bounds, of each tenant.
  const double error = limits.false_alarm / (2 * static_cast<double>(rows.size()));
  const double known = limits.factor * limits.floor;
  std::size_t found = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const rate_trials t = trials_of(rows[i]);
    if (t.hits <= 0) continue;
    const auto is_chance = [&](double rate) {
      return t.hits / t.trials <= rate || live::at_least(t.hits, t.trials, rate) >= error;
    };
    // At the rate of the others first: their upper bound costs more, and is above it.
    const other_tenants others(all, rows[i], t);
    if (is_chance(std::max(others.rate(), known))) continue;
    const others_rate bound = others.bound(error);
    if (is_chance(std::max(bound.high, known))) continue;
    if (found < out.size())
      out[found] = {static_cast<unsigned>(i), t.hits / t.trials,
                    rate_interval{live::exact_low(t.hits, t.trials, error),
                                  live::exact_high(t.hits, t.trials, error)},
                    bound.rate, bound.high};
    ++found;
  }
  return found;
}

result<tenant_rates> tenant_rates::make(unsigned tenants, unsigned threads) noexcept {
  if (tenants == 0 || tenants > max_tenants)
    return error{errc::invalid_argument, "the number of tenants must be 1 to 4096", 0,
                 static_cast<double>(tenants), max_tenants};
  if (threads > this_platform::max_thread_numbers)
    return error{errc::invalid_argument, "no more than 4096 threads have numbers", 0,
                 static_cast<double>(threads), this_platform::max_thread_numbers};
  auto store = pages::make((std::size_t{threads} + 1) * stride(tenants));
  if (!store) return store.error();
  tenant_rates made(*std::move(store), tenants, threads);
  for (unsigned t = 0; t <= threads; ++t) new (made.rows_of(t)) row[tenants];
  return made;
}

lookup_counts tenant_rates::counts(unsigned tenant) const noexcept {
  assert(tenant < tenants_);
  lookup_counts sum;
  for (unsigned t = 0; t <= threads_; ++t) {
    const row& r = rows_of(t)[tenant];
    const auto read = [&](row::number what) {
      return r.numbers[what].load(std::memory_order_relaxed);
    };
    sum += {read(row::negatives), read(row::maybes), read(row::confirmed_present),
            read(row::confirmed_absent)};
  }
  return sum;
}

void tenant_rates::counts(std::span<lookup_counts> out) const noexcept {
  detail::require(out.size() == tenants_,
                  "there must be exactly as many rows as tenants");
  for (unsigned i = 0; i < tenants_; ++i) out[i] = counts(i);
}

}  // namespace bloomery::inline v1
