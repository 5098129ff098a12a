// One budget for several filters, by a Lagrange multiplier: the price of a bit, for which
// every filter chooses its own best size alone.  The price at which all choices together
// cost the budget is searched by bisection.
//
// Curves need not be convex.  Where a filter's best size jumps at the final price, it
// takes the larger one if that still fits; what is left then goes where it gains most.
#include <algorithm>
#include <array>
#include <cmath>

#include <bloomery/model.hpp>

namespace bloomery::inline v1 {
namespace model {
namespace {

constexpr double step = 1.0 / double{rate_curve::steps_per_bit};

// Wasted reads plus the price of its bits.
double cost(const budget_filter& f, double fpr, double bits, double price) noexcept {
  return f.lookups * fpr + price * f.keys * bits;
}

// The bits per key that cost least at this price; of equals the fewest.
double best_bits(const budget_filter& f, double price) noexcept {
  const auto& rates = f.curve->fpr;
  double best = 0, least = cost(f, rates[0], 0, price);
  const auto consider = [&](double fpr, double bits) noexcept {
    const double c = cost(f, fpr, bits, price);
    if (!(c < least)) return;
    least = c;
    best = bits;
  };
  for (std::size_t i = 1; i < rates.size(); ++i) {
    const double at = static_cast<double>(i) * step;
    consider(rates[i], at);
    if (!(rates[i] > 0 && rates[i] < rates[i - 1])) continue;
    // Inside the step the rate is rates[i - 1] * exp(-fall * bits): where its slope is
    // the price.
    const double fall = std::log(rates[i - 1] / rates[i]) / step;
    const double fpr = price * f.keys / (f.lookups * fall);
    if (fpr > rates[i] && fpr < rates[i - 1])
      consider(fpr, at - std::log(fpr / rates[i]) / fall);
  }
  return best;
}

double bits_at(std::span<const budget_filter> filters, double price) noexcept {
  double all = 0;
  for (const budget_filter& f : filters) all += f.keys * best_bits(f, price);
  return all;
}

bool is_amount(double x) noexcept { return std::isfinite(x) && x >= 0; }

result<void> check(std::span<const budget_filter> filters, double bits) noexcept {
  if (!is_amount(bits))
    return error{errc::invalid_argument, "a budget is a number of bits", 0, bits};
  for (const budget_filter& f : filters) {
    if (!is_amount(f.keys) || !is_amount(f.lookups))
      return error{errc::invalid_argument,
                   "keys and lookups of a filter are finite and not negative", 0,
                   is_amount(f.keys) ? f.lookups : f.keys};
    if (f.curve == nullptr)
      return error{errc::invalid_argument, "a filter without a curve of rates"};
    for (const double fpr : f.curve->fpr)
      if (!(fpr >= 0 && fpr <= 1))
        return error{errc::invalid_argument, "a rate lies between 0 and 1", 0, fpr};
  }
  return {};
}

// Gives what is left to the filter that gains most by it; false if none does.
bool spend(std::span<const budget_filter> filters, double left,
           std::span<double> bits_per_key, double& spent) noexcept {
  double most = 0, more = 0;
  std::size_t where = 0;
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const budget_filter& f = filters[i];
    if (!(f.keys > 0)) continue;
    const double fits =
        std::min(bits_per_key[i] + left / f.keys, double{rate_curve::max_bits});
    const double gain = f.lookups * (f.curve->at(bits_per_key[i]) - f.curve->at(fits));
    if (gain <= most) continue;
    most = gain;
    more = fits;
    where = i;
  }
  if (!(most > 0)) return false;
  spent += filters[where].keys * (more - bits_per_key[where]);
  bits_per_key[where] = more;
  return true;
}

void spend_all(std::span<const budget_filter> filters, double bits,
               std::span<double> bits_per_key, double& spent) noexcept {
  for (int i = 0; i < 16; ++i)
    if (!spend(filters, bits - spent, bits_per_key, spent)) return;
}

// Takes from each filter the bits that do not lower its rate: curves have steps.
void trim(std::span<const budget_filter> filters, std::span<double> bits_per_key,
          double& spent) noexcept {
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const rate_curve& curve = *filters[i].curve;
    auto at = static_cast<std::size_t>(std::ceil(bits_per_key[i] / step));
    const double fpr = curve.at(bits_per_key[i]);
    while (at > 0 && curve.fpr[at - 1] <= fpr) --at;
    const double enough = std::min(bits_per_key[i], static_cast<double>(at) * step);
    spent -= filters[i].keys * (bits_per_key[i] - enough);
    bits_per_key[i] = enough;
  }
}

double waste(std::span<const budget_filter> filters,
             std::span<const double> bits_per_key) noexcept {
  double all = 0;
  for (std::size_t i = 0; i < filters.size(); ++i)
    all += filters[i].lookups * filters[i].curve->at(bits_per_key[i]);
  return all;
}

constexpr std::size_t exchanged = 32;  // filters, at most: the square of them is tried

// Where curves have steps, no price spends the whole budget well: every filter is tried a
// few bits smaller, and the others get what that frees.
void exchange(std::span<const budget_filter> filters, double bits,
              std::span<double> bits_per_key, double& spent) noexcept {
  std::array<double, exchanged> tried;
  const auto trial = std::span(tried).first(filters.size());
  bool better = true;
  for (int round = 0; better && round < 8; ++round) {
    better = false;
    for (std::size_t i = 0; i < filters.size(); ++i)
      for (double less = step; less <= 4 && less <= bits_per_key[i]; less += step) {
        std::ranges::copy(bits_per_key, trial.begin());
        trial[i] -= less;
        double all = spent - filters[i].keys * less;
        trim(filters, trial, all);
        spend_all(filters, bits, trial, all);
        if (!(waste(filters, trial) < waste(filters, bits_per_key) * (1 - 1e-9)))
          continue;
        std::ranges::copy(trial, bits_per_key.begin());
        spent = all;
        better = true;
      }
  }
}

}  // namespace

