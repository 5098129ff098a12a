// Every kernel of the quotient filter does what the portable one does.
#include "kernel/quotient.hpp"

#include <bit>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/quotient_sizing.hpp>

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

}  // namespace
}  // namespace bloomery
