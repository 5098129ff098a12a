// Law: the batches of the classic filter, near and far, set and test exactly the bits
// that the specification names.
#include "kernel/bit_loops.hpp"

#include <memory>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/detail/kind/bloom/probe.hpp>

#include "bloom_oracle.hpp"
#include "in_words.hpp"
#include "test_key.hpp"

namespace bloomery::kernel {
namespace {

using testing::in_words;

TEST(BloomKernels, AgreeWithTheSpecification) {
  for (const std::uint64_t bits : {1u, 2u, 7u, 8u, 63u, 64u, 65u, 1000u, 9586u, 100'003u})
    for (const std::uint32_t k : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 13u, 30u, 64u})
      for (const std::size_t n : {0u, 1u, 2u, 8u, 63u, 64u, 65u, 200u}) {
        const auto in = testing::keys(bits, n), probe = testing::keys(bits, 2 * n + 1);
        testing::bloom_oracle want(bits, k);
        for (const key x : in) want.insert(x);
        for (const bool in_cache : {true, false}) {
          SCOPED_TRACE(::testing::Message() << "m=" << bits << " k=" << k << " n=" << n
                                            << " in_cache=" << in_cache);
          const bit_layout<bloom_probe> layout{bloom_probe(bits), k, in_cache};
          auto data = in_words(std::vector<std::byte>((bits + 7) / 8));
          insert(layout, data.data(), in);
          ASSERT_EQ(data, in_words(want.bytes()));
          auto shared = in_words(std::vector<std::byte>((bits + 7) / 8));
          insert_shared(layout, shared.data(), in);
          ASSERT_EQ(shared, data);
          const auto out = std::make_unique<bool[]>(probe.size());
          query(layout, data.data(), probe, out.get());
          for (std::size_t i = 0; i < probe.size(); ++i)
            ASSERT_EQ(out[i], want.may_contain(probe[i])) << i;
        }
      }
}

// Every number of keys around the groups that are fetched, from any place in memory.
TEST(BloomKernels, InsertBatchesOfEverySize) {
  constexpr std::uint64_t bits = 9586;
  const auto all = testing::keys(1, 130 + 8);
  for (std::size_t n = 0; n <= 130; ++n) {
    const auto ks = std::span(all).subspan(n % 8, n);
    testing::bloom_oracle want(bits, 7);
    for (const key k : ks) want.insert(k);
    for (const bool in_cache : {true, false}) {
      SCOPED_TRACE(::testing::Message() << "n=" << n << " in_cache=" << in_cache);
      const bit_layout<bloom_probe> layout{bloom_probe(bits), 7, in_cache};
      auto alone = in_words(std::vector<std::byte>((bits + 7) / 8)), shared = alone;
      insert(layout, alone.data(), ks);
      insert_shared(layout, shared.data(), ks);
      ASSERT_EQ(alone, in_words(want.bytes()));
      ASSERT_EQ(shared, alone);
    }
  }
}

}  // namespace
}  // namespace bloomery::kernel