double rate_curve::at(double bits_per_key) const noexcept {
  const double place = std::clamp(bits_per_key, 0.0, double{max_bits}) / step;
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= fpr.size()) return fpr.back();
  const double part = place - static_cast<double>(below);
  if (!(fpr[below] > 0 && fpr[below + 1] > 0)) return fpr[part < 1 ? below : below + 1];
  return fpr[below] * std::pow(fpr[below + 1] / fpr[below], part);
}

result<budget_plan> budget(std::span<const budget_filter> filters, double bits,
                           std::span<double> bits_per_key) noexcept {
  if (const auto ok = check(filters, bits); !ok) return ok.error();
  if (filters.size() != bits_per_key.size())
    return error{errc::invalid_argument, "a number of answers for each filter", 0,
                 static_cast<double>(bits_per_key.size()),
                 static_cast<double>(filters.size())};
  // Logarithms of prices: at the first no bit is worth it, at the second all are.
  double dear = 64, cheap = -1000;
  for (const budget_filter& f : filters)
    if (f.lookups > 0) dear = std::max(dear, std::log(f.lookups) + 64);
  if (bits_at(filters, std::exp(cheap)) <= bits) {
    dear = cheap;
  } else {
    for (int i = 0; i < 100 && dear - cheap > 1e-12; ++i) {
      const double middle = (dear + cheap) / 2;
      (bits_at(filters, std::exp(middle)) <= bits ? dear : cheap) = middle;
    }
  }
  budget_plan plan{0, 0};
  for (std::size_t i = 0; i < filters.size(); ++i) {
    bits_per_key[i] = best_bits(filters[i], std::exp(dear));
    plan.bits += filters[i].keys * bits_per_key[i];
  }
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const budget_filter& f = filters[i];
    const double more = best_bits(f, std::exp(cheap));
    const double all = plan.bits + f.keys * (more - bits_per_key[i]);
    if (more > bits_per_key[i] && all <= bits) {
      plan.bits = all;
      bits_per_key[i] = more;
    }
  }
  trim(filters, bits_per_key, plan.bits);
  spend_all(filters, bits, bits_per_key, plan.bits);
  if (filters.size() <= exchanged) exchange(filters, bits, bits_per_key, plan.bits);
  plan.wasted_reads = waste(filters, bits_per_key);
  return plan;
}

}  // namespace model
}  // namespace bloomery::inline v1
