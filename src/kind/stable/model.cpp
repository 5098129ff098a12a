// Stable filters: what they forget, and the rate they settle at.  docs/model.md.
#include <bloomery/model.hpp>

#include <algorithm>
#include <cmath>

namespace bloomery::inline v1 {
namespace model {
namespace {

// Probabilities that one insert of another key sets a cell, or decreases it without.
struct cell_events {
  double set, decreased;
  double any() const noexcept { return set + decreased; }
  double share_decreased() const noexcept { return decreased / any(); }
};

cell_events events_of(const stable_shape& s) noexcept {
  const double m = static_cast<double>(s.cells);
  const double set = s.cells == 1 ? 1 : -std::expm1(s.hashes * std::log1p(-1 / m));
  return {set, s.steps() / m * (1 - set)};
}

// Pr[Binomial(n, p) = j] for a few j: n may be 10^15.  REQUIRES: 0 < p < 1, j <= n
double binomial_at(double n, double p, unsigned j) noexcept {
  double log = j * std::log(p) + (n - j) * std::log1p(-p);
  for (unsigned i = 0; i < j; ++i) log += std::log((n - i) / (i + 1));
  return std::exp(log);
}

// Pr[Binomial(n, p) >= least], for small `least`: the shorter side is added up, so that
// small probabilities keep their digits.
double binomial_from(double n, double p, unsigned least) noexcept {
  if (least == 0) return 1;
  if (n < least || p <= 0) return 0;
  if (p >= 1) return 1;
  const double odds = p / (1 - p);
  if (n * p < least) {
    double term = binomial_at(n, p, least), sum = 0;
    for (double j = least; j <= n && term > sum * 1e-17; ++j) {
      sum += term;
      term *= odds * (n - j) / (j + 1);
    }
    return std::min(sum, 1.0);
  }
  double below = 0;
  for (unsigned j = 0; j < least; ++j) below += binomial_at(n, p, j);
  return std::clamp(1 - below, 0.0, 1.0);
}

double all_of(double share, std::uint32_t hashes) noexcept {
  return std::pow(share, static_cast<double>(hashes));
}

}  // namespace

double stable_zeros(const stable_shape& s) noexcept {
  return std::pow(events_of(s).share_decreased(), static_cast<double>(s.max));
}

double stable_fpr(const stable_shape& s) noexcept {
  return all_of(1 - stable_zeros(s), s.hashes);
}

double stable_forgetting(const stable_shape& s, double gap) noexcept {
  const double zero =
      stable_zeros(s) * binomial_from(std::floor(gap), events_of(s).any(), s.max);
  return -std::expm1(s.hashes * std::log1p(-zero));
}

double stable_fpr_after(const stable_shape& s, double inserts) noexcept {
  const cell_events e = events_of(s);
  double nonzero = 0, decreased = 1;  // the last j events were decreases
  for (unsigned j = 0; j < s.max; ++j, decreased *= e.share_decreased())
    nonzero +=
        binomial_from(std::floor(inserts), e.any(), j + 1) * decreased * e.set / e.any();
  return all_of(std::min(nonzero, 1.0), s.hashes);
}

}  // namespace model
}  // namespace bloomery::inline v1
