// What is hashed inline, and many at a time, is what the definitions say.
#include "hash/batch.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/detail/hash/mix.hpp>
#include <bloomery/detail/hash/xxh3_short.hpp>
#include <bloomery/hasher.hpp>

#include "cases.hpp"
#include "edges.hpp"
#include "hash/siphash.hpp"
#include "hash/xxh.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

std::string text_of(testing::random& from, std::size_t size) {
  std::string s(size, '\0');
  for (char& c : s) c = static_cast<char>(from.next() & 0xff);
  return s;
}

// libxxhash is the reference.  Every length, each length class from both sides.
TEST(ShortTexts, AreHashedInlineAsByTheReference) {
  testing::random from(1);
  std::uint64_t tried = 0;
  for (int round = 0; round < 200; ++round)
    for (const std::uint64_t seed :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0xffffffff},
          std::uint64_t{1} << 32, ~std::uint64_t{0}, from.next()})
      for (std::size_t n = 0; n <= hash::xxh3_short_size + 16; ++n, ++tried) {
        const std::string s = text_of(from, n);
        const std::uint64_t expected = hash::xxh3(s, seed);
        if (n <= hash::xxh3_short_size) {
          ASSERT_EQ(hash::xxh3_short(s.data(), n, seed), expected) << n << " " << seed;
        }
        ASSERT_EQ(hasher::xxh3(seed).hash(s).bits(), expected) << n << " " << seed;
      }
  testing::count_cases("same bits", tried);
}

TEST(HashBatches, OfIntegersAreTheDefinition) {
  testing::random from(2);
  for (const hash::batch_kernel* kernel : hash::batch_kernels())
    for (const std::size_t n : testing::edge_counts) {
      // In vectors of exactly this size: AddressSanitizer sees what goes past them.
      std::vector<std::uint64_t> xs(n);
      for (std::uint64_t& x : xs) x = from.next();
      if (n > 0) xs.front() = 0;
      if (n > 1) xs.back() = ~std::uint64_t{0};
      const std::uint64_t mask = from.next();
      std::vector<key> out(n, key::from_bits(0));
      kernel->mix(xs.data(), n, mask, out.data());
      for (std::size_t i = 0; i < n; ++i)
        ASSERT_EQ(out[i].bits(), hash::fmix64(xs[i] ^ mask))
            << kernel->name << " " << i << "/" << n;
    }
}

void expect_siphash(const hash::batch_kernel& kernel,
                    const std::vector<std::string>& strings) {
  const auto texts = testing::views(strings);
  std::vector<key> out(texts.size(), key::from_bits(0));
  kernel.siphash(texts.data(), texts.size(), 0x0123456789abcdef, 42, out.data());
  for (std::size_t i = 0; i < texts.size(); ++i)
    ASSERT_EQ(out[i].bits(), hash::siphash13(texts[i], 0x0123456789abcdef, 42))
        << kernel.name << " " << i << ": " << texts[i].size() << " bytes";
}

TEST(HashBatches, OfTextsUnderSipHashAreTheDefinition) {
  testing::random from(3);
  for (const hash::batch_kernel* kernel : hash::batch_kernels()) {
    for (std::size_t size = 0; size <= 41; ++size) {
      std::vector<std::string> equal, close;
      for (int i = 0; i < 19; ++i) {
        equal.push_back(text_of(from, size));
        close.push_back(text_of(from, size + from.below(9)));
      }
      expect_siphash(*kernel, equal);
      expect_siphash(*kernel, close);
    }
    for (const std::size_t n : testing::edge_counts)
      expect_siphash(*kernel, testing::mixed_strings(n, n));
    // The length enters modulo 256.
    expect_siphash(*kernel, std::vector<std::string>(9, std::string(300, 'x')));
  }
}

}  // namespace
}  // namespace bloomery
