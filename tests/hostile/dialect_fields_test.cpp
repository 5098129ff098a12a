// Every number in the header of every dialect, alone and in pairs, and every option that
// a reader is told: refused by name and place, or a filter that answers, at no more than
// a mebibyte beyond the image.
#include <cstdio>
#include <functional>
#include <optional>

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "base/byte_writer.hpp"
#include "cases.hpp"
#include "container_samples.hpp"
#include "full.hpp"
#include "nori_images.hpp"

namespace bloomery::testing {
namespace {

struct tally {
  std::size_t cases = 0, accepted = 0;
};

void read(const dialect_sample& s, std::span<const std::byte> image,
          const foreign_options& o, const std::function<std::string()>& what, tally& t) {
  static const auto others = numbered("x", 20);
  ++t.cases;
  const allocation_watch watch;
  const auto f = foreign_filter::decode(s.dialect, image, o);
  if (f)
    for (const auto& k : others) (void)f->may_contain(k);
  const std::uint64_t taken = watch.bytes();
  t.accepted += f.has_value();
  if (taken > image.size() + max_beyond_input)
    ADD_FAILURE() << s.name << ": " << what() << ": takes " << taken << " bytes";
  if (f) return;
  const error& e = f.error();
  if (e.code == errc::io || e.at > image.size() || e.what == nullptr || *e.what == 0)
    ADD_FAILURE() << s.name << ": " << what() << ": " << e.code << " at " << e.at << ", "
                  << e.what;
}

// With the variant, and by the bytes alone.
void read_both(const dialect_sample& s, std::span<const std::byte> image,
               const std::function<std::string()>& what, tally& t) {
  read(s, image, s.read, what, t);
  foreign_options unnamed = s.read;
  unnamed.variant = {};
  read(s, image, unnamed, what, t);
}

std::string placed(const header_field& f, std::uint64_t v) {
  return std::string(f.name) + " at " + std::to_string(f.at) + " = " + std::to_string(v) +
         " ";
}

// `most`: with more fields than this, bytes one by one, no pairs are made.
tally walk(const dialect_sample& s, bool pairs, std::size_t most) {
  tally t;
  for (const header_field& a : s.fields)
    for (const auto va : hostile_values(field_value(s.image, a), a.bytes)) {
      const auto one = with_field(s, s.image, a, va);
      read_both(
          s, one, [&] { return placed(a, va); }, t);
      if (!pairs || s.fields.size() > most) continue;
      for (const header_field* b = &a + 1; b != s.fields.data() + s.fields.size(); ++b)
        for (const auto vb : hostile_values(field_value(s.image, *b), b->bytes))
          read_both(
              s, with_field(s, one, *b, vb),
              [&] { return placed(a, va) + placed(*b, vb); }, t);
    }
  return t;
}

void report(const tally& t) {
  count_cases("files", t.cases);
  std::printf("%zu images, %zu of them read\n", t.cases, t.accepted);
}

tally walk_all(bool pairs, std::size_t most) {
  tally all;
  for (const auto& s : dialect_samples(10)) {
    const tally t = walk(s, pairs, most);
    all.cases += t.cases;
    all.accepted += t.accepted;
  }
  return all;
}

TEST(DialectSamples, CoverEveryVariantAndHoldTheirKeys) {
  const auto samples = dialect_samples(10);
  for (std::size_t d = 0; d < dialect_count(); ++d) {
    const auto facts = dialect_at(d);
    std::string_view rest = facts.variants;
    while (!rest.empty()) {
      const auto word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      if (word == "(r)") continue;
      EXPECT_TRUE(std::ranges::any_of(samples,
                                      [&](const dialect_sample& s) {
                                        return s.dialect == facts.name &&
                                               s.read.variant == word;
                                      }))
          << facts.name << " " << word;
    }
  }
  const std::size_t many = sanitized ? 1000 : 10'000;
  for (const std::size_t n : {std::size_t{10}, many})
    for (const auto& s : dialect_samples(n)) {
      SCOPED_TRACE(s.name);
      const auto f = must(foreign_filter::decode(s.dialect, s.image, s.read));
      EXPECT_EQ(f.variant(), s.read.variant);
      for (const auto& k : s.keys) ASSERT_TRUE(f.may_contain(k)) << k;
      std::size_t found = 0;
      for (const auto& k : numbered("x", 1000)) found += f.may_contain(k);
      EXPECT_LT(found, 200u) << "of 1000";
      const double rate = f.realised_fpr();
      EXPECT_TRUE(rate >= 0 && rate < 0.2) << rate;
    }
}

TEST(DialectFields, TheWatchSeesWhatIsTaken) {
  const auto s = dialect_samples(10'000)[0];
  const allocation_watch watch;
  const auto f = foreign_filter::decode(s.dialect, s.image, s.read);
  EXPECT_GE(watch.bytes(), s.image.size());
  EXPECT_LE(watch.calls(), 2u);
  EXPECT_TRUE(f);
}

TEST(DialectFields, EachNumberAndEachPairIsALie) {
  const tally t = walk_all(true, 16);
  EXPECT_GT(t.accepted, 100u);
  report(t);
}

TEST(DialectFieldsFull, EachPairOfBytesOfParquetsFooterIsALie) {
  BLOOMERY_FULL_ONLY();
  report(walk_all(true, ~std::size_t{0}));
}

// Lookups that read a mebibyte each: 2^18 of them would take an hour.
TEST(DialectFields, ARateIsLearntWhateverALookupCosts) {
  const auto rate = [](const char* dialect, const char* variant,
                       std::span<const std::byte> image) {
    foreign_options o;
    o.variant = variant;
    return must(foreign_filter::decode(dialect, image, o)).realised_fpr();
  };
  EXPECT_LT(rate("nori", "quotient", quotient_image(numbered("k", 100), 20, 12)), 1e-3);
  // All ones, and as many hashes as can be written.
  std::vector<std::byte> ones(24 + (1u << 20), std::byte{0xff});
  base::byte_writer header(ones);
  header.write(std::uint64_t{8} << 20);
  header.write(std::uint64_t{0xffffffff});
  header.write(std::uint64_t{1} << 17);
  EXPECT_EQ(rate("atomicbloom", "words", ones), 1);
}

// What the bytes do not tell comes from outside, too.
TEST(DialectFields, EachOptionIsALie) {
  tally t;
  std::vector<std::optional<std::uint64_t>> values{std::nullopt};
  for (const std::uint64_t v : hostile_values(7, 8)) values.emplace_back(v);
  for (const auto& s : dialect_samples(10))
    for (const auto& bits : values)
      for (const auto& hashes : values)
        for (const auto& seed_and_part : values) {
          foreign_options o = s.read;
          o.bits = bits;
          if (hashes) o.hashes = static_cast<std::uint32_t>(*hashes);
          o.seed = seed_and_part;
          o.part = seed_and_part.value_or(foreign_options::every_part);
          for (const key_form form : {key_form::bytes, key_form::integer}) {
            o.form = form;
            read(
                s, s.image, o,
                [&] {
                  return "bits " + std::to_string(bits.value_or(0)) + " hashes " +
                         std::to_string(hashes.value_or(0)) + " seed, part " +
                         std::to_string(seed_and_part.value_or(0));
                },
                t);
          }
        }
  EXPECT_GT(t.accepted, 1000u);
  report(t);
}

}  // namespace
}  // namespace bloomery::testing
