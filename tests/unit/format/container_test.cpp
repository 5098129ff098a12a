// Containers of every kind: what goes in comes out, and damage never denies a key.
#include <bloomery/block_bloom.hpp>
#include <bloomery/container.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "all_filters.hpp"
#include "ask.hpp"
#include "base/byte_writer.hpp"
#include "cases.hpp"
#include "container_repair.hpp"
#include "fixtures.hpp"
#include "full.hpp"
#include "hex.hpp"
#include "secret.hpp"
#include "sigma.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

template <askable F>
class Container : public ::testing::Test {
 protected:
  static std::vector<std::byte> wrapped(const F& f, const write_notes& notes = {}) {
    const auto p = must(encode_container(f, notes));
    return {p.bytes().begin(), p.bytes().end()};
  }
  static void write(const std::string& path, const std::vector<std::byte>& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
};
TYPED_TEST_SUITE(Container, stored_filters, filter_names);

TYPED_TEST(Container, KeepsTheFilter) {
  const temp_dir folder;
  const std::string path = folder / "f.bloom";
  for (const std::size_t n : {1u, 20u, 5'000u, 100'000u}) {
    const auto ks = keys(n, n);
    const auto f = recipe<TypeParam>::of(ks, 0.01);
    const auto bytes = this->wrapped(f);
    const auto back = must(decode_container<TypeParam>(bytes));
    EXPECT_TRUE(back == f);
    EXPECT_EQ(back.capacity(), f.capacity());
    must(save_container(f, path.c_str()));
    EXPECT_EQ(bytes_of(path), bytes);
    EXPECT_TRUE(must(load_container<TypeParam>(path.c_str())) == f);
    EXPECT_EQ(must(verify_container(path.c_str())).damaged_chunks, 0u);
    EXPECT_EQ(folder.files(), 1u);
  }
}

TYPED_TEST(Container, AKindIsNotTakenForAnother) {
  const auto ks = keys(1, 20);
  const auto bytes = this->wrapped(recipe<TypeParam>::of(ks, 0.01));
  const auto refused = [&]<class Other>(const Other*) {
    if constexpr (!std::same_as<Other, TypeParam>) {
      EXPECT_EQ(decode_container<Other>(bytes).error().code, errc::incompatible);
    }
  };
  refused(static_cast<const portable_bloom*>(nullptr));
  refused(static_cast<const block_bloom*>(nullptr));
  refused(static_cast<const split_block_bloom*>(nullptr));
  refused(static_cast<const bloom*>(nullptr));
}

// The promise: not one false negative, not one flip unnoticed.
TYPED_TEST(Container, EveryFlippedBitIsNoticedAndDeniesNoKey) {
  const auto ks = keys(1, 30);
  const auto f = recipe<TypeParam>::of(ks, 0.01);
  write_notes notes;
  if (TypeParam::kind.keeps_sentinels) notes.sentinels = std::span(ks).first(3);
  auto bytes = this->wrapped(f, notes);
  std::size_t answered = 0, refused = 0;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    read_report report;
    const auto damaged = decode_container<TypeParam>(bytes, {}, &report);
    if (damaged) {
      ++answered;
      ASSERT_EQ(report.damaged_chunks, 1u) << bit;
      ASSERT_EQ(count_maybe(ask(*damaged, ks)), ks.size()) << bit;
    } else {
      ++refused;
      ASSERT_LE(damaged.error().at, bytes.size());
    }
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  const auto facts = must(inspect(bytes, bytes.size()));
  EXPECT_EQ(answered, 8 * facts.padded_bytes());  // the payload; all else is refused
  EXPECT_EQ(answered + refused, 8 * bytes.size());
  count_cases("flips", answered + refused);
}

TYPED_TEST(Container, EveryTruncationAndExtensionIsRefused) {
  const auto ks = keys(1, 30);
  auto bytes = this->wrapped(recipe<TypeParam>::of(ks, 0.01));
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    const std::vector<std::byte> part(bytes.begin(), bytes.begin() + std::ptrdiff_t(n));
    EXPECT_EQ(decode_container<TypeParam>(part).error().code, errc::corrupt) << n;
  }
  count_cases("cuts", bytes.size());
  for (int extra = 0; extra < 300; ++extra) {
    bytes.push_back(std::byte{0});
    EXPECT_EQ(decode_container<TypeParam>(bytes).error().code, errc::corrupt) << extra;
  }
}

