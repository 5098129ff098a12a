// Law: whatever is done with receipts, a key that was inserted and not erased is found.
// Random inserts, erases, replays, receipts of other filters, doublings, merges, saves
// and losses of what was not saved, against an exact multiset.
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/any_filter.hpp>
#include <bloomery/container.hpp>

#include "all_filters.hpp"
#include "cases.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

using stored_receipt = std::array<std::byte, receipt::size_in_bytes>;

// What a program around a filter has: the filter, what it stored, and what it knows.
struct service {
  any_filter filter;
  std::map<std::uint64_t, std::uint64_t> copies;  // by the bits of the key
  std::vector<stored_receipt> open;               // numbered, not used
  std::vector<stored_receipt> used;

  service copy() const { return {must(filter.clone()), copies, open, used}; }
};

pages bytes_of(const any_filter& f) {
  return f.visit([](const auto& own) { return must(own.encode()); });
}

class history {
 public:
  history(std::uint64_t seed, any_filter first, any_filter other)
      : random_(seed),
        now_{std::move(first), {}, {}, {}},
        saved_(now_.copy()),
        other_(std::move(other)) {
    for (int i = 0; i < 50; ++i)
      foreign_.push_back(
          must(other_.try_insert_with_numbered_receipt(any_key())).bytes());
    for (int i = 0; i < 50; ++i)
      foreign_.push_back(must(other_.try_insert_with_receipt(any_key())).bytes());
  }

  void step() {
    switch (random_() % 32) {
      default:
        return insert();
      case 20:
      case 21:
      case 22:
      case 23:
      case 24:
      case 25:
        return erase();
      case 26:
      case 27:
        return replay();
      case 28:
        return use_foreign();
      case 29:
        return grow();
      case 30:
        return merge();
      case 31:
        return random_() % 2 == 0 ? save() : crash();
    }
  }

  void check() const {
    for (const auto& [bits, n] : now_.copies)
      ASSERT_TRUE(n == 0 || now_.filter.may_contain(key::from_bits(bits))) << bits;
  }

 private:
  key any_key() { return key::from_bits(random_()); }

  template <class T>
  T take(std::vector<T>& from) {
    std::swap(from[random_() % from.size()], from.back());
    T taken = from.back();
    from.pop_back();
    return taken;
  }

  void insert() {
    const key k = any_key();
    auto in = now_.filter.try_insert_with_numbered_receipt(k);
    if (!in) return;  // full, or too many copies of its fingerprint
    ++now_.copies[k.bits()];
    now_.open.push_back(in->bytes());
  }
  void erase() {
    if (now_.open.empty()) return;
    const stored_receipt stored = take(now_.open);
    receipt r = receipt::from_bytes(stored);
    const key k = must(r.key_for(now_.filter.hasher(), scope_of(now_.filter)));
    must(now_.filter.erase(std::move(r)));
    --now_.copies[k.bits()];
    now_.used.push_back(stored);
  }
  void replay() {
    if (now_.used.empty()) return;
    const auto done =
        now_.filter.erase(receipt::from_bytes(now_.used[random_() % now_.used.size()]));
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, errc::not_present);
  }
  void use_foreign() {
    const auto done =
        now_.filter.erase(receipt::from_bytes(foreign_[random_() % foreign_.size()]));
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, errc::incompatible);
  }
  void grow() {
    if (random_() % 20 == 0 && now_.filter.can(capability::grow))
      (void)now_.filter.grow();  // refused once there are no bits left
  }
  void merge() {
    if (random_() % 10 != 0 || !now_.filter.can(capability::merge)) return;
    any_filter one = must(now_.filter.empty_like());
    const key k = any_key();
    must(one.try_insert(k));
    if (now_.filter.merge(one)) ++now_.copies[k.bits()];
  }
  void save() {
    saved_ = service{must(decode_any(bytes_of(now_.filter).bytes())), now_.copies,
                     now_.open, now_.used};
    EXPECT_TRUE(saved_.filter == now_.filter);
    now_ = saved_.copy();
  }
  // What was not saved is gone, receipts included.
  void crash() { now_ = saved_.copy(); }

  static std::uint64_t scope_of(const any_filter& f) {
    return f.visit([]<class F>(const F& own) -> std::uint64_t {
      if constexpr (keeps_receipts<F>)
        return own.receipt_scope();
      else
        return 0;
    });
  }

  std::mt19937_64 random_;
  service now_, saved_;
  any_filter other_;  // of the same layout and hasher
  std::vector<stored_receipt> foreign_;
};

template <class F>
class ReceiptsLoseNoKey : public ::testing::Test {};
TYPED_TEST_SUITE(ReceiptsLoseNoKey, stored_filters, filter_names);

TYPED_TEST(ReceiptsLoseNoKey, AmongRandomOperations) {
  if constexpr (!keeps_receipts<TypeParam>) {
    GTEST_SKIP();
  } else {
    constexpr std::uint64_t histories = 20, steps = 2000;
    for (std::uint64_t seed = 1; seed <= histories; ++seed) {
      SCOPED_TRACE(seed);
      // A high rate: a receipt that is used twice then finds another key's fingerprint.
      history h(seed, recipe<TypeParam>::empty(1500, 0.1),
                recipe<TypeParam>::empty(1500, 0.1));
      for (std::uint64_t i = 0; i < steps; ++i) {
        h.step();
        if (i % 50 == 0) h.check();
        if (this->HasFatalFailure()) return;
      }
      h.check();
    }
    count_cases("operations", histories * steps);
  }
}

// More separate numbers than the record has room for: some expire, no key is lost.
TYPED_TEST(ReceiptsLoseNoKey, WhereTheRecordIsFull) {
  if constexpr (!keeps_receipts<TypeParam>) {
    GTEST_SKIP();
  } else {
    constexpr std::size_t n = 4 * receipt_ledger::max_ranges;
    auto f = recipe<TypeParam>::empty(n, 0.01);
    const auto ks = keys(7, n);
    std::vector<stored_receipt> all;
    for (const key k : ks)
      all.push_back(must(f.try_insert_with_numbered_receipt(k)).bytes());
    std::size_t erased = 0, refused = 0;
    std::vector<bool> gone(n);
    for (std::size_t i = 0; i < n; i += 2) {
      const auto done = f.erase(receipt::from_bytes(all[i]));
      erased += gone[i] = done.has_value();
      refused += !done;
    }
    EXPECT_EQ(erased + refused, n / 2);
    EXPECT_EQ(f.receipts().used().size(), receipt_ledger::max_ranges);
    EXPECT_GT(f.receipts().expired(), 0u);
    const auto again = must(TypeParam::decode(must(f.encode()).bytes()));
    EXPECT_TRUE(again == f);
    for (const stored_receipt& r : all)
      if (auto done = f.erase(receipt::from_bytes(r)); done) ++erased;
    EXPECT_LE(erased, n);
    count_cases("operations", 2 * n);
    // A key whose receipt expired stays.
    for (std::size_t i = 0; i < n; ++i) {
      const auto state = again.state_of(receipt::from_bytes(all[i]));
      EXPECT_TRUE(gone[i] || state != receipt_state::used || f.may_contain(ks[i])) << i;
    }
  }
}

}  // namespace
}  // namespace bloomery::testing
