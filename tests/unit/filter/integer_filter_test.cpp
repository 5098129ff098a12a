// Filters of integers, of every kind and as threads share them: the same bits and files
// as keys that were hashed by hash_u64.  What does not compile: tests/nocompile.
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/kinds.hpp>

#include "filter_types.hpp"
#include "must.hpp"
#include "temp_dir.hpp"

namespace bloomery::testing {
namespace {

const std::vector<std::int64_t> values{0, 1, 42, -1, -42, 4294967295, INT64_MIN};

template <class F, class K>
void put(F& f, const K& k) {
  if constexpr (requires { f.insert(k); })
    f.insert(k);
  else
    (void)f.try_insert(k);
}

// The plain filter with the same source, given at run time.
template <class F>
F with_hasher_of_integers(std::uint64_t n) {
  typename F::params p{.keys = n};
  if constexpr (params_with_hasher<typename F::params>)
    p.hasher = p.hasher.of(key_source::integers);
  else
    p.source = key_source::integers;
  return must(F::make(p));
}

template <class F>
class IntegerFilter : public ::testing::Test {};
using all_types = bloomery::detail::joined<filter_types, concurrent_types>::type;
TYPED_TEST_SUITE(IntegerFilter, all_types::apply<::testing::Types>);

// The same number is the same key, whatever its type; modulo 2^64.
TYPED_TEST(IntegerFilter, AnIntegerIsItsValue) {
  using F = TypeParam;
  if constexpr (build_only<F>) {
    GTEST_SKIP();
  } else {
    auto expected = with_hasher_of_integers<F>(1000);
    auto narrow = must(F::integers::make({.keys = 1000})),
         wide = must(F::integers::make({.keys = 1000})),
         range = must(F::integers::make({.keys = 1000}));
    for (const std::int64_t x : values) {
      put(expected, expected.hash_u64(static_cast<std::uint64_t>(x)));
      put(wide, static_cast<std::uint64_t>(x));
      if (x == static_cast<int>(x))
        put(narrow, static_cast<int>(x));
      else
        put(narrow, x);
      EXPECT_TRUE(wide.may_contain(x)) << x;
    }
    put(range, values);
    EXPECT_TRUE(narrow == expected);
    EXPECT_TRUE(wide == expected);
    EXPECT_TRUE(range == expected);
    std::vector<bool> found;
    range.may_contain(values, std::back_inserter(found));
    EXPECT_EQ(found, std::vector<bool>(values.size(), true));
    EXPECT_EQ(range.hash(42), expected.hash_u64(42));
    EXPECT_EQ(must(range.empty_like()).hasher().source(), key_source::integers);
  }
}

TYPED_TEST(IntegerFilter, IsBuiltFromIntegers) {
  using F = TypeParam;
  if constexpr (buildable<F>) {
    const auto f = must(F::integers::build(values, {.fpr = 0.001}));
    std::vector<key> keys;
    for (const std::int64_t x : values)
      keys.push_back(f.hash_u64(static_cast<std::uint64_t>(x)));
    EXPECT_TRUE(f == must(F::integers::build(keys, {.fpr = 0.001})));
    EXPECT_EQ(f.hasher().source(), key_source::integers);
    for (const std::int64_t x : values) EXPECT_TRUE(f.may_contain(x)) << x;
  } else {
    GTEST_SKIP();
  }
}

// A file of integers is no file of bytes, and one of hashes none of integers.  (A file of
// bytes has no record of its keys: spec/container.md.)
TEST(IntegerFilterFile, RecordsItsKeys) {
  const temp_dir folder;
  const std::string integers = folder / "integers.bloom",
                    hashes = folder / "hashes.bloom";
  auto f = must(block_bloom::integers::make({.keys = 100}));
  f.insert(values);
  must(f.save(integers));
  const auto back = must(block_bloom::integers::load(integers));
  EXPECT_TRUE(back == f);
  EXPECT_TRUE(back.may_contain(-42));
  EXPECT_TRUE(must(block_bloom::integers::decode(must(f.encode()).bytes())) == f);
  EXPECT_EQ(block_bloom::load(integers).error().code, errc::incompatible);
  const auto of_hashes = hasher::xxh3().of(key_source::hashes);
  must(must(block_bloom::make({.keys = 100, .hasher = of_hashes})).save(hashes));
  const auto refused = block_bloom::integers::load(hashes);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, errc::incompatible);
}

TEST(IntegerFilterFile, AdoptsFiltersOfIntegersOnly) {
  auto shared = must(concurrent<block_bloom>::integers::make({.keys = 100}));
  shared.insert(42);
  const auto plain = must(block_bloom::integers::adopt(must(shared.snapshot())));
  EXPECT_TRUE(plain.may_contain(42));
  const auto refused =
      block_bloom::integers::adopt(must(block_bloom::make({.keys = 100})));
  EXPECT_EQ(refused.error().code, errc::incompatible);
}

}  // namespace
}  // namespace bloomery::testing
