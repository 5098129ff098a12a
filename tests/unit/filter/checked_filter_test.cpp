// The checked filter: misuse that a filter cannot notice ends the program.
#include <bloomery/checked_filter.hpp>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fingerprints.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

using checked = checked_filter<fingerprints>;
static_assert(filter<checked> && bounded<checked> && erasable<checked> &&
              counting<checked>);
static_assert(!insertable<checked>);

checked make(std::uint64_t identity = 0) {
  return checked(fingerprints::make(1000, identity));
}

key named(const std::string& text) { return hasher::xxh3().hash(text); }

// A key that is not `k`, and has its fingerprint and its places.
key twin_of(const fingerprints& f, key k) {
  for (std::uint64_t i = 1;; ++i) {
    const key other = key::from_bits(k.bits() ^ i << 20);
    if (fingerprints::tag(other) == fingerprints::tag(k) &&
        f.place(other, 0) == f.place(k, 0) && f.place(other, 1) == f.place(k, 1))
      return other;
  }
}

TEST(CheckedFilter, DoesWhatTheFilterDoes) {
  checked f = make();
  EXPECT_FALSE(f.may_contain("alice"));
  receipt r = must(f.try_insert_with_receipt("alice"));
  ASSERT_TRUE(f.try_insert("bob"));
  EXPECT_TRUE(f.may_contain("alice"));
  EXPECT_EQ(f.size(), 2u);
  EXPECT_EQ(f.copies(named("bob")), 1u);
  EXPECT_EQ(f.count(named("bob")), 1u);
  ASSERT_TRUE(f.erase(std::move(r)));
  EXPECT_TRUE(r.empty());
  EXPECT_FALSE(f.may_contain("alice"));
  ASSERT_TRUE(f.erase_present("bob"));
  EXPECT_EQ(f.size(), 0u);
  f.check_all();
}

TEST(CheckedFilter, InBatches) {
  checked f = make();
  std::vector<key> ks;
  for (const std::string& text : numbered("k", 20)) ks.push_back(named(text));
  EXPECT_EQ(f.try_insert(ks), ks.size());
  std::array<bool, 20> answers;
  f.may_contain(ks, answers);
  const std::vector<std::string_view> texts{"k1", "nobody"};
  f.may_contain(texts, std::span(answers).first(2));
  EXPECT_TRUE(answers[0]);
  EXPECT_EQ(must(f.erase_present(ks, answers)), ks.size());
  EXPECT_EQ(f.size(), 0u);
  f.clear();
}

TEST(CheckedFilter, ARefusedKeyIsNotIn) {
  checked f(fingerprints::make(1));
  ASSERT_TRUE(f.try_insert("a"));
  EXPECT_EQ(f.try_insert("b").error().code, errc::full);
  EXPECT_EQ(f.try_insert_with_receipt("b").error().code, errc::full);
  EXPECT_EQ(f.size(), 1u);
}

TEST(CheckedFilterDeathTest, EraseOfAKeyThatWasNeverInserted) {
  checked f = make();
  ASSERT_TRUE(f.try_insert("alice"));
  EXPECT_DEATH((void)f.erase_present("bob"), "never inserted");
  // The filter itself takes this one for alice.
  const key other = twin_of(f.filter(), named("alice"));
  EXPECT_TRUE(f.may_contain(other));
  EXPECT_DEATH((void)f.erase_present(other), "never inserted");
  const std::array ks{named("alice"), other};
  std::array<bool, 2> erased;
  EXPECT_DEATH((void)f.erase_present(ks, erased), "never inserted");
}

TEST(CheckedFilterDeathTest, TooManyErases) {
  checked f = make();
  ASSERT_TRUE(f.try_insert("alice"));
  const std::array twice{named("alice"), named("alice")};
  std::array<bool, 2> erased;
  EXPECT_DEATH((void)f.erase_present(twice, erased), "more often than it was inserted");
  ASSERT_TRUE(f.erase_present("alice"));
  EXPECT_DEATH((void)f.erase_present("alice"), "more often than it was inserted");
}

TEST(CheckedFilterDeathTest, AReceiptUsedTwice) {
  checked f = make();
  receipt r = must(f.try_insert_with_receipt("alice"));
  const auto stored = r.bytes();
  ASSERT_TRUE(f.try_insert(twin_of(f.filter(), named("alice"))));
  ASSERT_TRUE(f.erase(std::move(r)));
  EXPECT_DEATH((void)f.erase(receipt::from_bytes(stored)), "used twice");
  EXPECT_DEATH((void)f.erase(std::move(r)), "an empty receipt");
}

TEST(CheckedFilterDeathTest, AReceiptAfterTheKeyWasErased) {
  checked f = make();
  receipt r = must(f.try_insert_with_receipt("alice"));
  ASSERT_TRUE(f.erase_present("alice"));
  EXPECT_DEATH((void)f.erase(std::move(r)), "more often than it was inserted");
}

TEST(CheckedFilterDeathTest, AReceiptOfAnotherFilter) {
  checked mine = make(1), other = make(2), same = make(1);
  receipt r = must(other.try_insert_with_receipt("alice"));
  ASSERT_TRUE(mine.try_insert("alice"));
  EXPECT_DEATH((void)mine.erase(std::move(r)), "of another filter, or a damaged one");
  // With the same identity, the filters accept it, the multisets do not.
  receipt twin = must(same.try_insert_with_receipt("bob"));
  EXPECT_DEATH((void)mine.erase(std::move(twin)), "never inserted here");
  auto damaged = must(mine.try_insert_with_receipt("carol")).bytes();
  damaged[3] ^= std::byte{1};
  EXPECT_DEATH((void)mine.erase(receipt::from_bytes(damaged)), "a damaged one");
}

// What is wrong with the filter is found, too.
class forgetful : public fingerprints {
 public:
  using fingerprints::fingerprints;
  bool may_contain(key k) const noexcept {
    return fingerprints::may_contain(k) && k != hasher().hash("lost");
  }
  bool may_contain(std::string_view text) const noexcept {
    return may_contain(hash(text));
  }
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = may_contain(ks[i]);
  }
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept {
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = may_contain(ks[i]);
  }
};

TEST(CheckedFilterDeathTest, AFalseNegative) {
  checked_filter f(forgetful(1000, must(pages::make(2000))));
  ASSERT_TRUE(f.try_insert("kept"));
  EXPECT_FALSE(f.may_contain("lost"));
  EXPECT_DEATH((void)f.try_insert("lost"), "a false negative");
}

}  // namespace
}  // namespace bloomery::testing
