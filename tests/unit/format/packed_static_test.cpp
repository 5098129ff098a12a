// Packed sets of filters that are only built: every such kind.
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/packed_set.hpp>

#include "base/byte_writer.hpp"
#include "cases.hpp"
#include "container_repair.hpp"
#include "filter_types.hpp"
#include "fixtures.hpp"
#include "must.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

constexpr std::uint64_t entry_bytes = 48;

// Keys of member i: none, a few, some thousands.
std::vector<key> keys_of_member(std::size_t i) {
  return keys(i, i % 97 == 13 ? 3000 : (i * 7) % 151);
}

template <class F>
std::vector<F> packed(const std::string& path, std::size_t members) {
  std::vector<F> all;
  auto out = must(packed_writer::create(path));
  for (std::size_t i = 0; i < members; ++i) {
    all.push_back(must(F::build(keys_of_member(i))));
    must(out.add(all.back()));
  }
  EXPECT_EQ(out.size(), members);
  must(out.finish({.asked_fpr = 0.01}));
  return all;
}

void replace(const std::string& path, std::span<const std::byte> bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

bool has_all(const packed_set& set, std::uint64_t i) {
  return std::ranges::all_of(keys_of_member(i),
                             [&](key k) { return set.may_contain(i, k); });
}

TEST(PackedStatic, EveryMemberAnswersAsBefore) {
  for_each_type(static_types{}, []<class F>(std::type_identity<F>) {
    SCOPED_TRACE(F::kind.name);
    const temp_dir folder;
    const std::string path = folder / "set.bloom";
    const auto all = packed<F>(path, 300);
    const auto set = must(packed_set::open(path));
    ASSERT_EQ(set.size(), all.size());
    EXPECT_EQ(set.facts().kind, container_kind::packed_static);
    EXPECT_EQ(set.facts().member, F::kind.number);
    EXPECT_EQ(set.facts().asked_fpr, 0.01);
    EXPECT_TRUE(set.hasher() == all[0].hasher());
    const auto others = keys(123456, 200);
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(set.member_bytes(i), all[i].size_in_bytes());
      ASSERT_TRUE(has_all(set, i)) << i;
      for (const key k : others) ASSERT_EQ(set.may_contain(i, k), all[i].may_contain(k));
    }
    std::uint64_t out[3];
    set.may_contain(10, 130, others[0], out);
    for (std::size_t j = 0; j < 192; ++j)
      EXPECT_EQ(out[j / 64] >> (j % 64) & 1,
                j < 130 && all[10 + j].may_contain(others[0]));
    const auto report = must(verify_container(path));
    EXPECT_EQ(report.damaged_chunks, 0u);
    count_cases("members", all.size());
  });
}

// Each flipped bit is noticed, denies no key, and concerns the members of its chunk only.
TEST(PackedStatic, DamageAnywhereDeniesNoKey) {
  for_each_type(static_types{}, []<class F>(std::type_identity<F>) {
    SCOPED_TRACE(F::kind.name);
    const temp_dir folder;
    const std::string path = folder / "set.bloom";
    const auto all = packed<F>(path, 60);
    const auto whole = bytes_of(path);
    const auto facts = must(inspect(whole, whole.size()));
    const auto others = keys(5, 30);
    random from(3);
    bool spares_others = false;
    for (int round = 0; round < 100; ++round) {
      auto bytes = whole;
      const auto bit = 8 * facts.payload_at + from.below(8 * facts.payload_bytes);
      bytes[bit / 8] ^= std::byte{1} << (bit % 8);
      replace(path, bytes);
      const auto set = must(packed_set::open(path));
      std::size_t unsure = 0;
      for (std::size_t i = 0; i < set.size(); ++i) {
        ASSERT_TRUE(has_all(set, i)) << i;
        unsure +=
            std::ranges::all_of(others, [&](key k) { return set.may_contain(i, k); });
      }
      EXPECT_GT(unsure, 0u);
      spares_others |= unsure < set.size();
      EXPECT_EQ(set.verify_all(), 1u);
      count_cases("flips", 1);
    }
    EXPECT_TRUE(spares_others);
  });
}

// Entries that lie under correct checksums: the member answers for every key, or as a
// filter of these bytes would; others as before.
TEST(PackedStatic, HostileDirectory) {
  for_each_type(static_types{}, []<class F>(std::type_identity<F>) {
    SCOPED_TRACE(F::kind.name);
    const temp_dir folder;
    const std::string path = folder / "set.bloom";
    constexpr std::size_t members = 5;
    const auto all = packed<F>(path, members);
    const auto whole = bytes_of(path);
    const auto facts = must(inspect(whole, whole.size()));
    const std::uint64_t directory =
        facts.payload_at + facts.payload_bytes - entry_bytes * members;
    const auto others = keys(5, 30);
    for (std::size_t member = 0; member < members; ++member)
      for (std::uint64_t field = 0; field < entry_bytes; field += 4)
        for (const std::uint64_t lie :
             {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7},
              std::uint64_t{1} << 31, ~std::uint64_t{0}, ~std::uint64_t{0} - 6,
              std::uint64_t{1} << 63}) {
          auto bytes = whole;
          const auto at =
              static_cast<std::size_t>(directory + entry_bytes * member + field);
          base::byte_writer out({bytes.data() + at, bytes.size() - at});
          if (field % 8 == 0)
            out.write(lie);
          else
            out.write(static_cast<std::uint32_t>(lie));
          repair_container(bytes);
          replace(path, bytes);
          const auto set = must(packed_set::open(path));
          for (std::size_t i = 0; i < members; ++i) {
            (void)set.member_bytes(i);
            for (const key k : others) (void)set.may_contain(i, k);
            if (i != member && i != member + 1) {
              ASSERT_TRUE(has_all(set, i)) << i;
            }
          }
          if (field == 20 && lie != 0 && lie != std::uint64_t{1} << 63) {
            for (const key k : others) ASSERT_TRUE(set.may_contain(member, k));
          }
          count_cases("lies", 1);
        }
  });
}

TEST(PackedStatic, TakesMembersOfOneKindOnly) {
  for_each_type(static_types{}, []<class F>(std::type_identity<F>) {
    SCOPED_TRACE(F::kind.name);
    const temp_dir folder;
    const std::string path = folder / "set";
    auto out = must(packed_writer::create(path));
    must(out.add(must(F::build(keys(1, 10)))));
    EXPECT_EQ(out.add(must(block_bloom::build(keys(1, 10)))).error().code,
              errc::incompatible);
    typename F::params other;
    other.hasher = hasher::xxh3(1);
    EXPECT_EQ(out.add(must(F::build(keys(1, 10), other))).error().code,
              errc::incompatible);
    must(out.finish());
    EXPECT_EQ(must(packed_set::open(path)).size(), 1u);
    auto blocks = must(packed_writer::create(path));
    must(blocks.add(must(block_bloom::build(keys(1, 10)))));
    EXPECT_EQ(blocks.add(must(F::build(keys(1, 10)))).error().code, errc::incompatible);
  });
}

}  // namespace
}  // namespace bloomery::testing
