// Filters that erase keys, beside several writers: what their headers promise.
//
// Threads insert and erase keys at random and keep account of what they did; at the end
// the filter has every key as often as the accounts say.  docs/interleave.md has the
// proofs; here the real code runs on real cores.
#include <bloomery/concurrent.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "cases.hpp"
#include "crew.hpp"
#include "erasing_shapes.hpp"
#include "full.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

constexpr std::size_t writers = 4;

// What is counted exactly: tags in slots, or copies in runs.
template <class F>
concept counts_slots = requires(const F& f) {
  f.occupied();
};
template <class F>
concept has_census = requires(const F& f) {
  f.census().copies;
};

template <class C>
class Erasing : public ::testing::Test {};
TYPED_TEST_SUITE(Erasing, erasing_filters);

// Each thread has keys of its own, and knows at every moment which of them are in.  All
// writers' keys share buckets and cells.
TYPED_TEST(Erasing, AHistoryOfSeveralThreads) {
  constexpr std::size_t n = 2000;  // keys of a thread
  constexpr std::size_t steps = 60'000 / fewer;
  for (auto& plain : erasing_shapes<TypeParam>::all(writers * n)) {
    auto f = must(TypeParam::adopt(std::move(plain)));
    std::array<std::vector<key>, writers> ks;
    std::array<std::vector<unsigned>, writers> in;
    std::array<std::vector<std::vector<receipt>>, writers> receipts;
    for (std::size_t t = 0; t < writers; ++t) {
      ks[t] = keys(1000 + t, n);
      in[t].assign(n, 0);
      receipts[t].resize(n);
    }
    std::atomic<std::size_t> denied = 0, not_erased = 0, refused = 0;
    with_threads(writers, [&](std::size_t t) {
      random r(77 + t);
      for (std::size_t i = 0; i < steps; ++i) {
        const std::size_t j = r.below(n);
        const key k = ks[t][j];
        if (in[t][j] != 0 && !f.may_contain(k)) ++denied;
        if (in[t][j] < 2 && r.below(2) == 0) {
          if (r.below(2) == 0) {
            auto given = f.try_insert_with_receipt(k);
            refused += !given;
            if (!given) continue;
            receipts[t][j].push_back(*std::move(given));
          } else if (!f.try_insert(k)) {
            ++refused;
            continue;
          }
          ++in[t][j];
          if (!f.may_contain(k)) ++denied;
        } else if (in[t][j] != 0) {
          auto& mine = receipts[t][j];
          const bool by_receipt = !mine.empty();
          const auto erased =
              by_receipt ? f.erase(std::move(mine.back())) : f.erase_present(k);
          if (by_receipt) mine.pop_back();
          not_erased += !erased;
          --in[t][j];
        }
      }
    });
    EXPECT_EQ(denied, 0u);
    EXPECT_EQ(not_erased, 0u);
    std::uint64_t tags = 0;
    for (std::size_t t = 0; t < writers; ++t)
      for (std::size_t j = 0; j < n; ++j) {
        ASSERT_GE(f.count(ks[t][j]), in[t][j]);
        if (in[t][j] != 0) {
          ASSERT_TRUE(f.may_contain(ks[t][j]));
        }
        tags += in[t][j];
      }
    const auto released = std::move(f).release();
    if constexpr (counts_slots<decltype(released)>) {
      EXPECT_EQ(released.occupied(), tags) << released.tag_bits();
    } else if constexpr (has_census<decltype(released)>) {
      EXPECT_EQ(released.census().copies, tags) << released.remainder_bits();
      EXPECT_TRUE(released.is_well_formed());
    }
    // Everything erased: empty again, but for cells that got stuck.
    auto rest = must(TypeParam::adopt(must(released.clone())));
    with_threads(writers, [&](std::size_t t) {
      for (std::size_t j = 0; j < n; ++j)
        for (unsigned c = 0; c < in[t][j]; ++c)
          not_erased += !rest.erase_present(ks[t][j]);
    });
    EXPECT_EQ(not_erased, 0u);
    if constexpr (counts_slots<decltype(released)>) {
      EXPECT_EQ(rest.occupied(), 0u);
    } else if constexpr (has_census<decltype(released)>) {
      // The snapshot has the receipts of `rest`, the new filter none.
      EXPECT_TRUE(std::ranges::equal(must(rest.snapshot()).bytes(),
                                     must(released.empty_like()).bytes()));
    } else if (rest.stuck_cells() == 0) {
      EXPECT_EQ(rest.fill(), 0.0);
    }
    count_cases("operations", writers * steps);
  }
}

// One thread: the bytes of the plain filter, after any history.
TYPED_TEST(Erasing, OneThreadMakesThePlainFilter) {
  for (auto& made : erasing_shapes<TypeParam>::all(1000)) {
    auto plain = must(made.clone());
    auto f = must(TypeParam::adopt(std::move(made)));
    const auto ks = keys(5, 600);
    random r(5);
    std::vector<unsigned> in(ks.size());
    for (int i = 0; i < 20'000; ++i) {
      const std::size_t j = r.below(ks.size());
      if (r.below(3) != 0 && in[j] < 2) {
        const bool a = plain.try_insert(ks[j]).has_value();
        ASSERT_EQ(a, f.try_insert(ks[j]).has_value());
        in[j] += a;
      } else if (in[j] != 0) {
        must(plain.erase_present(ks[j]));
        must(f.erase_present(ks[j]));
        --in[j];
      }
      if (i % 1000 == 0) {
        EXPECT_TRUE(must(f.snapshot()) == plain);
      }
    }
    const auto more = keys(6, 50);
    EXPECT_EQ(plain.try_insert(std::span<const key>(more)),
              f.try_insert(std::span<const key>(more)));
    const auto answers = std::make_unique<bool[]>(ks.size());
    f.may_contain(std::span<const key>(ks), std::span(answers.get(), ks.size()));
    for (std::size_t j = 0; j < ks.size(); ++j) {
      ASSERT_EQ(answers[j], plain.may_contain(ks[j]));
      ASSERT_EQ(f.may_contain(ks[j]), plain.may_contain(ks[j]));
      ASSERT_EQ(f.count(ks[j]), plain.count(ks[j]));
    }
    EXPECT_EQ(f.fill(), plain.fill());
    EXPECT_EQ(f.realised_fpr(), plain.realised_fpr());
    EXPECT_TRUE(must(f.snapshot()) == plain);
    EXPECT_TRUE(std::move(f).release() == plain);
  }
}

