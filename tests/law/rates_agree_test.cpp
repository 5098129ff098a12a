// Law: the rate that a size promises is the one that the filter reports as its design,
// and the one that absent keys see when it is full.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/any_filter.hpp>
#include <bloomery/kinds.hpp>

#include "cases.hpp"
#include "full.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

constexpr std::uint64_t count = 20'000;

struct way {
  const char* name;
  size_request request;
};

// Prints the table of rates: kind, way of sizing, design, measured, difference in sigma.
class RatesAgree : public ::testing::TestWithParam<kind_info> {
 protected:
  // A chain that may grow to four times its keys, so that it can be filled.
  static std::vector<way> ways() {
    std::vector<way> all{{"rate", {}}, {"bits per key", {}}, {"memory", {}}};
    all[0].request.fpr = 0.02;
    all[1].request.bits_per_key = 12;
    all[2].request.memory = 40'000;
    for (way& w : all)
      for (const kind_option& o : GetParam().options)
        if (std::string_view(o.name) == "max_growth")
          must(set_option(w.request, o.name, 4.0));
    // Exactly the units that the rate needs, for kinds that are sized so.
    const kind_info& k = GetParam();
    const filter_size by_rate = must(k.size(count, all[0].request));
    way units{"units", all[0].request};
    units.request.exact = {by_rate.units, k.header(by_rate).hashes};
    for (const kind_option& o : k.options)
      if (std::string_view(o.name) == "profile")
        must(set_option(units.request, o.name, name_of(k.header(by_rate).profile)));
    if (const auto size = k.size(count, units.request))
      all.push_back(units);
    else
      EXPECT_TRUE(k.can.has(capability::build)) << size.error().what;
    return all;
  }
  static any_filter full(const size_request& r, std::uint64_t seed) {
    const kind_info& k = GetParam();
    const hasher h = k.facts.hasher();
    if (k.can.has(capability::build)) {
      auto ks = keys(seed, count);
      std::ranges::sort(ks, {}, &key::bits);
      return must(k.build(ks, count, r, h, 1));
    }
    auto f = must(k.make(count, r, h));
    // One that forgets has its highest rate after a few times its keys.
    const auto ks = keys(seed, std::min<std::uint64_t>(f.design_keys(), 20 * count));
    if (f.can(capability::insert))
      must(f.insert(std::span<const key>(ks)));
    else
      EXPECT_EQ(must(f.try_insert(std::span<const key>(ks))), ks.size());
    return f;
  }
  static double field(const any_filter& f) {
    return f.visit(
        [](const auto& native) { return must(read_field(native, "design_fpr")).real; });
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, RatesAgree,
                         ::testing::ValuesIn(kinds().begin(), kinds().end()),
                         [](const auto& info) {
                           std::string name = info.param.facts.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(RatesAgree, SizeDesignAndLookups) {
  const std::size_t filters = 8, trials = sanitized ? 20'000 : 200'000;
  const auto absent = keys(1, trials);
  const std::unique_ptr<bool[]> answers(new bool[trials]);
  for (const auto& [name, request] : ways()) {
    SCOPED_TRACE(name);
    const double promised = must(GetParam().size(count, request)).expected_fpr;
    EXPECT_GT(promised, 0);
    double sum = 0, squares = 0;
    for (std::uint64_t i = 0; i < filters; ++i) {
      const any_filter f = full(request, 100 + i);
      EXPECT_DOUBLE_EQ(f.design_fpr(), promised);
      EXPECT_DOUBLE_EQ(f.design_fpr(), f.expected_fpr(f.design_keys()));
      EXPECT_EQ(field(f), f.design_fpr());
      f.may_contain(absent, std::span(answers.get(), trials));
      const auto hits = std::count(answers.get(), answers.get() + trials, true);
      const double measured = static_cast<double>(hits) / static_cast<double>(trials);
      sum += measured;
      squares += measured * measured;
      count_cases("filters", 1);
    }
    const double mean = sum / filters;
    // The deviation of the mean: filters scatter about their design, and lookups about
    // the filters.
    const double spread =
        std::sqrt(std::max(0.0, squares / filters - mean * mean) / (filters - 1));
    const double by_lookups = std::sqrt(promised / static_cast<double>(filters * trials));
    EXPECT_NEAR(mean, promised, 3 * std::max(spread, by_lookups));
    std::printf("| %s | %s | %.3e | %.3e | %+.1f |\n", GetParam().facts.name, name,
                promised, mean, (mean - promised) / std::max(spread, by_lookups));
  }
}

// A filter that is only built, of no keys, passes none.
TEST_P(RatesAgree, EmptyOnesThatTakeNoKeys) {
  if (!GetParam().can.has(capability::build)) GTEST_SKIP();
  const auto f =
      must(GetParam().build({}, count, size_request{}, GetParam().facts.hasher(), 1));
  EXPECT_EQ(f.design_fpr(), 0);
  EXPECT_EQ(f.realised_fpr(), 0);
}

}  // namespace
}  // namespace bloomery::testing
