// Many small filters in one file.
#include <bloomery/block_bloom.hpp>
#include <bloomery/packed_set.hpp>
#include <bloomery/split_block_bloom.hpp>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "ask.hpp"
#include "fixtures.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

template <class F>
class PackedSet : public ::testing::Test {
 protected:
  const temp_dir folder_;
  const std::string path_ = folder_ / "set.bloom";

  std::vector<F> packed(std::size_t members) {
    std::vector<F> all;
    auto out = must(packed_writer::create(path_.c_str()));
    for (std::size_t i = 0; i < members; ++i) {
      all.push_back(recipe<F>::of(keys(i, 1 + i % 150), 0.01));
      must(out.add(all.back()));
    }
    EXPECT_EQ(out.size(), members);
    must(out.finish({.asked_fpr = 0.01}));
    return all;
  }
};
using block_filters = ::testing::Types<block_bloom, split_block_bloom>;
TYPED_TEST_SUITE(PackedSet, block_filters, filter_names);

TYPED_TEST(PackedSet, EveryMemberAnswersAsBefore) {
  const auto all = this->packed(700);
  const auto set = must(packed_set::open(this->path_.c_str()));
  ASSERT_EQ(set.size(), all.size());
  EXPECT_TRUE(set.hasher() == all[0].hasher());
  const auto others = keys(123456, 200);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(set.member_bytes(i), all[i].size_in_bytes());
    for (const key k : keys(i, 1 + i % 150)) ASSERT_TRUE(set.may_contain(i, k));
    for (const key k : others) ASSERT_EQ(set.may_contain(i, k), all[i].may_contain(k));
  }
  EXPECT_EQ(set.facts().asked_fpr, 0.01);
  EXPECT_EQ(must(verify_container(this->path_.c_str())).damaged_chunks, 0u);
}

TYPED_TEST(PackedSet, AsksARangeOfMembers) {
  const auto all = this->packed(200);
  const auto set = must(packed_set::open(this->path_.c_str()));
  const key k = keys(77, 1)[0];
  std::uint64_t out[3];
  set.may_contain(10, 130, k, out);
  for (std::size_t j = 0; j < 192; ++j)
    EXPECT_EQ(out[j / 64] >> (j % 64) & 1, j < 130 && all[10 + j].may_contain(k)) << j;
}

// Each bit of the members and of the directory: noticed, and no key denied.
TYPED_TEST(PackedSet, DamageAnywhereDeniesNoKey) {
  this->packed(40);
  const auto whole = bytes_of(this->path_);
  const auto facts = must(inspect(whole, whole.size()));
  random from(3);
  for (int round = 0; round < 300; ++round) {
    auto bytes = whole;
    const auto bit = 8 * facts.payload_at + from.below(8 * facts.payload_bytes);
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    std::ofstream(this->path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    const auto set = must(packed_set::open(this->path_.c_str()));
    for (std::size_t i = 0; i < set.size(); ++i)
      for (const key k : keys(i, 1 + i % 150)) ASSERT_TRUE(set.may_contain(i, k));
    EXPECT_EQ(set.verify_all(), 1u);
  }
}

TEST(PackedWriter, TakesMembersOfOneShapeOnly) {
  const temp_dir folder;
  const std::string path = folder / "set";
  {
    auto out = must(packed_writer::create(path.c_str()));
    EXPECT_EQ(out.finish().error().code, errc::invalid_argument);
  }
  EXPECT_EQ(folder.files(), 0u);
  auto out = must(packed_writer::create(path.c_str()));
  must(out.add(must(block_bloom::build(keys(1, 10)))));
  EXPECT_EQ(out.add(must(split_block_bloom::build(keys(1, 10)))).error().code,
            errc::incompatible);
  EXPECT_EQ(out.add(must(block_bloom::build(keys(1, 10), {.fpr = 0.1}))).error().code,
            errc::incompatible);
  EXPECT_EQ(out.add(must(block_bloom::build(keys(1, 10), {.hasher = hasher::xxh3(1)})))
                .error()
                .code,
            errc::incompatible);
  must(out.finish());
  EXPECT_EQ(must(packed_set::open(path.c_str())).size(), 1u);
}

TEST(PackedWriter, AnUnfinishedSetLeavesTheOldFile) {
  const temp_dir folder;
  const std::string path = folder / "set";
  std::ofstream(path) << "old";
  {
    auto out = must(packed_writer::create(path.c_str()));
    must(out.add(must(block_bloom::build(keys(1, 10)))));
  }
  EXPECT_EQ(text_of(path), "old");
  EXPECT_EQ(folder.files(), 1u);
}

}  // namespace
}  // namespace bloomery::testing
