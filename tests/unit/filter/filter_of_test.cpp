// The shell of every filter (detail/filter/filter_of.hpp), over cores made for it.
#include <bloomery/detail/filter/filter_of.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/counting_bloom.hpp>
#include <bloomery/cuckoo.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/fuse.hpp>
#include <bloomery/quotient.hpp>

#include "must.hpp"

namespace bloomery {
namespace {

using testing::must;

// A set that is full at some size, and remembers the batches that it was given.
class small_set : public filter_of<small_set> {
 public:
  explicit small_set(std::size_t room) : room_(room) {}
  const std::vector<std::size_t>& batches() const { return batches_; }
  std::size_t size() const { return keys_in_.size(); }

 private:
  friend filter_of<small_set>;
  friend core_parts;

  bool find(key k) const noexcept { return keys_in_.contains(k.bits()); }
  void find_each(std::span<const key> ks, std::span<bool> out) const noexcept {
    batches_.push_back(ks.size());
    for (std::size_t i = 0; i < ks.size(); ++i) out[i] = find(ks[i]);
  }
  result<void> try_add(key k) noexcept {
    if (keys_in_.size() == room_) return error{errc::full, "full"};
    keys_in_.insert(k.bits());
    return {};
  }
  std::size_t try_add_each(std::span<const key> ks) noexcept {
    batches_.push_back(ks.size());
    std::size_t in = 0;
    while (in < ks.size() && try_add(ks[in])) ++in;
    return in;
  }

  std::size_t room_;
  std::set<std::uint64_t> keys_in_;
  mutable std::vector<std::size_t> batches_;
  bloomery::hasher hasher_ = bloomery::hasher::xxh3();
};

template <class F>
concept has_insert = requires(F& f) {
  f.insert("a");
};
template <class F>
concept has_try_insert = requires(F& f) {
  f.try_insert(std::array<char, 2>());
};
template <class F>
concept has_erase = requires(F& f) {
  f.erase_present(std::array<char, 2>());
};
template <class F>
concept has_count = requires(const F& f) {
  f.count("a");
};
template <class F>
concept has_files = requires(const F& f) {
  f.encode();
};

static_assert(has_try_insert<small_set> && !has_insert<small_set> &&
              !has_erase<small_set>);
static_assert(!has_count<small_set> && !has_files<small_set>);
static_assert(!has_insert<fuse> && !has_try_insert<fuse> && !has_erase<fuse> &&
              has_files<fuse>);
static_assert(has_insert<block_bloom> && !has_try_insert<block_bloom> &&
              !has_erase<block_bloom>);
static_assert(has_erase<concurrent<cuckoo>> && has_count<concurrent<cuckoo>>);
static_assert(!has_insert<concurrent<cuckoo>> && !has_files<concurrent<cuckoo>>);

std::vector<std::string> some_names(std::size_t n) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back("name " + std::to_string(i));
  return out;
}

TEST(FilterOf, TextsGoToTheCoreInGroupsUpToTheFirstRefused) {
  small_set f(700);
  const auto texts = some_names(1500);
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  EXPECT_EQ(f.try_insert(std::span<const std::string_view>(views)), 700u);
  EXPECT_EQ(f.batches(), (std::vector<std::size_t>{512, 512}));
  EXPECT_EQ(f.size(), 700u);
  EXPECT_TRUE(f.may_contain(texts[699]));
  EXPECT_FALSE(f.may_contain(texts[700]));
  EXPECT_EQ(f.try_insert(texts[0]).error().code, errc::full);

  auto found = std::make_unique<bool[]>(views.size());
  const std::span<bool> out(found.get(), views.size());
  f.may_contain(std::span<const std::string_view>(views), out);
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], i < 700) << i;
  EXPECT_EQ(f.batches(), (std::vector<std::size_t>{512, 512, 512, 512, 476}));
}

TEST(FilterOf, AnswersOfTextsAsBits) {
  auto f = must(block_bloom::make({.keys = 1000}));
  const auto texts = some_names(1200);
  for (std::size_t i = 0; i < texts.size(); i += 2) f.insert(texts[i]);
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  for (const std::size_t n : {0, 1, 63, 64, 511, 512, 513, 1024, 1025, 1200}) {
    const auto some = std::span<const std::string_view>(views).first(n);
    std::vector<std::uint64_t> words(n / 64 + 3, ~std::uint64_t{0});
    f.may_contain(some, std::span<std::uint64_t>(words));
    for (std::size_t i = 0; i < 64 * words.size(); ++i)
      ASSERT_EQ(words[i / 64] >> i % 64 & 1, i < n && f.may_contain(texts[i])) << n << i;
  }
}

template <class F>
class Erasing : public ::testing::Test {};
using erasing_types =
    ::testing::Types<cuckoo, quotient, counting_bloom, concurrent<cuckoo>,
                     concurrent<quotient>, concurrent<counting_bloom>>;
TYPED_TEST_SUITE(Erasing, erasing_types);

TYPED_TEST(Erasing, ReceiptsAndCountsTakeEveryFormOfKey) {
  auto f = must(TypeParam::make({.keys = 100, .fpr = 1e-4}));
  for (const auto put :
       {+[](TypeParam& g) { return g.try_insert_with_receipt("alice"); },
        +[](TypeParam& g) { return g.try_insert_with_receipt(std::string("alice")); },
        +[](TypeParam& g) {
          return g.try_insert_with_receipt(std::array{'a', 'l', 'i', 'c', 'e'});
        },
        +[](TypeParam& g) { return g.try_insert_with_receipt(g.hash("alice")); }}) {
    auto r = must(put(f));
    EXPECT_EQ(f.count("alice"), 1u);
    EXPECT_EQ(f.count(f.hash("alice")), 1u);
    EXPECT_EQ(f.count(std::array{'a', 'l', 'i', 'c', 'e'}), 1u);
    EXPECT_TRUE(f.erase(std::move(r)).has_value());
    EXPECT_EQ(f.count("alice"), 0u);
  }
  auto ids = must(TypeParam::integers::make({.keys = 100, .fpr = 1e-4}));
  auto r = must(ids.try_insert_with_receipt(42));
  EXPECT_EQ(ids.count(42u), 1u);
  EXPECT_EQ(ids.count(43), 0u);
  EXPECT_TRUE(ids.erase(std::move(r)).has_value());
  EXPECT_EQ(ids.count(42), 0u);
}

TEST(FilterOf, ACopyIsEqualAndApart) {
  auto f = must(quotient::make({.keys = 100}));
  ASSERT_TRUE(f.try_insert("alice"));
  auto g = must(f.clone());
  EXPECT_EQ(f, g);
  ASSERT_TRUE(g.try_insert("bob"));
  EXPECT_NE(f, g);
  EXPECT_FALSE(f.may_contain("bob"));
  EXPECT_EQ(must(quotient::decode(must(g.encode()).bytes())), g);
}

}  // namespace
}  // namespace bloomery
