// Every kernel of the quotient filter does what the portable one does.
#include "kind/quotient/kernel/table.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/detail/kind/quotient/sizing.hpp>

#include "base/cpu.hpp"
#include "cases.hpp"
#include "kind/quotient/stream.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

TEST(QuotientKernels, FindTheSameBit) {
  testing::random from(1);
  for (int i = 0; i < 20'000; ++i) {
    std::uint64_t word = from.next();
    if (i % 3 == 0) word &= from.next() & from.next();
    if (i % 5 == 0) word |= from.next() | from.next();
    if (i == 0) word = ~std::uint64_t{0};
    unsigned n = 0;
    for (std::uint64_t left = word; left != 0; left &= left - 1, ++n)
      for (const auto* kernel : kernel::quotient_kernels())
        ASSERT_EQ(kernel->select(word, n), static_cast<unsigned>(std::countr_zero(left)))
            << kernel->name;
  }
}

TEST(QuotientKernels, MakeTheSameBytesAndAnswers) {
  for (const quotient_layout l : {quotient_layout_of(500, 2), quotient_layout_of(500, 7),
                                  quotient_layout_of(3000, 13)}) {
    const auto ks = testing::keys(l.quotients, l.quotients);
    const auto others = testing::keys(7, 4000);
    std::vector<std::uint64_t> first;
    std::vector<char> answers;
    for (const auto* kernel : kernel::quotient_kernels()) {
      SCOPED_TRACE(kernel->name);
      std::vector<std::uint64_t> words(l.words() + 8);
      auto* const data = reinterpret_cast<std::byte*>(words.data());
      std::size_t in = kernel->insert_many(l, data, ks.data(), ks.size() - 50);
      for (std::size_t i = in; i < ks.size(); ++i)
        in += kernel->insert(l, data, ks[i].bits()) == kernel::quotient_result::done;
      const auto erased = std::make_unique<bool[]>(ks.size());
      kernel->erase_many(l, data, ks.data(), ks.size() / 3, erased.get());
      std::vector<char> now;
      const auto out = std::make_unique<bool[]>(others.size());
      kernel->query(l, data, others.data(), others.size(), out.get());
      for (std::size_t i = 0; i < others.size(); ++i) {
        now.push_back(out[i]);
        EXPECT_EQ(kernel->may_contain(l, data, others[i].bits()), out[i]);
        EXPECT_EQ(kernel->count(l, data, others[i].bits()) != 0, out[i]);
      }
      if (first.empty()) first = words, answers = now;
      EXPECT_EQ(words, first);
      EXPECT_EQ(now, answers);
    }
  }
}

using words = std::vector<std::uint64_t>;

// `n` fingerprints, one of eight a copy of another, and of one in 64 many copies.
words some_words(const quotient_layout& l, std::size_t n, std::uint64_t seed) {
  const kernel::quotient_kernel& k = *kernel::quotient_kernels().front();
  words out(l.words() + 1);  // pages extend further than what they hold
  testing::random from(seed);
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t h = from.below(8) == 0 ? last : from.next();
    for (std::uint64_t c = i % 64 == 0 ? from.below(300) : 1; c != 0; --c)
      k.insert(l, reinterpret_cast<std::byte*>(out.data()), h);
    last = h;
  }
  return out;
}

// Batches of every kernel against the one-key call of the definition: runs of many
// copies, across blocks and far from home, at both ends, and any number of keys.
TEST(QuotientKernels, AnswerBatchesAlike) {
  const kernel::quotient_kernel& definition = *kernel::quotient_kernels().front();
  std::size_t comparisons = 0;
  for (const std::uint32_t r : {2u, 3u, 7u, 8u, 13u, 31u, 32u})
    for (const std::uint64_t quotients : {1u, 64u, 100u, 200u, 5000u})
      for (const unsigned percent : {10u, 60u, 95u, 98u}) {
        const quotient_layout l = quotient_layout_of(quotients, r);
        const words filter = some_words(l, quotients * percent / 100, r + percent);
        const auto* const data = reinterpret_cast<const std::byte*>(filter.data());
        auto asked = testing::keys(percent, 2003);
        for (quotient_stream s(l, data); s.top() != quotient_stream::none; s.take())
          asked.push_back(l.key_of(s.top()));
        asked.push_back(key::from_bits(0));
        asked.push_back(key::from_bits(~std::uint64_t{0}));
        for (const auto* kernel : kernel::quotient_kernels()) {
          SCOPED_TRACE(kernel->name);
          for (const std::size_t n : {asked.size(), std::size_t{9}, std::size_t{7}}) {
            const auto out = std::make_unique<bool[]>(n);
            const auto some = std::span(asked).last(std::min(n, asked.size()));
            kernel->query(l, data, some.data(), some.size(), out.get());
            for (std::size_t i = 0; i < some.size(); ++i)
              ASSERT_EQ(out[i], definition.may_contain(l, data, some[i].bits()))
                  << "r " << r << ", S " << quotients << ", " << percent << " %, " << i;
            comparisons += some.size();
          }
        }
      }
  testing::count_cases("answers", comparisons);
}

