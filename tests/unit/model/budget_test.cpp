// One budget for several filters, against brute force, closed forms and real filters.
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/any_filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/kinds.hpp>
#include <bloomery/model.hpp>

#include "cases.hpp"
#include "must.hpp"
#include "not_finite.hpp"

namespace bloomery {
namespace {

using model::budget;
using model::budget_filter;
using model::budget_plan;
using model::rate_curve;
using testing::must;

rate_curve ideal() {
  return rate_curve::of([](double b) { return std::exp(-b * 0.480453); });
}

// The least waste over all sizes of whole steps; filters one after the other.
double brute_force(const std::vector<budget_filter>& filters, double bits,
                   std::size_t at = 0) {
  if (at == filters.size()) return 0;
  const budget_filter& f = filters[at];
  double least = HUGE_VAL;
  for (double b = 0; b <= 16 && f.keys * b <= bits; b += 0.5) {
    const double rest = brute_force(filters, bits - f.keys * b, at + 1);
    least = std::min(least, f.lookups * f.curve->at(b) + rest);
  }
  return least;
}

TEST(Budget, IsNoWorseThanBruteForce) {
  std::vector<rate_curve> curves{ideal()};
  for (const kind_info& kind : kinds())
    if (kind.facts.name == std::string_view("block") ||
        kind.facts.name == std::string_view("ribbon") ||
        kind.facts.name == std::string_view("fuse"))
      curves.push_back(rate_curve_of(kind, 100'000));
  ASSERT_EQ(curves.size(), 4u);
  std::uint64_t tried = 0;
  for (std::size_t c = 0; c < 5; ++c)  // the last: a curve for each filter
    for (const double lookups : {1.0, 0.25})
      for (const double average : {0.5, 2.0, 5.0, 10.0}) {
        std::vector<budget_filter> filters;
        double keys = 0;
        for (const double n : {1'000.0, 10'000.0, 100'000.0}) {
          const auto& curve = curves[c < 4 ? c : filters.size() + 1];
          filters.push_back({n, filters.size() == 1 ? lookups : 1, &curve});
          keys += n;
        }
        std::vector<double> bits(3);
        const budget_plan plan = must(budget(filters, average * keys, bits));
        EXPECT_LE(plan.bits, average * keys * (1 + 1e-12));
        double wasted = 0, used = 0;
        for (std::size_t i = 0; i < 3; ++i) {
          wasted += filters[i].lookups * filters[i].curve->at(bits[i]);
          used += filters[i].keys * bits[i];
        }
        EXPECT_DOUBLE_EQ(wasted, plan.wasted_reads);
        EXPECT_NEAR(used, plan.bits, 1e-6 * used);
        const double bound = c < 3 ? 1.01 : 1.05;  // fuse, and all three: steps
        EXPECT_LE(plan.wasted_reads, bound * brute_force(filters, average * keys))
            << "curve " << c << ", " << average << " bits, " << lookups;
        ++tried;
      }
  testing::count_cases("budgets", tried);
}

// Monkey's closed form: with ideal filters the rates are proportional to keys / lookups.
TEST(Budget, OfIdealFiltersIsMonkeys) {
  const rate_curve curve = ideal();
  std::vector<budget_filter> filters;
  double keys = 0;
  for (const double n : {1e3, 1e4, 1e5, 1e6}) {
    filters.push_back({n, 1, &curve});
    keys += n;
  }
  std::vector<double> bits(4);
  const budget_plan plan = must(budget(filters, 10 * keys, bits));
  EXPECT_NEAR(plan.bits, 10 * keys, 1e-3 * keys);
  for (std::size_t i = 1; i < 4; ++i)
    EXPECT_NEAR(curve.at(bits[i]) / curve.at(bits[i - 1]), 10, 0.05) << i;
  // 64 % fewer wasted reads than 10 bits for every key.
  EXPECT_NEAR(1 - plan.wasted_reads / (4 * curve.at(10)), 0.64, 0.01);
}

TEST(Budget, GoesWhereTheLookupsAre) {
  const rate_curve curve = ideal();
  const budget_filter filters[] = {{1000, 0, &curve}, {1000, 3, &curve}};
  std::array<double, 2> bits;
  const budget_plan plan = must(budget(filters, 12'000, bits));
  EXPECT_EQ(bits[0], 0);  // nobody asks it
  EXPECT_NEAR(bits[1], 12, 1e-6);
  EXPECT_NEAR(plan.wasted_reads, 3 * curve.at(12), 1e-9);
}

TEST(Budget, AtItsEnds) {
  const rate_curve curve = ideal();
  const budget_filter filters[] = {{10, 1, &curve}, {1e9, 1, &curve}, {0, 1, &curve}};
  std::array<double, 3> bits;
  EXPECT_EQ(must(budget(filters, 0, bits)).bits, 0);
  EXPECT_EQ(bits[0], 0);
  EXPECT_EQ(bits[1], 0);
  EXPECT_EQ(bits[2], rate_curve::max_bits);  // without keys they cost nothing
  must(budget(filters, 1e15, bits));
  for (const double b : bits) EXPECT_EQ(b, rate_curve::max_bits);
  EXPECT_EQ(must(budget({}, 100, {})).wasted_reads, 0);
}

TEST(Budget, RefusesWhatIsNoBudget) {
  const rate_curve curve = ideal();
  rate_curve broken = ideal();
  broken.fpr[7] = testing::nan;
  std::array<double, 1> bits;
  const auto refused = [&](budget_filter f, double all) {
    const auto r = budget({&f, 1}, all, bits);
    return !r && r.error().code == errc::invalid_argument;
  };
  EXPECT_TRUE(refused({1, 1, nullptr}, 10));
  EXPECT_TRUE(refused({1, 1, &broken}, 10));
  for (const double x : {-1.0, testing::nan, testing::infinite}) {
    EXPECT_TRUE(refused({x, 1, &curve}, 10)) << x;
    EXPECT_TRUE(refused({1, x, &curve}, 10)) << x;
    EXPECT_TRUE(refused({1, 1, &curve}, x)) << x;
  }
}

// A tree of four levels that grow by 10, of real filters: what lookups of absent keys
// pass, level by level, against equal bits for all.
TEST(Budget, HalvesTheWastedReadsOfAMeasuredTree) {
  constexpr std::uint64_t sizes[] = {300, 3'000, 30'000, 300'000};
  constexpr std::uint64_t asked = 200'000;
  const hasher h = hasher::xxh3();
  for (const char* name : {"block", "ribbon"}) {
    const kind_info& kind = *find_kind(name);
    std::vector<rate_curve> curves;
    std::vector<budget_filter> filters;
    double all = 0;
    for (const std::uint64_t n : sizes) {
      curves.push_back(rate_curve_of(kind, n));
      all += static_cast<double>(n);
    }
    for (std::size_t i = 0; i < 4; ++i)
      filters.push_back({static_cast<double>(sizes[i]), 1, &curves[i]});
    std::vector<double> bits(4);
    const budget_plan plan = must(budget(filters, 10 * all, bits));
    double wasted[2] = {}, bytes[2] = {}, predicted = 0;
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      std::vector<key> keys;
      for (std::uint64_t j = 0; j < sizes[i]; ++j)
        keys.push_back(h.hash("key " + std::to_string(next++)));
      predicted += curves[i].at(10);
      for (const bool planned : {false, true}) {
        const double b = planned ? bits[i] : 10;
        size_request size;
        size.memory = static_cast<std::uint64_t>(b * filters[i].keys / 8);
        const any_filter f = must(kind.build(keys, sizes[i], size, h, 1));
        bytes[planned] += static_cast<double>(f.size_in_bytes());
        std::uint64_t passed = 0;
        for (std::uint64_t j = 0; j < asked; ++j)
          passed += f.may_contain(h.hash("absent " + std::to_string(j)));
        wasted[planned] += static_cast<double>(passed) / double{asked};
      }
    }
    EXPECT_LE(bytes[1], 10 * all / 8);
    EXPECT_LE(wasted[1], 0.5 * wasted[0]) << name;
    EXPECT_NEAR(wasted[1], plan.wasted_reads, 0.25 * plan.wasted_reads) << name;
    EXPECT_NEAR(wasted[0], predicted, 0.25 * predicted) << name;
    std::printf(
        "%s: %.1f %.1f %.1f %.1f bits per key; wasted reads per absent Get %.4f "
        "(predicted %.4f), equal bits %.4f (%.4f): %.0f %% fewer\n",
        name, bits[0], bits[1], bits[2], bits[3], wasted[1], plan.wasted_reads, wasted[0],
        predicted, 100 * (1 - wasted[1] / wasted[0]));
  }
}

}  // namespace
}  // namespace bloomery
