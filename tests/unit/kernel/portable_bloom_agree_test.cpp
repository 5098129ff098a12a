// Law: the batch kernels, near and far, set and test exactly the bits of the one-key
// definition, and no byte outside the filter.
#include "kernel/bit_loops.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/detail/kind/portable/probe.hpp>

#include "edges.hpp"
#include "in_words.hpp"
#include "test_key.hpp"
#include "textbook.hpp"

namespace bloomery::kernel {
namespace {

using testing::in_words;

constexpr bool near_and_far[] = {true, false};

std::vector<std::byte> inserted(std::uint64_t bits, std::uint32_t hashes, bool in_cache,
                                std::span<const key> ks) {
  std::vector<std::byte> data = in_words(std::vector<std::byte>((bits + 7) / 8));
  insert(bit_layout<portable_probe>{portable_probe(bits), hashes, in_cache}, data.data(),
         ks);
  return data;
}

std::vector<char> answered(std::uint64_t bits, std::uint32_t hashes, bool in_cache,
                           const std::vector<std::byte>& bytes, std::span<const key> ks) {
  const auto data = in_words(bytes);
  const auto out = std::make_unique<bool[]>(ks.size());
  query(bit_layout<portable_probe>{portable_probe(bits), hashes, in_cache}, data.data(),
        ks, out.get());
  return {out.get(), out.get() + ks.size()};
}

class PortableKernels : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(PortableKernels, AgreeWithTheDefinition) {
  const std::uint64_t bits = GetParam();
  for (const std::uint32_t k : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 13u, 30u, 31u, 64u}) {
    // As the filter calls them: min(k, m) probes.
    const auto probes = static_cast<std::uint32_t>(std::min<std::uint64_t>(k, bits));
    for (const std::size_t n : {0u, 1u, 2u, 7u, 8u, 9u, 63u, 64u, 65u, 200u}) {
      const auto in = testing::keys(bits, n), probe = testing::keys(bits, 2 * n + 1);
      testing::textbook_bloom want(bits, k);
      for (const key x : in) want.insert(x);
      std::vector<char> verdicts;
      for (const key x : probe) verdicts.push_back(want.may_contain(x));
      for (const bool in_cache : near_and_far) {
        SCOPED_TRACE(::testing::Message()
                     << "k=" << k << " n=" << n << " in_cache=" << in_cache);
        ASSERT_EQ(inserted(bits, probes, in_cache, in), in_words(want.bytes()));
        ASSERT_EQ(answered(bits, probes, in_cache, want.bytes(), probe), verdicts);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, PortableKernels,
                         ::testing::Values(1, 2, 3, 7, 8, 9, 31, 63, 64, 65, 127, 129,
                                           1000, 4096, 9586, 100'003));

// Every key of a group passes, or none does: the survivors' two extremes.
TEST(PortableKernelsExtremes, FullAndEmptyFilters) {
  const auto ks = testing::keys(1, 129);
  for (const bool in_cache : near_and_far)
    for (const std::uint32_t k : {1u, 2u, 3u, 4u, 7u, 33u}) {
      const std::vector<std::byte> full(125, std::byte{0xff}), none(125);
      EXPECT_EQ(answered(1000, k, in_cache, full, ks), std::vector<char>(129, 1));
      EXPECT_EQ(answered(1000, k, in_cache, none, ks), std::vector<char>(129, 0));
    }
}

// A batch may adapt to what it meets: present and absent keys in runs of every length.
TEST(PortableKernelsExtremes, PresentAndAbsentInTurns) {
  constexpr std::uint64_t bits = 50'000;
  const auto in = testing::keys(3, 4000), out = testing::keys(4, 20'000);
  testing::random from(5);
  for (const std::uint32_t k : {1u, 4u, 9u}) {
    testing::textbook_bloom want(bits, k);
    for (const key x : in) want.insert(x);
    std::vector<key> probe;
    std::vector<char> verdicts;
    while (probe.size() < 20'000)
      for (const auto* source : {&in, &out})
        for (std::uint64_t run = from.below(200); run != 0; --run) {
          probe.push_back((*source)[from.below(source->size())]);
          verdicts.push_back(want.may_contain(probe.back()));
        }
    for (const bool in_cache : near_and_far)
      EXPECT_EQ(answered(bits, k, in_cache, want.bytes(), probe), verdicts) << k;
  }
}

// A filter that no cache holds, where prefetching is real.
TEST(PortableKernelsExtremes, BeyondTheCaches) {
  constexpr std::uint64_t bits = (std::uint64_t{1} << 27) + 7;
  const auto in = testing::keys(2, 20'000), probe = testing::keys(2, 40'000);
  const auto data = inserted(bits, 7, false, in);
  ASSERT_EQ(data, inserted(bits, 7, true, in));
  EXPECT_EQ(answered(bits, 7, false, data, probe), answered(bits, 7, true, data, probe));
}

}  // namespace
}  // namespace bloomery::kernel
