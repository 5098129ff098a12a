// Random inserts, erases, counts and lookups beside an exact multiset of fingerprints, at
// every load from 0 to 98 %, before and after the filter was doubled.
#include <bloomery/quotient.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
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

// The slots of `copies` copies of one fingerprint (spec/filters.md, 15.4).
std::uint64_t group_slots(std::uint64_t copies, std::uint32_t remainder_bits) {
  if (copies < 3) return copies;
  std::uint64_t slots = 4;
  for (std::uint64_t rest = (copies - 3) >> (remainder_bits - 1); rest != 0; ++slots)
    rest >>= remainder_bits - 1;
  return slots;
}

// A filter, and what must be in it.
class replayed_filter {
 public:
  explicit replayed_filter(const quotient_layout& l)
      : f_(must(quotient::make(l))), from_(l.quotients + l.remainder_bits) {}

  std::uint64_t operations() const { return operations_; }
  std::uint64_t refused() const { return refused_; }
  double load() const {
    return static_cast<double>(used_slots_) / static_cast<double>(f_.quotients());
  }

  // Up or down to this load, and then about it.
  void replay(double load, std::uint64_t operations) {
    const auto slots = static_cast<std::uint64_t>(load * double(f_.quotients()));
    // A tenth of a per cent, so that there is something to insert and to erase.
    const std::uint64_t low = slots - std::min(slots, 1 + f_.quotients() / 1000);
    bool rising = used_slots_ <= slots;
    for (std::uint64_t i = 0; i < operations; ++i) {
      switch (from_.below(4)) {
        case 0:
          look_up(f_.layout().fingerprint(key::from_bits(from_.next())));
          break;
        case 1:
          look_up(one_held());
          break;
        default:
          if (rising && !insert()) {
            ++refused_;
            rising = false;
          } else if (!rising) {
            erase();
          }
      }
      if (used_slots_ >= slots) rising = false;
      if (used_slots_ < low || held_.empty()) rising = true;
    }
    operations_ += operations;
  }

  // Everything: what is listed, and that nothing is lost.
  void check() {
    ASSERT_EQ(wrong_, 0u);
    ASSERT_TRUE(f_.is_well_formed());
    ASSERT_EQ(f_.census().used_slots, used_slots_);
    ASSERT_EQ(f_.census().copies, held_.size());
    std::size_t listed = 0;
    std::uint64_t least = 0;
    f_.for_each([&](std::uint64_t fingerprint, std::uint64_t count) {
      wrong_ += fingerprint < least || copies(fingerprint) != count;
      least = fingerprint + 1;
      ++listed;
    });
    ASSERT_EQ(listed, exact_.size());
    for (const auto& [fingerprint, count] : exact_)
      wrong_ += !f_.may_contain(f_.layout().key_of(fingerprint));
    ASSERT_EQ(wrong_, 0u);
  }

  void grow() {
    must(f_.grow());
    used_slots_ = 0;  // a digit of a count has one bit less
    for (const auto& [fingerprint, count] : exact_)
      used_slots_ += group_slots(count, f_.remainder_bits());
  }

  // The copies dealt out to eight filters, merged again: the filter itself, to the bit.
  void merge_eight() const {
    std::vector<quotient> parts;
    for (int i = 0; i < 8; ++i) parts.push_back(must(f_.empty_like()));
    for (std::size_t i = 0; i < held_.size(); ++i)
      must(parts[i % 8].try_insert(f_.layout().key_of(held_[i])));
    auto one_by_one = must(parts[0].clone());
    std::vector<const quotient*> others;
    for (std::size_t i = 1; i < 8; ++i) {
      others.push_back(&parts[i]);
      must(one_by_one.merge(parts[i]));
    }
    must(parts[0].merge(others));
    EXPECT_TRUE(parts[0] == f_);
    EXPECT_TRUE(one_by_one == f_);
  }

 private:
  std::uint64_t copies(std::uint64_t fingerprint) const {
    const auto at = exact_.find(fingerprint);
    return at == exact_.end() ? 0 : at->second;
  }
  std::uint64_t one_held() {
    return held_.empty() ? 0 : held_[from_.below(held_.size())];
  }

  void look_up(std::uint64_t fingerprint) {
    const key k = f_.layout().key_of(fingerprint);
    const std::uint64_t n = copies(fingerprint);
    wrong_ += f_.may_contain(k) != (n != 0);
    wrong_ += f_.count(k) != n;
  }

