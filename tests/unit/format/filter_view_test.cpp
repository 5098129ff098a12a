// Mapped filters: the same answers as owned ones, whatever was touched in which order,
// damaged, or cut short.
#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/filter_view.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "ask.hpp"
#include "fixtures.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

void overwrite(const std::string& path, const std::vector<std::byte>& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

template <askable F>
class FilterView : public ::testing::Test {
 protected:
  const temp_dir folder_;
  const std::string path_ = folder_ / "f.bloom";
  const std::vector<key> keys_ = keys(1, 50'000);

  F saved(double fpr = 0.01) {
    F f = recipe<F>::of(keys_, fpr);
    write_notes notes;
    if (F::kind.keeps_sentinels) notes.sentinels = std::span(keys_).first(2);
    must(save_container(f, path_.c_str(), notes));
    return f;
  }
  // Flips a bit in each of these chunks of the payload.
  void damage(std::initializer_list<std::uint64_t> chunks) {
    auto bytes = bytes_of(path_);
    const auto facts = must(inspect(bytes, bytes.size()));
    for (const std::uint64_t c : chunks)
      bytes[static_cast<std::size_t>(facts.payload_at + 4096 * c + 100)] ^= std::byte{4};
    overwrite(path_, bytes);
  }
};
TYPED_TEST_SUITE(FilterView, stored_filters, filter_names);

TYPED_TEST(FilterView, AnswersAsTheFilterDoes) {
  const auto f = this->saved();
  const auto absent = keys(2, 20'000);
  const auto want = ask(f, absent);
  {
    const auto batched = must(filter_view<TypeParam>::open(this->path_.c_str()));
    EXPECT_FALSE(batched.is_verified());
    EXPECT_EQ(ask(batched, absent), want);
    EXPECT_EQ(count_maybe(ask(batched, this->keys_)), this->keys_.size());
    EXPECT_EQ(batched.verify_all(), 0u);
    EXPECT_TRUE(batched.is_verified());
    EXPECT_EQ(ask(batched, absent), want);
    EXPECT_TRUE(batched.filter() == f);
  }
  const auto single = must(filter_view<TypeParam>::open(this->path_.c_str()));
  EXPECT_EQ(ask_one_by_one(single, absent), want);
}

TYPED_TEST(FilterView, TextsAreHashedByTheFileHasher) {
  const auto texts = numbered("k", 1000);
  std::vector<key> ks;
  for (const std::string& t : texts)
    ks.push_back(TypeParam::kind.hasher().hash(std::string_view(t)));
  const auto f = recipe<TypeParam>::of(ks, 0.01);
  must(save_container(f, this->path_.c_str()));
  const auto v = must(filter_view<TypeParam>::open(this->path_.c_str()));
  EXPECT_EQ(
      count_maybe(ask(v, std::vector<std::string_view>(texts.begin(), texts.end()))),
      texts.size());
  EXPECT_TRUE(v.may_contain("k1"));
}

// Touching every chunk switches to the plain path by itself.
TYPED_TEST(FilterView, TheLastChunkSwitchesToThePlainPath) {
  this->saved();
  const auto v = must(filter_view<TypeParam>::open(this->path_.c_str()));
  (void)ask(v, this->keys_);
  (void)ask(v, keys(3, 50'000));
  EXPECT_TRUE(v.is_verified());
}

TYPED_TEST(FilterView, DamageAnswersPerhapsOnBothPaths) {
  const auto f = this->saved();
  this->damage({1, 3});
  const auto v = must(filter_view<TypeParam>::open(this->path_.c_str()));
  const auto one_by_one = must(filter_view<TypeParam>::open(this->path_.c_str()));
  const auto loaded = must(load_container<TypeParam>(this->path_.c_str()));
  EXPECT_EQ(count_maybe(ask(v, this->keys_)), this->keys_.size());
  const auto absent = keys(4, 20'000);
  EXPECT_EQ(ask(v, absent), ask(loaded, absent));
  EXPECT_EQ(ask_one_by_one(one_by_one, absent), ask(loaded, absent));
  EXPECT_EQ(v.verify_all(2), 2u);
  EXPECT_TRUE(v.filter() == loaded);
  EXPECT_FALSE(v.filter() == f);
  // The file is as it was.
  EXPECT_EQ(must(verify_container(this->path_.c_str())).damaged_chunks, 2u);
}

TYPED_TEST(FilterView, ThreadsMayTouchAndVerifyTogether) {
  const auto f = this->saved();
  this->damage({0, 2});
  const auto loaded = must(load_container<TypeParam>(this->path_.c_str()));
  const auto absent = keys(5, 20'000);
  const auto want = ask(loaded, absent);
  for (int round = 0; round < 5; ++round) {
    const auto v = must(filter_view<TypeParam>::open(this->path_.c_str()));
    std::vector<std::thread> team;
    for (int t = 0; t < 3; ++t)
      team.emplace_back([&, t] {
        if (t == 2) v.verify_all(2);
        EXPECT_EQ(ask(v, absent), want);
        EXPECT_EQ(count_maybe(ask(v, this->keys_)), this->keys_.size());
      });
    for (auto& t : team) t.join();
    EXPECT_EQ(v.damaged_chunks(), 2u);
  }
}

TYPED_TEST(FilterView, MovesWithItsMapping) {
  this->saved();
  auto a = must(filter_view<TypeParam>::open(this->path_.c_str()));
  auto b = std::move(a);
  EXPECT_TRUE(b.may_contain(this->keys_[0]));
  auto c = must(filter_view<TypeParam>::open(this->path_.c_str()));
  c = std::move(b);
  EXPECT_EQ(count_maybe(ask(c, this->keys_)), this->keys_.size());
}

TYPED_TEST(FilterView, AReplacedFileLeavesTheViewAlone) {
  const auto f = this->saved();
  const auto v = must(filter_view<TypeParam>::open(this->path_.c_str()));
  const auto other = recipe<TypeParam>::of(keys(9, 10), 0.01);
  must(save_container(other, this->path_.c_str()));
  EXPECT_EQ(count_maybe(ask(v, this->keys_)), this->keys_.size());
  EXPECT_TRUE(v.filter() == f);
}

// What is gone when a check comes to it answers "perhaps".
TYPED_TEST(FilterView, AFileThatShrinksAnswersPerhaps) {
  this->saved();
  const auto v = must(filter_view<TypeParam>::open(this->path_.c_str()));
  std::filesystem::resize_file(this->path_, 4096 + 3 * 4096 + 17);
  EXPECT_GT(v.verify_all(), 0u);
  EXPECT_EQ(count_maybe(ask(v, this->keys_)), this->keys_.size());
}

// A filter of 64 MiB: the first answer touches a handful of pages, not all 16384.
TYPED_TEST(FilterView, TheFirstAnswerReadsFewPages) {
  if constexpr (std::same_as<TypeParam, block_bloom>) {
    auto f = must(block_bloom::make(block_shape{1u << 20, block_profile::line}));
    f.insert(std::span<const key>(this->keys_));
    must(save_container(f, this->path_.c_str()));
    const auto faults = [] {
      rusage u;
      getrusage(RUSAGE_SELF, &u);
      return u.ru_minflt + u.ru_majflt;
    };
    const auto before = faults();
    const auto v = must(filter_view<block_bloom>::open(this->path_.c_str()));
    EXPECT_TRUE(v.may_contain(this->keys_[0]));
    EXPECT_LT(faults() - before, 200);
  }
}

TEST(FilterViewRefusal, SaysWhy) {
  const temp_dir folder;
  const std::string path = folder / "f";
  EXPECT_EQ(filter_view<bloom>::open(path.c_str()).error().code, errc::io);
  overwrite(path, {});
  EXPECT_EQ(filter_view<bloom>::open(path.c_str()).error().code, errc::corrupt);
  must(save_container(must(bloom::build(keys(1, 10))), path.c_str()));
  EXPECT_EQ(filter_view<block_bloom>::open(path.c_str()).error().code,
            errc::incompatible);
  EXPECT_EQ(filter_view<bloom>::open(path.c_str(), {.max_bytes = 1}).error().code,
            errc::too_large);
}

}  // namespace
}  // namespace bloomery::testing
