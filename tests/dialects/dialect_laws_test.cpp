// What holds for every dialect and every form it writes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/container.hpp>
#include <bloomery/foreign_filter.hpp>

#include "cases.hpp"
#include "full.hpp"
#include "hostile_image.hpp"
#include "must.hpp"
#include "test_key.hpp"
#include "written_variants.hpp"

namespace bloomery::testing::dialect_laws {
namespace {

std::vector<std::string> distinct(std::vector<std::string> keys) {
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

// DataSketches ignores the key of no bytes, and never finds it: its owner's rule.
std::vector<std::string> held_by(std::string_view dialect,
                                 std::vector<std::string> keys) {
  if (dialect == "datasketches") std::erase(keys, "");
  return keys;
}

// RedisBloom counts the keys it did not find, and appends links by that count: there the
// order of keys matters, and so does what was in a filter before.
bool counts_keys(std::string_view dialect) { return dialect == "redisbloom"; }

foreign_filter decoded(const foreign_filter& f) {
  return must(foreign_filter::decode(f.dialect(), must(f.encode()).bytes(), f.options()));
}

std::string hex(const foreign_filter& f) { return to_hex(must(f.encode()).bytes()); }

TEST(DialectLaw, TheTableIsFull) {
  EXPECT_EQ(dialect_count(), 16u);
  EXPECT_GE(written_variants().size(), 27u);
}

TEST(DialectLaw, NoKeyIsDenied) {
  for (const auto& w : written_variants()) {
    for (const auto& some :
         {edge65(), numbered("k", 1000), distinct(mixed_strings(7, 1000))}) {
      SCOPED_TRACE(w.label() + " " + std::to_string(some.size()));
      const auto keys = held_by(w.dialect(), some);
      const auto f = w.of(keys);
      EXPECT_EQ(count_found(f, keys), keys.size());
      EXPECT_EQ(count_found(decoded(f), keys), keys.size());
      const auto out = std::make_unique<bool[]>(keys.size());
      f.may_contain(views(keys), {out.get(), keys.size()});
      EXPECT_EQ(
          static_cast<std::size_t>(std::count(out.get(), out.get() + keys.size(), true)),
          keys.size());
      count_cases("lookups", 3 * keys.size());
    }
  }
}

TEST(DialectLaw, DecodeThenEncodeIsTheIdentity) {
  for (const auto& w : written_variants()) {
    SCOPED_TRACE(w.label());
    const auto f = w.of(numbered("k", 1000));
    EXPECT_EQ(f.variant(), w.variant);
    const auto again = decoded(f);
    EXPECT_EQ(hex(again), hex(f));
    EXPECT_EQ(again.variant(), f.variant());
    EXPECT_EQ(again.hash(), f.hash());
    EXPECT_EQ(again.bits(), f.bits());
    EXPECT_EQ(again.hashes(), f.hashes());
    EXPECT_EQ(again.seed(), f.seed());
    EXPECT_EQ(again.capacity(), f.capacity());
    EXPECT_EQ(again.parts(), f.parts());
    for (const auto& k : numbered("x", 1000))
      EXPECT_EQ(again.may_contain(k), f.may_contain(k)) << k;
  }
}

TEST(DialectLaw, MergeIsUnion) {
  const auto all = numbered("k", 1000), absent = numbered("x", 1000);
  const std::vector<std::string> first(all.begin(), all.begin() + 500),
      second(all.begin() + 500, all.end());
  for (const auto& w : written_variants()) {
    SCOPED_TRACE(w.label());
    const auto p = w.params(1000);
    auto a = filter_of(w.dialect(), p, first);
    const auto b = filter_of(w.dialect(), p, second);
    std::vector<bool> either;
    for (const auto& k : absent) either.push_back(a.may_contain(k) || b.may_contain(k));
    must(a.merge(b));
    EXPECT_EQ(count_found(a, all), all.size());
    for (std::size_t i = 0; i < absent.size(); ++i)
      EXPECT_LE(either[i], a.may_contain(absent[i])) << absent[i];
    if (!counts_keys(w.dialect())) {
      EXPECT_EQ(hex(a), hex(filter_of(w.dialect(), p, all)));
    }

    const auto before = hex(a);
    const auto refused = a.merge(filter_of(w.dialect(), w.params(5000), second));
    count_cases("merges", 2);
    ASSERT_FALSE(refused) << "of another size";
    EXPECT_EQ(refused.error().code, errc::incompatible);
    EXPECT_EQ(hex(a), before);
  }
}

TEST(DialectLaw, TheOrderOfKeysDoesNotMatter) {
  const auto keys = numbered("k", 1000);
  const std::vector<std::string> reversed(keys.rbegin(), keys.rend());
  for (const auto& w : written_variants()) {
    SCOPED_TRACE(w.label());
    const auto f = w.of(keys), g = w.of(reversed);
    if (!counts_keys(w.dialect())) {
      EXPECT_EQ(hex(f), hex(g));
    }
    EXPECT_EQ(count_found(g, keys), keys.size());
  }
}

TEST(DialectLaw, ListedVariantsAreKnownAndOthersAreNot) {
  for (std::size_t i = 0; i < dialect_count(); ++i) {
    const auto facts = dialect_at(i);
    for (const auto variant : {"nonsense", "(r)", " ", "New", facts.name.data()}) {
      SCOPED_TRACE(std::string(facts.name) + " " + variant);
      EXPECT_EQ(foreign_filter::make(facts.name, sized(10, 0.01, variant)).error().code,
                errc::invalid_argument);
      EXPECT_EQ(
          foreign_filter::decode(facts.name, image_bytes(64), as(variant)).error().code,
          errc::invalid_argument);
    }
    for (const auto variant : words(facts.variants)) {
      if (variant == "(r)") continue;
      const auto all = written_variants();
      const bool written = std::ranges::any_of(all, [&](const written_variant& w) {
        return w.dialect() == facts.name && w.variant == variant;
      });
      foreign_params p = sized(100, 0.01, variant);
      p.seed = 0;
      const auto f = foreign_filter::make(facts.name, p);
      ASSERT_EQ(f.has_value(), written) << facts.name << " " << variant;
      if (!f) {
        EXPECT_EQ(f.error().code, errc::unsupported);
      }
    }
  }
  for (const auto& w : written_variants())
    EXPECT_EQ(w.of({"k"}).encode("nonsense").error().code, errc::invalid_argument)
        << w.label();
}

// Another form of the same bits answers the same, or is refused.
TEST(DialectLaw, ConversionsKeepEveryAnswer) {
  const auto keys = numbered("k", 1000), absent = numbered("x", 5000);
  std::size_t converted = 0;
  for (const auto& w : written_variants()) {
    const auto f = w.of(keys);
    for (const auto variant : words(w.facts.variants)) {
      if (variant == "(r)" || variant == w.variant) continue;
      SCOPED_TRACE(w.label() + " to " + std::string(variant));
      const auto bytes = f.encode(variant);
      if (!bytes) {
        EXPECT_EQ(bytes.error().code, errc::unsupported);
        continue;
      }
      ++converted;
      foreign_options o = f.options();
      o.variant = variant;
      const auto g = must(foreign_filter::decode(w.dialect(), bytes->bytes(), o));
      EXPECT_EQ(g.variant(), variant);
      EXPECT_EQ(count_found(g, keys), keys.size());
      for (const auto& k : absent) ASSERT_EQ(g.may_contain(k), f.may_contain(k)) << k;
    }
  }
  // bits-and-blooms 12, and 2 each of parquet, leveldb, cassandra and datasketches; nori
  // from current to old-mod.
  EXPECT_EQ(converted, 21u);
}

TEST(DialectLaw, WhatIsNeededIsNeeded) {
  for (const auto& w : written_variants()) {
    const auto f = w.of(numbered("k", 10));
    const auto bytes = must(f.encode());
    foreign_options bare;  // what the bytes do not tell, and no more
    for (const auto need : words(w.facts.needs)) {
      if (need == "variant") bare.variant = f.options().variant;
      if (need == "hashes") bare.hashes = f.options().hashes;
      if (need == "seed") bare.seed = f.options().seed;
    }
    // A form that is only one of several needs its name.
    if (f.variant() == "bitset") bare.variant = "bitset";
    const auto read = foreign_filter::decode(w.dialect(), bytes.bytes(), bare);
    ASSERT_TRUE(read.has_value()) << w.label() << ": " << read.error().what;
    EXPECT_EQ(count_found(*read, numbered("k", 10)), 10u) << w.label();
    for (const auto need : words(w.facts.needs)) {
      if (need == "seed" && f.variant() == "granule") continue;  // tokenbf alone has one
      SCOPED_TRACE(w.label() + " without " + std::string(need));
      foreign_options less = bare;
      if (need == "variant") less.variant = {};
      if (need == "hashes") less.hashes.reset();
      if (need == "seed") less.seed.reset();
      expect_refused(w.dialect(), bytes.bytes(), errc::invalid_argument, 0, less);
    }
  }
}

TEST(DialectLaw, TheRealisedRateIsTheMeasuredOne) {
  BLOOMERY_STATISTICS();
  constexpr std::size_t lookups = 1 << 18;
  const auto absent = numbered("absent ", lookups);
  for (const auto& w : written_variants()) {
    SCOPED_TRACE(w.label());
    const auto f = w.of(numbered("k", 1000));
    const double measured = static_cast<double>(count_found(f, absent)) / lookups;
    const double rate = f.realised_fpr();
    EXPECT_GT(rate, 0);
    EXPECT_LT(rate, 0.05);
    // Both are counts of as many lookups.
    EXPECT_NEAR(rate, measured, 5 * std::sqrt(2 * rate * (1 - rate) / lookups));
    count_cases("filters", 1);
  }
}

TEST(DialectLaw, AbsurdParametersAreRefused) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(),
                   infinity = std::numeric_limits<double>::infinity();
  for (const auto& w : written_variants()) {
    SCOPED_TRACE(w.label());
    const auto refused = [&](const foreign_params& p) {
      return !foreign_filter::make(w.dialect(), p).has_value();
    };
    for (const double bad : {0.0, 1.0, -0.5, 1.5, nan, infinity, -infinity}) {
      EXPECT_TRUE(refused(w.params(100, bad))) << "fpr " << bad;
      if (bad == 1.0 || bad == 1.5) continue;
      auto p = w.params(100);
      p.fpr.reset();
      p.bits_per_key = bad;
      EXPECT_TRUE(refused(p)) << "bits per key " << bad;
    }
    auto p = w.params(std::uint64_t{1} << 63);
    EXPECT_TRUE(refused(p)) << "keys";
    p = w.params(100);
    p.bits = std::uint64_t{1} << 63;
    EXPECT_TRUE(refused(p)) << "bits";
    p = w.params(100);
    for (const std::uint32_t k : {0u, 5000u, 0xffffffffu}) {
      p.hashes = k;
      if (k == 0 && w.dialect() == "bits-and-blooms") continue;  // New takes 0 for 1
      EXPECT_TRUE(refused(p)) << "hashes " << k;
    }
    // No keys: refused, or a filter that its owner makes for none and that finds none.
    const auto none = foreign_filter::make(w.dialect(), w.params(0));
    if (none) {
      EXPECT_EQ(count_found(*none, numbered("x", 1000)), 0u);
    }
  }
}

TEST(DialectLaw, AContainerGivesBackTheSameBytes) {
  for (const auto& w : written_variants()) {
    SCOPED_TRACE(w.label());
    const auto f = w.of(numbered("k", 1000));
    const auto container = must(encode_wrapped(f));
    const auto back = must(decode_wrapped(container.bytes()));
    EXPECT_EQ(hex(back), hex(f));
    EXPECT_EQ(back.dialect(), f.dialect());
    EXPECT_EQ(back.variant(), f.variant());
    EXPECT_EQ(count_found(back, numbered("k", 1000)), 1000u);
  }
}

TEST(DialectLaw, PartsThatAreNotThereAreRefused) {
  for (const auto& w : written_variants()) {
    SCOPED_TRACE(w.label());
    const auto f = w.of(numbered("k", 10));
    foreign_options o = f.options();
    o.part = 0;
    EXPECT_TRUE(foreign_filter::decode(w.dialect(), must(f.encode()).bytes(), o));
    o.part = f.parts();
    EXPECT_EQ(
        foreign_filter::decode(w.dialect(), must(f.encode()).bytes(), o).error().code,
        errc::invalid_argument);
  }
  // The links of a chain are one filter.
  const auto chain =
      filter_of("redisbloom", sized(10, 0.01, "scaling"), numbered("k", 100));
  EXPECT_GT(chain.parts(), 1u);
  EXPECT_EQ(
      foreign_filter::decode("redisbloom", chain.bytes(), as("scaling", 1)).error().code,
      errc::invalid_argument);
}

// Damage is answered with "perhaps", which is then written, or refused to be written: the
// next reader would believe the bytes.
TEST(DialectLaw, DamageIsNotWrittenAsIfItWereWhole) {
  const auto keys = numbered("k", 1000);
  for (const auto& w : written_variants()) {
    SCOPED_TRACE(w.label());
    const auto f = w.of(keys);
    auto image = copy_of(must(f.encode()).bytes());
    // Chunk 2 of 256 bytes holds cells, whatever the header; its bytes read 'A'.
    std::fill(image.begin() + 512, image.begin() + 768, std::byte{'A'});
    auto g = foreign_filter::decode(w.dialect(), image, f.options());
    ASSERT_TRUE(g.has_value()) << g.error().what;
    must(g->mark_damaged(std::vector<std::uint64_t>{4}, 8));
    EXPECT_EQ(count_found(*g, keys), keys.size());
    const auto bytes = g->encode();
    if (!bytes) {
      EXPECT_EQ(bytes.error().code, errc::corrupt);
      continue;
    }
    const auto again =
        must(foreign_filter::decode(w.dialect(), bytes->bytes(), f.options()));
    EXPECT_EQ(count_found(again, keys), keys.size());
  }
}

}  // namespace
}  // namespace bloomery::testing::dialect_laws
