// The division-free walk against `% m`, over every m where it could go wrong.
#include <bloomery/detail/kind/portable/probe.hpp>

#include <vector>

#include <gtest/gtest.h>

#include "edges.hpp"
#include "test_key.hpp"
#include "textbook.hpp"

namespace bloomery {
namespace {

// Halves around 0, around multiples and powers, and the largest.
std::vector<std::uint32_t> edge_halves(std::uint64_t bits) {
  std::vector<std::uint32_t> out{0,          1,          2,          3,
                                 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
  const auto around = [&](std::uint64_t v) {
    for (const std::uint64_t x : {v - 1, v, v + 1})
      if (x <= 0xffffffff) out.push_back(static_cast<std::uint32_t>(x));
  };
  around(bits);
  around(bits * 2);
  if (bits <= 0xffffffff) around(0xffffffff / bits * bits);  // the largest multiple
  testing::random from(bits);
  for (int i = 0; i < 8; ++i) out.push_back(static_cast<std::uint32_t>(from.next()));
  return out;
}

TEST(PortableProbe, ReducesLikeTheRemainder) {
  for (const std::uint64_t bits : testing::edge_bits()) {
    const portable_probe probe(bits);
    ASSERT_EQ(probe.bits(), bits);
    for (const std::uint32_t h : edge_halves(bits))
      ASSERT_EQ(probe.reduce(h), h % bits) << h << " mod " << bits;
    testing::random from(bits);
    for (int i = 0; i < 2000; ++i) {
      const auto h = static_cast<std::uint32_t>(from.next());
      ASSERT_EQ(probe.reduce(h), h % bits) << h << " mod " << bits;
    }
  }
}

TEST(PortableProbe, ReducesLikeTheRemainderForRandomSizes) {
  testing::random from(1);
  for (int i = 0; i < 2'000'000; ++i) {
    const std::uint64_t bits =
        (from.next() >> from.below(63)) % portable_probe::max_bits + 1;
    const auto h = static_cast<std::uint32_t>(from.next());
    ASSERT_EQ(portable_probe(bits).reduce(h), h % bits) << h << " mod " << bits;
  }
}

TEST(PortableProbe, EverySmallSizeAndManyHalves) {
  for (std::uint64_t bits = 1; bits <= 3000; ++bits) {
    const portable_probe probe(bits);
    for (std::uint32_t h = 0; h < 2 * bits; ++h) ASSERT_EQ(probe.reduce(h), h % bits);
    for (std::uint64_t h = 0; h < bits; ++h) {
      const auto top = static_cast<std::uint32_t>(0xffffffff - h);
      ASSERT_EQ(probe.reduce(top), top % bits);
    }
  }
}

// About six million positions (m, h1, h2, i).
TEST(PortableProbe, WalksThePositionsOfTheFormat) {
  for (const std::uint64_t bits : testing::edge_bits()) {
    const portable_probe probe(bits);
    const auto halves = edge_halves(bits);
    for (const std::uint32_t h1 : halves)
      for (const std::uint32_t h2 : halves) {
        const std::uint64_t hash = std::uint64_t{h2} << 32 | h1;
        auto w = probe.start(key::from_bits(hash));
        for (std::uint64_t i = 0; i < 34; ++i, w.advance(bits))
          ASSERT_EQ(w.at, testing::textbook_position(hash, i, bits))
              << "m=" << bits << " h1=" << h1 << " h2=" << h2 << " i=" << i;
      }
  }
}

TEST(PortableProbe, SetsAndTestsExactlyItsBits) {
  for (const std::uint64_t bits : {1u, 2u, 7u, 8u, 9u, 64u, 100u, 1021u})
    for (const std::uint32_t n : {1u, 3u, 4u, 5u, 7u, 8u, 9u, 30u, 33u})
      for (const key k : testing::keys(bits, 20)) {
        const portable_probe probe(bits);
        testing::textbook_bloom want(bits, n);
        want.insert(k);
        std::vector<std::byte> data((bits + 63) / 64 * 8);  // whole words
        set_all(data.data(), probe.start(k), n, bits);
        auto bytes = want.bytes();
        bytes.resize(data.size());
        ASSERT_EQ(data, bytes);
        ASSERT_TRUE(all_set(data.data(), probe.start(k), n, bits));
        // Without any one of its bits the key is absent.
        for (std::uint32_t i = 0; i < n; ++i) {
          const std::uint64_t at = testing::textbook_position(k.bits(), i, bits);
          data[at / 8] ^= std::byte{1} << (at % 8);
          ASSERT_FALSE(all_set(data.data(), probe.start(k), n, bits)) << i;
          data[at / 8] ^= std::byte{1} << (at % 8);
        }
      }
}

}  // namespace
}  // namespace bloomery
