// Random inserts, erases, counts and lookups beside an exact multiset of fingerprints.
#include <bloomery/quotient.hpp>

#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include "cases.hpp"
#include "full.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::must;

// Keys come from a small universe, so that copies and erases are frequent; the load goes
// up to `top`, down to half of it, and up again.
void replay(const quotient_layout& l, double top, std::uint64_t operations) {
  auto f = must(quotient::make(l));
  std::unordered_map<std::uint64_t, std::uint64_t> exact;
  std::vector<std::uint64_t> held;  // one entry for each copy
  testing::random from(l.quotients + l.remainder_bits);
  const auto most = static_cast<std::size_t>(top * static_cast<double>(l.quotients));
  bool rising = true;
  std::uint64_t wrong = 0;
  const auto expected = [&](std::uint64_t fingerprint) {
    const auto at = exact.find(fingerprint);
    return at == exact.end() ? 0 : at->second;
  };
  for (std::uint64_t i = 0; i < operations; ++i) {
    const key k = key::from_bits(from.next());
    const std::uint64_t fingerprint = l.fingerprint(k);
    switch (from.below(4)) {
      case 0:
        wrong += f.may_contain(k) != (expected(fingerprint) != 0);
        break;
      case 1: {
        const std::uint64_t mine =
            held.empty() ? fingerprint : held[from.below(held.size())];
        wrong += f.count(l.key_of(mine)) != expected(mine);
        wrong += f.may_contain(l.key_of(mine)) != (expected(mine) != 0);
        break;
      }
      default:
        if (rising) {
          const bool again = !held.empty() && from.below(8) == 0;
          const std::uint64_t in = again ? held[from.below(held.size())] : fingerprint;
          if (!f.try_insert(l.key_of(in))) {
            rising = false;
            break;
          }
          ++exact[in];
          held.push_back(in);
          rising = held.size() < most;
        } else {
          const std::size_t at = from.below(held.size());
          const std::uint64_t out = held[at];
          wrong += !f.erase_present(l.key_of(out));
          if (--exact[out] == 0) exact.erase(out);
          held[at] = held.back();
          held.pop_back();
          rising = held.size() < most / 2;
        }
    }
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_TRUE(f.is_well_formed());
  std::size_t seen = 0;
  f.for_each([&](std::uint64_t fingerprint, std::uint64_t count) {
    wrong += expected(fingerprint) != count;
    ++seen;
  });
  EXPECT_EQ(seen, exact.size());
  EXPECT_EQ(wrong, 0u);
}

TEST(QuotientReplay, EveryOperationAgreesWithTheMultiset) {
  for (const std::uint32_t r : {2u, 4u, 7u, 12u}) {
    replay(quotient_layout_of(200, r), 0.98, 100'000);
    replay(quotient_layout_of(5000, r), 0.95, 300'000);
  }
  replay(quotient_layout_of(1 << 16, 7), 0.95, 500'000);
}

TEST(QuotientReplayFull, AHundredMillionOperations) {
  BLOOMERY_FULL_ONLY();
  for (const std::uint32_t r : {2u, 7u, 9u, 16u}) {
    replay(quotient_layout_of(1000, r), 0.98, 5'000'000);
    replay(quotient_layout_of(1 << 18, r), 0.95, 20'000'000);
  }
}

}  // namespace
}  // namespace bloomery
