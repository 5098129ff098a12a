// Quotient filters that were made to be slow: a lookup goes through 4096 blocks and runs
// of 1024 slots at the most, whatever the bytes are (spec/filters.md, 15.5).
#include <bloomery/quotient.hpp>

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/concurrent.hpp>
#include <bloomery/detail/kind/quotient/runs.hpp>
#include <bloomery/detail/kind/quotient/words.hpp>
#include <bloomery/filter_view.hpp>

#include "must.hpp"
#include "quotient_files.hpp"
#include "quotient_oracle.hpp"
#include "temp_dir.hpp"

namespace bloomery {
namespace {

using testing::multiset;
using testing::must;
using payload = testing::quotient_payload;

using runs = quotient_runs<plain_words<const std::byte>, broadword_select>;
constexpr std::uint64_t max_blocks = runs::max_blocks, max_run = runs::max_run;

// What one lookup reads.
struct counted_words : plain_words<const std::byte> {
  std::uint64_t* reads;
  std::uint64_t word(std::uint64_t i) const noexcept {
    ++*reads;
    return plain_words::word(i);
  }
};

struct lookup {
  bool found;
  std::uint64_t reads;
};
lookup look(const quotient_layout& l, const std::vector<std::byte>& bytes,
            std::uint64_t fingerprint) {
  std::uint64_t reads = 0;
  const quotient_runs<counted_words, broadword_select> all(l, {{bytes.data()}, &reads});
  return {all.may_contain(fingerprint), reads};
}

// Offsets, blocks twice, and a run whose every slot is read three times.
constexpr std::uint64_t max_reads(unsigned r) {
  return 8 * max_blocks + 8 * max_run * (r + 2);
}

constexpr quotient_layout large{64 * (max_blocks + 100), 3, max_blocks + 100};

TEST(QuotientFar, RunsOf1024SlotsAreFollowed) {
  for (const std::uint64_t length : {std::uint64_t{2}, max_run, max_run + 1}) {
    payload p(large);
    p.occupy(70);
    p.end(70 + length - 1);
    p.fill(70, 70 + length - 1, 1);
    const auto bytes = p.bytes();
    EXPECT_EQ(look(large, bytes, 70 * 8 + 5).found, length > max_run) << length;
    EXPECT_TRUE(look(large, bytes, 70 * 8 + 1).found) << length;
  }
}

TEST(QuotientFar, RunsBehind4096BlocksAreNotLookedFor) {
  for (const std::uint64_t blocks : {std::uint64_t{2}, max_blocks, max_blocks + 1}) {
    // The run of quotient 5 lies behind a run that fills blocks - 1 blocks and more.
    payload p(large);
    p.occupy(4);
    p.occupy(5);
    p.end(64 * (blocks - 1));
    p.end(64 * (blocks - 1) + 1);
    p.fill(64 * (blocks - 1) + 1, 64 * (blocks - 1) + 1, 6);
    const auto bytes = p.bytes();
    EXPECT_EQ(look(large, bytes, 5 * 8 + 1).found, blocks > max_blocks) << blocks;
    EXPECT_TRUE(look(large, bytes, 5 * 8 + 6).found) << blocks;
  }
}

TEST(QuotientFar, OffsetsOf255AreFollowedThrough4095Blocks) {
  for (const std::uint64_t back : {std::uint64_t{1}, max_blocks - 1, max_blocks}) {
    payload p(large);
    const std::uint64_t home = 50 + back, q = 64 * home + 9;
    for (std::uint64_t b = 51; b <= home; ++b) p.offset(b, 255);
    p.offset(50, 3);
    p.occupy(q);
    p.end(q);
    p.fill(q, q, 6);
    const auto bytes = p.bytes();
    EXPECT_EQ(look(large, bytes, q * 8 + 1).found, back == max_blocks) << back;
    EXPECT_TRUE(look(large, bytes, q * 8 + 6).found) << back;
  }
  // Block 0 needs no offset: 4095 blocks before it is where the search begins.
  for (const std::uint64_t home : {max_blocks - 1, max_blocks}) {
    payload p(large);
    for (std::uint64_t b = 0; b <= home; ++b) p.offset(b, 255);
    p.occupy(64 * home);
    p.end(64 * home);
    EXPECT_EQ(look(large, p.bytes(), 64 * home * 8 + 1).found, home == max_blocks);
  }
}

// Everything is occupied, nothing ends, offsets lead nowhere; runs of digits.
TEST(QuotientFar, WorkIsBounded) {
  for (const unsigned r : {2u, 13u, 32u}) {
    const std::uint64_t blocks = r == 32 ? 9000 : 40000;
    const quotient_layout l{64 * (blocks - 10), r, blocks};
    std::uint64_t most = 0;
    const auto ask = [&](const payload& p) {
      const auto bytes = p.bytes();
      for (const std::uint64_t b : {std::uint64_t{0}, std::uint64_t{1}, blocks / 2,
                                    blocks / 2 + max_blocks, blocks - 20})
        for (const std::uint64_t i : {0u, 1u, 33u, 63u}) {
          if (b >= blocks - 10) continue;
          const lookup found = look(l, bytes, ((64 * b + i) << r) + 1);
          EXPECT_LE(found.reads, max_reads(r)) << r << ' ' << b << ' ' << i;
          most = std::max(most, found.reads);
        }
    };
    for (const bool saturated : {false, true})
      for (const std::uint64_t step : {1u, 2u, 64u, 1024u, 1025u, 70000u}) {
        payload p(l);
        for (std::uint64_t q = 0; q < l.quotients; q += saturated ? 1 : 7) p.occupy(q);
        for (std::uint64_t i = 0; i < 64 * blocks; i += step) p.end(i);
        if (saturated)
          for (std::uint64_t b = 0; b < blocks; ++b) p.offset(b, 255);
        // The value is that of the keys, as a digit of another.
        p.fill(0, std::min<std::uint64_t>(64 * blocks, 20000) - 1, 1);
        ask(p);
      }
    EXPECT_GT(most, max_blocks);  // the cases come near
  }
}

// The same answers, mapped, loaded, in batches and shared; and a rate that is exact.
void expect_rate(const quotient_layout& l, const multiset& all,
                 std::uint64_t far_quotients) {
  const auto bytes = must(testing::quotient_bytes(l, all));
  const auto f = testing::quotient_of_bytes(l, bytes);
  EXPECT_EQ(f.census().far_quotients, far_quotients);
  const testing::temp_dir dir;
  const std::string path = dir / "far.bloom";
  must(f.save(path));
  const auto view = must(filter_view<quotient>::open(path));
  const auto shared = must(concurrent<quotient>::adopt(must(f.clone())));
  EXPECT_DOUBLE_EQ(shared.realised_fpr(), f.realised_fpr());

  // A remainder that no run has stands for all that it has not.
  double positive = 0;
  const double remainders = static_cast<double>(std::uint64_t{1} << l.remainder_bits);
  const std::uint64_t absent = (std::uint64_t{1} << l.remainder_bits) - 1;
  std::vector<key> ks;
  for (std::uint64_t q = 0; q < l.quotients; ++q)
    ks.push_back(l.key_of((q << l.remainder_bits) + absent));
  const auto answers = std::make_unique<bool[]>(ks.size());
  f.may_contain(ks, {answers.get(), ks.size()});
  std::uint64_t far = 0;
  for (std::uint64_t q = 0; q < l.quotients; ++q) {
    EXPECT_EQ(answers[q], f.may_contain(ks[q])) << q;
    EXPECT_EQ(answers[q], view.may_contain(ks[q])) << q;
    if (q % 61 == 0) {
      EXPECT_EQ(answers[q], shared.may_contain(ks[q])) << q;
    }
    far += answers[q];
  }
  EXPECT_EQ(far, far_quotients);
  for (const auto& [fingerprint, count] : all)
    positive += !answers[fingerprint >> l.remainder_bits];
  positive += static_cast<double>(far) * remainders;
  EXPECT_DOUBLE_EQ(f.realised_fpr(),
                   positive / (static_cast<double>(l.quotients) * remainders));
  for (const auto& [fingerprint, count] : all)
    ASSERT_TRUE(f.may_contain(l.key_of(fingerprint)));
  // Counts are exact however far it is, and so are erases.
  EXPECT_EQ(f.count(l.key_of(all.rbegin()->first)), all.rbegin()->second);
  auto changed = must(f.clone());
  must(changed.erase_present(l.key_of(all.rbegin()->first)));
  must(changed.try_insert(l.key_of(all.rbegin()->first)));
  EXPECT_TRUE(changed == f);
}

TEST(QuotientFar, RatesCountLongRuns) {
  const quotient_layout l = quotient_layout_of(2000, 11);
  multiset all;
  for (std::uint64_t x = 0; x < max_run + 1; ++x) all[(3 << 11) + x] = 1;
  for (std::uint64_t x = 0; x < 40; ++x) all[((1500 + x) << 11) + x] = 1 + x;
  expect_rate(l, all, 1);
}

TEST(QuotientFar, RatesCountRunsThatAreFar) {
  const quotient_layout l = quotient_layout_of(64 * (max_blocks + 200), 19);
  multiset all;
  // One run over 4100 blocks; what is behind it is near again once offsets are distances.
  for (std::uint64_t x = 0; x < 64 * (max_blocks + 4); ++x) all[(7 << 19) + x] = 1;
  const std::uint64_t others = 40;
  for (std::uint64_t i = 1; i <= others; ++i) all[(i * 640) << 19] = 2;
  const std::uint64_t behind = 64 * (max_blocks + 100);
  all[behind << 19] = 1;
  expect_rate(l, all, 1 + others);
}

}  // namespace
}  // namespace bloomery
