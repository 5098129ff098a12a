// Files of kinds that have no lasting format yet: a kind is not taken for another, and
// what was saved loads as the same filter.
#include <bloomery/provisional_format.hpp>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "all_filters.hpp"
#include "fixtures.hpp"
#include "secret.hpp"
#include "temp_dir.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

TEST(Provisional, TheKindIsInTheFile) {
  const auto ks = keys(1, 20);
  const auto block = encoded(must(block_bloom::build(ks)));
  const auto split = encoded(must(split_block_bloom::build(ks)));
  const auto classic = encoded(must(bloom::build(ks)));
  EXPECT_EQ(must(inspect_provisional(block)), provisional_kind::block);
  EXPECT_EQ(must(inspect_provisional(split)), provisional_kind::split_block);
  EXPECT_EQ(must(inspect_provisional(classic)), provisional_kind::bloom);
  for (const auto* other : {&split, &classic})
    EXPECT_EQ(block_bloom::decode(*other).error().code, errc::corrupt);
  for (const auto* other : {&block, &classic})
    EXPECT_EQ(split_block_bloom::decode(*other).error().code, errc::corrupt);
  for (const auto* other : {&block, &split})
    EXPECT_EQ(bloom::decode(*other).error().code, errc::corrupt);
  EXPECT_EQ(inspect_provisional({}).error().code, errc::corrupt);
  EXPECT_EQ(inspect_provisional(std::vector<std::byte>(64)).error().code, errc::corrupt);
}

template <class F>
void expect_kept(const F& f) {
  const auto back = must(F::decode(encoded(f)));
  EXPECT_TRUE(back == f);
  EXPECT_EQ(back.capacity(), f.capacity());
  EXPECT_TRUE(back.hasher() == f.hasher());
  const temp_dir folder;
  const std::string path = folder / "filter";
  must(f.save(path.c_str()));
  EXPECT_EQ(bytes_of(path), encoded(f));
  const auto loaded = must(F::load(path.c_str()));
  EXPECT_TRUE(loaded == f);
  EXPECT_EQ(loaded.capacity(), f.capacity());
  EXPECT_EQ(folder.files(), 1u);
}

TEST(Provisional, KeepsCapacitySeedAndProfile) {
  const auto ks = keys(2, 500);
  for (const double fpr : {0.1, 0.01, 1e-4}) {
    expect_kept(must(block_bloom::build(ks, {.keys = 1234, .fpr = fpr})));
    expect_kept(must(
        block_bloom::build(ks, {.fpr = fpr, .hasher = hasher::xxh3(0x123456789abcdef)})));
  }
  expect_kept(must(block_bloom::build(ks, {.hasher = hasher::xxh64(7)})));
  expect_kept(must(split_block_bloom::build(ks)));
  expect_kept(must(bloom::build(ks, {.fpr = 1e-6, .hasher = hasher::xxh3(5)})));
}

// The secret would have to be in the file.
TEST(Provisional, AFilterWithASecretIsNotStored) {
  const hasher sip = hasher::siphash13(counting_secret());
  const auto f = must(block_bloom::make({.keys = 10, .hasher = sip}));
  const temp_dir folder;
  EXPECT_EQ(f.encode().error().code, errc::unsupported);
  EXPECT_EQ(f.save((folder / "x").c_str()).error().code, errc::unsupported);
  EXPECT_EQ(folder.files(), 0u);
  const auto b = must(bloom::make({.keys = 10, .hasher = sip}));
  EXPECT_EQ(b.encode().error().code, errc::unsupported);
}

// Whatever can be stored can be read.
TEST(Provisional, EveryHasherWithoutASecretComesBack) {
  for (const hasher& h : {hasher::xxh3(), hasher::xxh3(7), hasher::xxh64(),
                          hasher::xxh64(7), hasher::fnv1a_splitmix()}) {
    auto f = must(block_bloom::make({.keys = 10, .hasher = h}));
    f.insert("a");
    EXPECT_TRUE(must(block_bloom::decode(encoded(f))) == f) << name_of(h.id());
    auto b = must(bloom::make({.keys = 10, .hasher = h}));
    b.insert("a");
    EXPECT_TRUE(must(bloom::decode(encoded(b))) == b) << name_of(h.id());
  }
}

TEST(Provisional, FilesThatAreMissingOrShort) {
  const temp_dir folder;
  EXPECT_EQ(block_bloom::load((folder / "none").c_str()).error().code, errc::io);
  EXPECT_EQ(bloom::load((folder / "none").c_str()).error().code, errc::io);
  const auto bytes = encoded(must(split_block_bloom::build(keys(3, 100))));
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{63}, std::size_t{64}, bytes.size() - 1}) {
    const std::string path = folder / "part";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(n));
    EXPECT_EQ(split_block_bloom::load(path.c_str()).error().code, errc::corrupt) << n;
  }
}

}  // namespace
}  // namespace bloomery::testing