// Each thread finds, at once, what another had put in before it said so; other writers
// fill and empty the filter around it, so that tags move all the time.
TYPED_TEST(Erasing, WhatHappensBeforeIsFound) {
  constexpr std::size_t n = 4000, rounds = 40'000 / fewer;
  for (auto& plain : erasing_shapes<TypeParam>::all(2 * n)) {
    auto f = must(TypeParam::adopt(std::move(plain)));
    const auto kept = keys(1, n), moving = keys(2, n);
    std::atomic<std::size_t> said = 0, denied = 0, lost = 0;
    std::atomic<bool> done = false;
    std::atomic<std::uint64_t> snapshots = 0;
    with_threads(writers, [&](std::size_t t) {
      if (t == 0) {
        for (std::size_t i = 0; i < n; ++i) {
          while (!f.try_insert(kept[i])) {
          }
          said.store(i + 1, std::memory_order_release);
        }
      } else if (t == 1) {
        random r(9);
        std::vector<bool> in(n);
        for (std::size_t i = 0; i < rounds; ++i) {
          const std::size_t j = r.below(n);
          if (in[j])
            in[j] = !f.erase_present(moving[j]).has_value();
          else
            in[j] = f.try_insert(moving[j]).has_value();
        }
        done = true;
      } else {
        random r(t);
        while (!done) {
          const std::size_t sure = said.load(std::memory_order_acquire);
          if (sure == 0) continue;
          for (int i = 0; i < 200; ++i) denied += !f.may_contain(kept[r.below(sure)]);
          if (t == 3) {
            const auto copy = must(f.snapshot());
            for (std::size_t i = 0; i < sure; ++i) lost += !copy.may_contain(kept[i]);
            ++snapshots;
          }
        }
      }
    });
    EXPECT_EQ(denied, 0u);
    EXPECT_EQ(lost, 0u);
    count_cases("snapshots", snapshots);
  }
}

// Full: refused, and what was in stays in.
TEST(ErasingCuckoo, FullFromSeveralThreads) {
  auto f = must(concurrent<cuckoo>::adopt(must(cuckoo::make(cuckoo_layout{256, 12}))));
  std::array<std::vector<key>, writers> in;
  std::array<std::size_t, writers> refused{};
  with_threads(writers, [&](std::size_t t) {
    for (const key k : keys(40 + t, 400)) {
      const auto ok = f.try_insert(k);
      if (ok)
        in[t].push_back(k);
      else if (ok.error().code == errc::full)
        ++refused[t];
    }
  });
  std::size_t all = 0;
  for (std::size_t t = 0; t < writers; ++t) {
    all += in[t].size();
    EXPECT_EQ(in[t].size() + refused[t], 400u);
    for (const key k : in[t]) ASSERT_TRUE(f.may_contain(k));
  }
  EXPECT_EQ(f.occupied(), all);
  EXPECT_GT(all, 256 * 4 * 95 / 100);
}

TEST(ErasingCuckoo, NoMoreThanEightCopies) {
  auto f = must(concurrent<cuckoo>::make({.keys = 1000}));
  const key k = keys(1, 1)[0];
  std::atomic<unsigned> in = 0;
  with_threads(writers, [&](std::size_t) {
    for (int i = 0; i < 4; ++i) in += f.try_insert(k).has_value();
  });
  EXPECT_EQ(in, 8u);
  EXPECT_EQ(f.count(k), 8u);
  EXPECT_EQ(f.try_insert(k).error().code, errc::too_many_copies);
  std::atomic<unsigned> out = 0;
  with_threads(writers, [&](std::size_t) {
    for (int i = 0; i < 4; ++i) out += f.erase_present(k).has_value();
  });
  EXPECT_EQ(out, 8u);
  EXPECT_EQ(f.erase_present(k).error().code, errc::not_present);
  EXPECT_EQ(f.occupied(), 0u);
}

TYPED_TEST(Erasing, ReceiptsAreThoseOfThePlainFilter) {
  auto f = must(TypeParam::make({.keys = 100, .identity = 5}));
  auto other = must(TypeParam::make({.keys = 100, .identity = 6}));
  auto r = must(f.try_insert_with_receipt("alice"));
  EXPECT_EQ(other.erase(std::move(r)).error().code, errc::incompatible);
  auto copy = must(f.snapshot());
  auto again = receipt::from_bytes(r.bytes());
  must(copy.erase(std::move(again)));
  must(f.erase(std::move(r)));
  EXPECT_TRUE(r.empty());
  EXPECT_FALSE(f.may_contain("alice"));
}

}  // namespace
}  // namespace bloomery::testing