// Damaged chunks count as ones, so the rate is that of those bits: not more, not less.
TYPED_TEST(Container, TheRateOfADamagedFilterIsThatOfItsBits) {
  const auto ks = keys(5, 100'000);
  const auto f = recipe<TypeParam>::of(ks, 0.01);
  auto bytes = this->wrapped(f);
  const auto facts = must(inspect(bytes, bytes.size()));
  ASSERT_EQ(facts.payload_at, 4096u);
  for (const std::uint64_t chunk :
       {std::uint64_t{0}, facts.chunks() / 2, facts.chunks() - 1})
    bytes[static_cast<std::size_t>(facts.payload_at + 4096 * chunk + 7)] ^=
        std::byte{0x10};
  read_report report;
  const auto damaged = must(decode_container<TypeParam>(bytes, {}, &report));
  EXPECT_EQ(report.damaged_chunks, 3u);
  EXPECT_EQ(report.first_damage_at, facts.payload_at);
  EXPECT_EQ(count_maybe(ask(damaged, ks)), ks.size());
  const auto absent = keys(6, 400'000);
  EXPECT_TRUE(within_5_sigma(count_maybe(ask(damaged, absent)), absent.size(),
                             damaged.realised_fpr()));
  EXPECT_GT(damaged.realised_fpr(), f.realised_fpr());
}

TYPED_TEST(Container, SentinelsThatAreNotThereRefuse) {
  if (!TypeParam::kind.keeps_sentinels) GTEST_SKIP();
  const auto ks = keys(1, 30);
  const auto absent = keys(9, 1);
  const auto f = recipe<TypeParam>::of(ks, 1e-3);
  if (f.may_contain(absent[0])) GTEST_SKIP() << "a false positive";
  EXPECT_TRUE(decode_container<TypeParam>(
      this->wrapped(f, {.sentinels = std::span(ks).first(8)})));
  // The writer refuses it, so that another program must have written this.
  auto bytes = this->wrapped(f, {.sentinels = std::span(ks).first(1)});
  const auto facts = must(inspect(std::span(bytes).first(128), bytes.size()));
  base::byte_writer(std::span(bytes).subspan(facts.tail_at())).write(absent[0].bits());
  repair_container(bytes);
  const auto lying = decode_container<TypeParam>(bytes);
  ASSERT_FALSE(lying);
  EXPECT_EQ(lying.error().code, errc::corrupt);
}

TYPED_TEST(Container, ALimitIsHeldBeforeMemoryIsTaken) {
  const auto f = recipe<TypeParam>::of(keys(1, 1000), 0.01);
  const auto bytes = this->wrapped(f);
  const read_options exact{.max_bytes = f.size_in_bytes()};
  const read_options less{.max_bytes = f.size_in_bytes() - 1};
  EXPECT_TRUE(decode_container<TypeParam>(bytes, exact));
  EXPECT_EQ(decode_container<TypeParam>(bytes, less).error().code, errc::too_large);
}

TEST(ContainerSecret, IsNeverStoredAndAlwaysNeeded) {
  const auto secret = counting_secret();
  auto other = secret;
  other[3] ^= std::byte{1};
  const auto ks = keys(1, 30);
  const auto f = must(block_bloom::build(ks, {.hasher = hasher::siphash13(secret)}));
  const auto bytes = encoded(f);
  const std::string text = to_text(bytes), key_text = to_text(secret);
  EXPECT_EQ(text.find(key_text), std::string::npos);
  EXPECT_EQ(text.find(key_text.substr(0, 8)), std::string::npos);
  EXPECT_EQ(block_bloom::decode(bytes).error().code, errc::incompatible);
  EXPECT_EQ(decode_container<block_bloom>(bytes, {.secret = &other}).error().code,
            errc::incompatible);
  EXPECT_TRUE(must(decode_container<block_bloom>(bytes, {.secret = &secret})) == f);
  const auto open = encoded(must(block_bloom::build(ks)));
  EXPECT_EQ(decode_container<block_bloom>(open, {.secret = &secret}).error().code,
            errc::incompatible);
}

TEST(ContainerProgress, TellsHowFarItGot) {
  const temp_dir folder;
  const auto f = must(block_bloom::make(block_shape{1u << 20, block_profile::line}));
  struct seen {
    std::uint64_t calls = 0, done = 0, all = 0;
  } s;
  write_notes notes;
  notes.progress.context = &s;
  notes.progress.call = [](void* to, std::uint64_t done, std::uint64_t all) {
    auto& it = *static_cast<seen*>(to);
    EXPECT_GT(done, it.done);
    it = {it.calls + 1, done, all};
  };
  must(save_container(f, (folder / "f").c_str(), notes));
  EXPECT_GE(s.calls, 4u);
  EXPECT_EQ(s.done, s.all);
  EXPECT_EQ(s.all, std::filesystem::file_size(folder / "f"));
  s = {};
  must(verify_container((folder / "f").c_str(), notes.progress));
  EXPECT_EQ(s.done, f.size_in_bytes());
  EXPECT_EQ(s.all, f.size_in_bytes());
}

// 1000 random flips in a container of 100 MB.
TEST(ContainerFull, AThousandFlipsInAHundredMegabytes) {
  BLOOMERY_FULL_ONLY();
  const auto ks = keys(7, 80'000'000);
  auto f = must(block_bloom::make({.keys = ks.size(), .fpr = 0.01}));
  f.insert(std::span<const key>(ks));
  auto bytes = encoded(f);
  ASSERT_GT(bytes.size(), 100'000'000u);
  const auto facts = must(inspect(bytes, bytes.size()));
  random from(8);
  for (int i = 0; i < 1000; ++i) {
    const auto bit = 8 * facts.payload_at + from.below(8 * facts.payload_bytes);
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  read_report report;
  const auto damaged = must(decode_container<block_bloom>(bytes, {}, &report));
  EXPECT_GT(report.damaged_chunks, 950u);
  EXPECT_EQ(count_maybe(ask(damaged, ks)), ks.size());
  count_cases("flips", 1000);
  const auto absent = keys(9, 10'000'000);
  const auto found = count_maybe(ask(damaged, absent));
  EXPECT_TRUE(within_5_sigma(found, absent.size(), damaged.realised_fpr()));
  // One line a key: a damaged line is found always, another at its own rate.
  const double share =
      static_cast<double>(report.damaged_chunks) / static_cast<double>(facts.chunks());
  const double formula = share + (1 - share) * f.realised_fpr();
  EXPECT_TRUE(within_part(damaged.realised_fpr(), formula, 0.001));
  std::printf("%llu damaged chunks of %llu; realised %.6f, measured %.6f, formula %.6f\n",
              static_cast<unsigned long long>(report.damaged_chunks),
              static_cast<unsigned long long>(facts.chunks()), damaged.realised_fpr(),
              static_cast<double>(found) / static_cast<double>(absent.size()), formula);
}

}  // namespace
}  // namespace bloomery::testing