// The same of a filter that does not fit the second cache: keys are fetched ahead.
TEST(QuotientKernels, AnswerBatchesAlikeBeyondTheCache) {
  const auto kernels = kernel::quotient_kernels();
  constexpr std::uint32_t r = 13;
  const quotient_layout l = quotient_layout_of(base::caches().l2 / 2 + 100'000, r);
  ASSERT_GT(l.size_in_bytes(), base::caches().l2);
  const auto in = testing::keys(1, l.quotients * 9 / 10);
  words filter(l.words() + 1);
  auto* const data = reinterpret_cast<std::byte*>(filter.data());
  ASSERT_EQ(kernels.back()->insert_many(l, data, in.data(), in.size()), in.size());
  auto asked = testing::keys(2, 20'003);
  asked.insert(asked.end(), in.begin(), in.begin() + 20'000);
  for (const auto* kernel : kernels) {
    SCOPED_TRACE(kernel->name);
    for (const std::size_t n : {asked.size(), std::size_t{39}}) {
      const auto out = std::make_unique<bool[]>(n);
      const auto some = std::span(asked).last(n);
      kernel->query(l, data, some.data(), n, out.get());
      for (std::size_t i = 0; i < n; ++i)
        ASSERT_EQ(out[i], kernels.front()->may_contain(l, data, some[i].bits())) << i;
    }
  }
}

// The definition: every fingerprint of both, inserted.  The second may have another
// number of blocks, and remainders that are `longer` by so many bits.
void expect_same_merge(const kernel::quotient_kernel& k, const quotient_layout& l,
                       unsigned longer, unsigned percent, std::size_t& merged,
                       std::size_t& refused) {
  auto lb = quotient_layout_of(l.quotients >> longer, l.remainder_bits + longer);
  ++lb.blocks;
  const std::size_t n = l.quotients * percent / 100;
  const words a = some_words(l, n, 1), b = some_words(lb, n, 2);
  words expected = a, all(l.words() + 1);
  const auto bytes = [](auto& v) { return reinterpret_cast<std::byte*>(v.data()); };
  const auto* const from_a = reinterpret_cast<const std::byte*>(a.data());
  const auto* const from_b = reinterpret_cast<const std::byte*>(b.data());
  bool fits = true;
  for (quotient_stream s(lb, from_b); s.top() != quotient_stream::none;) {
    const std::uint64_t h = l.key_of(s.top()).bits();
    for (std::uint64_t c = s.take(); c != 0; --c)
      fits &= kernel::quotient_kernels().front()->insert(l, bytes(expected), h) ==
              kernel::quotient_result::done;
  }
  const auto done = k.merge(l, bytes(all), l, from_a, lb, from_b);
  if (done == kernel::quotient_result::unable) {
    ++refused;
    return;
  }
  ++merged;
  ASSERT_EQ(done, kernel::quotient_result::done);
  ASSERT_TRUE(fits);
  ASSERT_EQ(all, expected) << "r " << l.remainder_bits << ", S " << l.quotients << ", "
                           << percent << ", " << longer;
}

TEST(QuotientKernels, MergeToTheSameBytes) {
  for (const auto* kernel : kernel::quotient_kernels()) {
    if (kernel->merge == nullptr) continue;
    SCOPED_TRACE(kernel->name);
    std::size_t merged = 0, refused = 0;
    for (const std::uint32_t r : {2u, 3u, 7u, 8u, 9u, 15u, 16u, 24u})
      for (const std::uint64_t quotients : {1u, 63u, 64u, 65u, 1000u, 7776u})
        for (const unsigned percent : {0u, 1u, 20u, 40u, 47u})
          for (unsigned longer = 0; longer <= 3; ++longer)
            if (quotients % (1u << longer) == 0 && r + longer <= 24)
              expect_same_merge(*kernel, quotient_layout_of(quotients, r), longer,
                                percent, merged, refused);
    EXPECT_GT(merged, 4 * refused);
  }
}

// Bytes that no writer wrote: merged somehow, or refused, and none beyond them is read.
TEST(QuotientKernels, MergeOfHostileBytesEnds) {
  testing::random from(3);
  const auto l = quotient_layout_of(300, 6);
  const words good = some_words(l, 140, 4);
  for (const auto* kernel : kernel::quotient_kernels()) {
    if (kernel->merge == nullptr) continue;
    for (int i = 0; i < 3000; ++i) {
      words a = good;
      for (std::uint64_t n = 1 + from.below(10); n != 0; --n)
        a[from.below(a.size())] ^= i % 2 == 0 ? from.next() : 1ull << from.below(64);
      if (i % 10 == 0)
        for (std::uint64_t& w : a) w = from.next();
      const auto* const hostile = reinterpret_cast<const std::byte*>(a.data());
      words all(l.words());
      kernel->merge(l, reinterpret_cast<std::byte*>(all.data()), l, hostile, l,
                    reinterpret_cast<const std::byte*>(good.data()));
      const auto twice = *doubled(l);
      all.assign(twice.words(), 0);
      kernel->merge(twice, reinterpret_cast<std::byte*>(all.data()), l, hostile,
                    {twice.quotients, twice.remainder_bits, 0}, nullptr);
    }
  }
}

}  // namespace
}  // namespace bloomery