  // One of eight is a copy of what is there.
  bool insert() {
    const std::uint64_t fingerprint =
        from_.below(8) == 0 ? one_held()
                            : f_.layout().fingerprint(key::from_bits(from_.next()));
    const auto done = f_.try_insert(f_.layout().key_of(fingerprint));
    if (!done) {
      wrong_ += done.error().code != errc::full;
      return false;
    }
    change(fingerprint, 1);
    held_.push_back(fingerprint);
    return true;
  }

  void erase() {
    std::uint64_t& place = held_[from_.below(held_.size())];
    wrong_ += !f_.erase_present(f_.layout().key_of(place));
    change(place, -1);
    place = held_.back();
    held_.pop_back();
  }

  void change(std::uint64_t fingerprint, int by) {
    std::uint64_t& n = exact_[fingerprint];
    used_slots_ -= group_slots(n, f_.remainder_bits());
    n += static_cast<std::uint64_t>(by);
    used_slots_ += group_slots(n, f_.remainder_bits());
    if (n == 0) exact_.erase(fingerprint);
  }

  quotient f_;
  testing::random from_;
  std::unordered_map<std::uint64_t, std::uint64_t> exact_;
  std::vector<std::uint64_t> held_;  // one entry for each copy
  std::uint64_t used_slots_ = 0, operations_ = 0, refused_ = 0, wrong_ = 0;
};

struct totals {
  std::uint64_t operations = 0, loads = 0, doublings = 0, refused = 0;
};

// Up to 98 %, doubled, and up again, as long as there are bits, `doublings` times; then
// down to nothing.  So many operations for each per cent of the load.
void replay_every_load(const quotient_layout& l, unsigned doublings, std::uint64_t each,
                       totals& sum) {
  SCOPED_TRACE("r " + std::to_string(l.remainder_bits) + ", S " +
               std::to_string(l.quotients));
  replayed_filter f(l);
  const auto visit = [&](int percent) {
    f.replay(percent / 100.0, each);
    f.check();
    if (f.refused() == 0) {
      EXPECT_NEAR(f.load(), percent / 100.0, 0.005 + 8.0 / double(l.quotients));
    }
    ++sum.loads;
  };
  for (int percent = 0; percent <= 98 && !::testing::Test::HasFatalFailure(); ++percent) {
    visit(percent);
    if (percent < 98 || doublings == 0) continue;
    f.merge_eight();
    f.grow();
    f.check();
    --doublings;
    ++sum.doublings;
    percent = static_cast<int>(100 * f.load());
  }
  f.merge_eight();
  for (int percent = 98; percent >= 0 && !::testing::Test::HasFatalFailure();
       percent -= 7)
    visit(percent);
  sum.operations += f.operations();
  sum.refused += f.refused();
}

void report(const totals& sum) {
  testing::count_cases("operations", sum.operations);
  testing::count_cases("loads", sum.loads);
  std::printf("%llu operations, %llu loads, %llu doublings, %llu refused as full\n",
              static_cast<unsigned long long>(sum.operations),
              static_cast<unsigned long long>(sum.loads),
              static_cast<unsigned long long>(sum.doublings),
              static_cast<unsigned long long>(sum.refused));
}

TEST(QuotientReplay, EveryOperationAgreesWithTheMultiset) {
  totals sum;
  for (const std::uint32_t r : {2u, 4u, 7u, 12u}) {
    replay_every_load(quotient_layout_of(200, r), r == 2 ? 0 : 1, 1'000, sum);
    replay_every_load(quotient_layout_of(5000, r), 0, 2'000, sum);
  }
  replay_every_load(quotient_layout_of(1 << 14, 7), 1, 5'000, sum);
  report(sum);
}

TEST(QuotientReplayFull, AHundredMillionOperations) {
  BLOOMERY_FULL_ONLY();
  totals sum;
  for (const std::uint32_t r : {2u, 3u, 5u, 7u, 9u, 16u, 32u}) {
    replay_every_load(quotient_layout_of(1000, r), std::min(2u, r - 2), 30'000, sum);
    replay_every_load(quotient_layout_of(1 << 17, r), std::min(1u, r - 2), 70'000, sum);
  }
  report(sum);
  EXPECT_GE(sum.operations, 100'000'000u);
}

}  // namespace
}  // namespace bloomery
