// Law: whatever is done with receipts, a key that was inserted and not erased is found.
// Random inserts, erases, replays, receipts of other filters, doublings, merges, saves
// and losses of what was not saved, against an exact multiset.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/any_filter.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/container.hpp>
#include <bloomery/snapshot.hpp>

#include "all_filters.hpp"
#include "cases.hpp"
#include "container_repair.hpp"
#include "must.hpp"
#include "temp_dir.hpp"
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
    if (random_() % 4 == 0) {  // an older copy, of the same identity: all its keys again
      if (now_.filter.merge(saved_.filter))
        for (const auto& [bits, n] : saved_.copies) now_.copies[bits] += n;
      return;
    }
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

// Whatever way a filter is copied, the copy knows which receipts were used; one that has
// none of its keys knows none of its receipts.
TYPED_TEST(ReceiptsLoseNoKey, InEveryCopy) {
  if constexpr (!keeps_receipts<TypeParam>) {
    GTEST_SKIP();
  } else {
    TypeParam f = recipe<TypeParam>::empty(100, 0.01);
    std::vector<stored_receipt> all;
    for (const key k : keys(5, 9))
      all.push_back(must(f.try_insert_with_numbered_receipt(k)).bytes());
    const stored_receipt alone = must(f.try_insert_with_receipt(keys(6, 1)[0])).bytes();
    for (const std::size_t i : {1u, 2u, 7u}) must(f.erase(receipt::from_bytes(all[i])));
    const temp_dir dir;
    const std::string path = dir / "copy.bloom";
    const auto expect_same = [&](const TypeParam& copy) {
      EXPECT_TRUE(copy == f);
      EXPECT_EQ(copy.receipts(), f.receipts());
      for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_EQ(
            copy.state_of(receipt::from_bytes(all[i])),
            i == 1 || i == 2 || i == 7 ? receipt_state::used : receipt_state::unused);
      EXPECT_EQ(copy.state_of(receipt::from_bytes(alone)), receipt_state::unused);
    };
    expect_same(must(f.clone()));
    expect_same(must(TypeParam::decode(must(f.encode()).bytes())));
    must(f.save(path));
    expect_same(must(TypeParam::load(path)));
    must(must(load_any(path)).visit([&](const auto& any) { return any.save(path); }));
    expect_same(must(TypeParam::load(path)));
    auto shared = must(concurrent<TypeParam>::adopt(must(f.clone())));
    expect_same(must(shared.snapshot()));
    must(save_snapshot(shared, path));
    expect_same(must(TypeParam::load(path)));
    // Threads that share it do not record numbers: such a receipt is refused, and kept.
    EXPECT_EQ(shared.erase(receipt::from_bytes(all[0])).error().code, errc::unsupported);
    expect_same(std::move(shared).release());
    count_cases("operations", all.size());

    TypeParam moved = must(f.clone());
    const TypeParam there = std::move(moved);
    expect_same(there);
    // What has none of the keys accepts no receipt.
    TypeParam cleared = must(f.clone()), like = must(f.empty_like());
    cleared.clear();
    for (TypeParam* const empty : {&cleared, &like}) {
      EXPECT_EQ(empty->identity(), 0u);
      for (const stored_receipt& r : all)
        EXPECT_EQ(empty->erase(receipt::from_bytes(r)).error().code, errc::incompatible);
      (void)must(empty->try_insert_with_receipt(keys(8, 1)[0]));
      EXPECT_NE(empty->identity(), f.identity());
      for (const stored_receipt& r : all)
        EXPECT_EQ(empty->erase(receipt::from_bytes(r)).error().code, errc::incompatible);
    }
  }
}

// A file may say that nearly all numbers were issued.
TYPED_TEST(ReceiptsLoseNoKey, WhereNumbersEnd) {
  if constexpr (!keeps_receipts<TypeParam>) {
    GTEST_SKIP();
  } else {
    TypeParam f = recipe<TypeParam>::empty(100, 0.01);
    (void)must(f.try_insert_with_numbered_receipt(keys(5, 1)[0]));
    const auto encoded = must(f.encode());
    std::vector<std::byte> file(encoded.bytes().begin(), encoded.bytes().end());
    const std::size_t at = file.size() - 4 - 8;  // how many were issued
    EXPECT_EQ(file[at], std::byte{1});
    std::fill_n(file.begin() + static_cast<std::ptrdiff_t>(at), 8, std::byte{0xff});
    file[at] = std::byte{0xfd};
    repair_container(file);
    f = must(TypeParam::decode(file));
    const stored_receipt last =
        must(f.try_insert_with_numbered_receipt(keys(5, 2)[1])).bytes();
    EXPECT_EQ(f.receipts().issued(), receipt_ledger::max_issued);
    const auto full = must(f.clone());
    EXPECT_EQ(f.try_insert_with_numbered_receipt(keys(5, 3)[2]).error().code,
              errc::too_large);
    EXPECT_TRUE(f == full);  // nothing has changed
    (void)must(f.try_insert_with_receipt(keys(5, 3)[2]));
    f = must(TypeParam::decode(must(f.encode()).bytes()));
    must(f.erase(receipt::from_bytes(last)));
    EXPECT_EQ(f.erase(receipt::from_bytes(last)).error().code, errc::not_present);
    f = must(TypeParam::decode(must(f.encode()).bytes()));
    EXPECT_EQ(f.erase(receipt::from_bytes(last)).error().code, errc::not_present);
    count_cases("operations", 5);
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
