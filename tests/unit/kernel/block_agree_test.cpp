// Law: every kernel of the block filters sets and tests exactly the bits that the
// specification names, for each profile, and touches no byte outside the blocks.
#include "kernel/block.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/detail/probe/block_dispatch.hpp>

#include "block_oracle.hpp"
#include "cases.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery::kernel {
namespace {

using testing::all_profiles;
using testing::block_oracle;

constexpr std::size_t counts[] = {0,  1,  2,   3,   31,  32,  33,  63,
                                  64, 65, 127, 128, 129, 191, 200, 1000};
constexpr std::uint64_t sizes[] = {1, 2, 3, 7, 64, 1009};

// Exactly these bytes, aligned as filters are, where the sanitizer guards both ends.
class exact_array {
 public:
  explicit exact_array(const std::vector<std::byte>& bytes)
      : size_(bytes.size()), data_(allocate(bytes.size())) {
    std::memcpy(data_.get(), bytes.data(), size_);
  }
  block_array array(std::uint64_t blocks, bool in_cache) {
    return {data_.get(), blocks, in_cache};
  }
  std::byte* data() { return data_.get(); }
  std::vector<std::byte> bytes() const { return {data_.get(), data_.get() + size_}; }

 private:
  struct free_it {
    void operator()(std::byte* p) const { std::free(p); }
  };
  static std::byte* allocate(std::size_t size) {
    void* p = nullptr;
    if (posix_memalign(&p, 64, size) != 0) throw std::bad_alloc();
    return static_cast<std::byte*>(p);
  }
  std::size_t size_;
  std::unique_ptr<std::byte, free_it> data_;
};

// Random bits with about this share of ones.
std::vector<std::byte> filled(std::size_t bytes, double share, std::uint64_t seed) {
  testing::random from(seed);
  std::vector<std::byte> out(bytes);
  for (std::byte& b : out)
    for (unsigned i = 0; i < 8; ++i)
      if (from.unit() < share) b |= static_cast<std::byte>(1u << i);
  return out;
}

// Random keys; every third has halves at the ends of their range.
std::vector<key> some_keys(std::uint64_t seed, std::size_t n) {
  constexpr std::uint64_t two32 = std::uint64_t{1} << 32;
  constexpr std::uint64_t ends[] = {0,
                                    1,
                                    ~std::uint64_t{0},
                                    two32 - 1,
                                    two32,
                                    ~(two32 - 1),
                                    std::uint64_t{1} << 63,
                                    (std::uint64_t{1} << 63) - 1,
                                    0x80000000,
                                    0x7fffffff,
                                    0xffffffff80000000,
                                    0x00000001ffffffff};
  auto ks = testing::keys(seed, n);
  for (std::size_t i = 0; i < n; i += 3) {
    const std::uint64_t end = ends[i / 3 % std::size(ends)];
    const std::uint64_t low = two32 - 1, h = ks[i].bits();
    const std::uint64_t mixed[] = {end, (h & low) | (end & ~low),
                                   (h & ~low) | (end & low)};
    ks[i] = key::from_bits(mixed[i / 3 / std::size(ends) % 3]);
  }
  return ks;
}

class BlockKernels : public ::testing::TestWithParam<block_profile> {
 protected:
  static block_shape shape(std::uint64_t blocks) { return {blocks, GetParam()}; }

  // Calls hold(kernel's loops) for each kernel, the definition included.
  static void SetUpTestSuite() {
    std::printf("held to the specification:");
    for (const block_kernel* k : block_kernels()) std::printf(" %s", k->name);
    std::printf("\n");
  }

  template <class Hold>
  static void for_each_kernel(Hold hold) {
    ASSERT_STREQ(block_kernels().front()->name, "portable");
    for (const block_kernel* k : block_kernels()) {
      SCOPED_TRACE(k->name);
      hold(k->of(GetParam()));
      testing::count_cases("comparisons", 1);
    }
  }
};

// Many queries, half of them "perhaps": at 8 lanes a fill of 92 % gives that, at 16 96 %.
std::vector<double> fills(block_profile p) {
  const double half = p == block_profile::half_line   ? 0.84
                      : p == block_profile::two_lines ? 0.96
                                                      : 0.92;
  return {0.5, 0.9, half};
}

TEST_P(BlockKernels, InsertTheBitsOfTheSpecification) {
  for (const std::uint64_t blocks : sizes)
    for (const std::size_t n : counts) {
      SCOPED_TRACE(::testing::Message() << "blocks=" << blocks << " n=" << n);
      const auto ks = some_keys(blocks + n, n);
      block_oracle want(shape(blocks));
      for (const key k : ks) want.insert(k);
      const std::vector<std::byte> none(want.bytes().size());
      for_each_kernel([&](const block_loops& loops) {
        exact_array single(none);
        for (const key k : ks) loops.insert_one(single.data(), blocks, k.bits());
        ASSERT_EQ(single.bytes(), want.bytes());
        for (const bool in_cache : {true, false}) {
          exact_array batch(none);
          loops.insert(batch.array(blocks, in_cache), ks.data(), n);
          ASSERT_EQ(batch.bytes(), want.bytes()) << "in_cache=" << in_cache;
        }
      });
    }
}

TEST_P(BlockKernels, KeepTheBitsThatAreThere) {
  const auto before = filled(7 * testing::oracle_block_bytes(GetParam()), 0.5, 1);
  const auto ks = some_keys(2, 20);
  block_oracle want(shape(7), before);
  for (const key k : ks) want.insert(k);
  for_each_kernel([&](const block_loops& loops) {
    exact_array array(before);
    loops.insert(array.array(7, true), ks.data(), ks.size());
    EXPECT_EQ(array.bytes(), want.bytes());
  });
}

// Beside other threads the same bits, from nothing and into what is there, and a true
// word on whether some were missing.
TEST_P(BlockKernels, InsertTheSameBitsBesideOtherThreads) {
  const auto locks = testing::must(stripe_locks<>::make(16));
  for (const std::uint64_t blocks : sizes)
    for (const std::size_t n : counts)
      for (const double share : {0.0, 0.5, 0.9}) {
        SCOPED_TRACE(::testing::Message() << "blocks=" << blocks << " n=" << n);
        const auto ks = some_keys(blocks + n, n);
        const auto before =
            filled(blocks * testing::oracle_block_bytes(GetParam()), share, n);
        block_oracle want(shape(blocks), before);
        std::vector<char> missing;
        for (const key k : ks) missing.push_back(!want.may_contain(k)), want.insert(k);
        for_each_kernel([&](const block_loops& loops) {
          exact_array shared(before), locked(before), shared_batch(before),
              locked_batch(before);
          std::vector<char> told, told_locked;
          for (const key k : ks) {
            told.push_back(loops.insert_shared_one(shared.data(), blocks, k.bits()));
            told_locked.push_back(
                loops.insert_locked_one(locked.data(), blocks, k.bits(), locks));
          }
          loops.insert_shared(shared_batch.array(blocks, true), ks.data(), n);
          loops.insert_locked(locked_batch.array(blocks, true), ks.data(), n, locks);
          EXPECT_EQ(told, missing);
          EXPECT_EQ(told_locked, missing);
          for (const exact_array* a : {&shared, &locked, &shared_batch, &locked_batch})
            ASSERT_EQ(a->bytes(), want.bytes());
        });
      }
}

// The integer that fmix64 takes to h.
std::uint64_t unmixed(std::uint64_t h) {
  constexpr std::uint64_t first = 0x4f74430c22a54005, second = 0x9cb4b2f8129337db;
  static_assert(first * 0xff51afd7ed558ccd == 1 && second * 0xc4ceb9fe1a85ec53 == 1);
  h = (h ^ h >> 33) * second;
  h = (h ^ h >> 33) * first;
  return h ^ h >> 33;
}

void expect_answers(const block_loops& loops, exact_array& array, std::uint64_t blocks,
                    std::span<const key> ks, const std::vector<char>& want) {
  const std::size_t n = ks.size(), words = (n + 63) / 64;
  std::vector<char> single;
  for (const key k : ks)
    single.push_back(loops.may_contain(array.data(), blocks, k.bits()));
  ASSERT_EQ(single, want);
  constexpr std::uint64_t mask = 0x0123456789abcdef;
  std::vector<std::uint64_t> integers;  // of these keys
  for (const key k : ks) integers.push_back(unmixed(k.bits()) ^ mask);
  for (const bool in_cache : {true, false}) {
    SCOPED_TRACE(::testing::Message() << "in_cache=" << in_cache);
    const block_array a = array.array(blocks, in_cache);
    const auto bools = std::make_unique<bool[]>(n);
    // Over rubbish: a place that is not written keeps the wrong answer.
    for (std::size_t i = 0; i < n; ++i) bools[i] = want[i] == 0;
    loops.query(a, ks.data(), n, bools.get());
    ASSERT_EQ(std::vector<char>(bools.get(), bools.get() + n), want);
    for (std::size_t i = 0; i < n; ++i) bools[i] = want[i] == 0;
    loops.query_integers(a, integers.data(), n, mask, bools.get());
    ASSERT_EQ(std::vector<char>(bools.get(), bools.get() + n), want);
    const auto bits = std::make_unique<std::uint64_t[]>(words);
    std::fill_n(bits.get(), words, 0x5555555555555555);
    loops.query_bits(a, ks.data(), n, bits.get());
    for (std::size_t i = 0; i < 64 * words; ++i)
      ASSERT_EQ(bits[i / 64] >> (i % 64) & 1, i < n ? unsigned(want[i]) : 0u) << i;
  }
}

TEST_P(BlockKernels, AnswerByTheBitsOfTheSpecification) {
  std::size_t maybe = 0, asked = 0;
  for (const std::uint64_t blocks : sizes)
    for (const double share : fills(GetParam())) {
      const auto bytes =
          filled(blocks * testing::oracle_block_bytes(GetParam()), share, blocks);
      const block_oracle oracle(shape(blocks), bytes);
      exact_array array(bytes);
      for (const std::size_t n : counts) {
        SCOPED_TRACE(::testing::Message()
                     << "blocks=" << blocks << " fill=" << share << " n=" << n);
        const auto ks = some_keys(blocks + n, n);
        std::vector<char> want;
        for (const key k : ks) want.push_back(oracle.may_contain(k));
        maybe += static_cast<std::size_t>(std::ranges::count(want, 1));
        asked += n;
        for_each_kernel([&](const block_loops& loops) {
          expect_answers(loops, array, blocks, ks, want);
        });
      }
      EXPECT_EQ(array.bytes(), bytes);
    }
  EXPECT_GT(10 * maybe, asked);  // both answers are frequent
  EXPECT_GT(10 * (asked - maybe), asked);
}

// Exactly these keys, `offset` keys after a multiple of 64 bytes: the sanitizer guards
// their end.
class exact_keys {
 public:
  exact_keys(const std::vector<key>& ks, std::size_t offset)
      : offset_(offset),
        room_(std::vector<std::byte>(8 * std::max<std::size_t>(1, offset + ks.size()))) {
    if (!ks.empty()) std::memcpy(room_.data() + 8 * offset, ks.data(), 8 * ks.size());
  }
  const key* data() { return reinterpret_cast<const key*>(room_.data()) + offset_; }

 private:
  std::size_t offset_;
  exact_array room_;
};

// Every number of keys around the groups that are fetched, from any place in memory.
TEST_P(BlockKernels, InsertBatchesOfEverySize) {
  const auto locks = testing::must(stripe_locks<>::make(16));
  constexpr std::uint64_t blocks = 61;
  for (std::size_t n = 0; n <= 130; ++n) {
    SCOPED_TRACE(::testing::Message() << "n=" << n);
    const auto ks = some_keys(n, n);
    exact_keys at(ks, n % 8);
    const std::span<const key> there(at.data(), n);
    block_oracle want(shape(blocks));
    for (const key k : ks) want.insert(k);
    const std::vector<std::byte> none(want.bytes().size());
    for_each_kernel([&](const block_loops& loops) {
      exact_array near(none), far(none), shared(none), locked(none);
      loops.insert(near.array(blocks, true), there.data(), n);
      loops.insert(far.array(blocks, false), there.data(), n);
      loops.insert_shared(shared.array(blocks, false), there.data(), n);
      loops.insert_locked(locked.array(blocks, false), there.data(), n, locks);
      for (const exact_array* a : {&near, &far, &shared, &locked})
        ASSERT_EQ(a->bytes(), want.bytes());
      expect_answers(loops, far, blocks, there, std::vector<char>(n, 1));
    });
  }
}

// One array with a hole in each place in turn: the key that needs it is absent, however
// full the rest is.
TEST_P(BlockKernels, MissEverySingleBit) {
  const std::size_t bytes = 3 * testing::oracle_block_bytes(GetParam());
  for (const key k : some_keys(5, 12))
    for (const std::uint64_t hole : testing::oracle_positions(shape(3), k.bits())) {
      std::vector<std::byte> all(bytes, std::byte{0xff});
      all[hole / 8] ^= static_cast<std::byte>(1u << (hole % 8));
      exact_array array(all);
      const std::vector<key> twice(67, k);
      for_each_kernel([&](const block_loops& loops) {
        expect_answers(loops, array, 3, twice, std::vector<char>(67, 0));
      });
    }
}

TEST_P(BlockKernels, AnswerForEveryFilterOfASet) {
  for (const std::size_t count : {1u, 2u, 63u, 64u, 65u, 130u}) {
    std::vector<block_oracle> oracles;
    std::vector<exact_array> arrays;
    for (std::size_t f = 0; f < count; ++f) {
      const std::uint64_t blocks = 1 + f % 9;
      oracles.emplace_back(shape(blocks),
                           filled(blocks * testing::oracle_block_bytes(GetParam()),
                                  f % 3 == 0 ? 0.96 : 0.9, f));
      arrays.emplace_back(oracles.back().bytes());
    }
    std::vector<block_view> views;
    for (std::size_t f = 0; f < count; ++f)
      views.push_back({arrays[f].data(), oracles[f].shape().blocks});
    const std::size_t words = (count + 63) / 64;
    for (const std::size_t n : {0u, 1u, 2u, 33u}) {
      const auto ks = some_keys(count, n);
      std::vector<std::uint64_t> want(n * words);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t f = 0; f < count; ++f)
          if (oracles[f].may_contain(ks[i]))
            want[i * words + f / 64] |= std::uint64_t{1} << (f % 64);
      for_each_kernel([&](const block_loops& loops) {
        for (const bool in_cache : {true, false}) {
          std::vector<std::uint64_t> got(n * words, 0x5555555555555555);
          loops.query_set(views.data(), count, in_cache, ks.data(), n, got.data());
          ASSERT_EQ(got, want) << "filters=" << count << " n=" << n;
        }
      });
    }
  }
}

// The one-key calls of callers that compile without vector instructions.
TEST_P(BlockKernels, AreReachedThroughThePointers) {
  const auto& calls = block_probe::resolved[static_cast<std::size_t>(GetParam())];
  const auto locks = testing::must(stripe_locks<>::make(1));
  const auto ks = some_keys(7, 500), others = some_keys(8, 500);
  block_oracle want(shape(31));
  exact_array array(want.bytes());
  for (const key k : ks) {
    want.insert(k);
    calls.insert.load()(array.data(), 31, k.bits());
    EXPECT_FALSE(calls.insert_shared.load()(array.data(), 31, k.bits()));
    EXPECT_FALSE(calls.insert_locked.load()(array.data(), 31, k.bits(), locks));
  }
  EXPECT_EQ(array.bytes(), want.bytes());
  for (const auto* some : {&ks, &others})
    for (const key k : *some)
      EXPECT_EQ(calls.may_contain.load()(array.data(), 31, k.bits()),
                want.may_contain(k));
  // After the first call they are the best kernel's own.
  EXPECT_EQ(calls.insert.load(), best_block_kernel().of(GetParam()).insert_one);
  EXPECT_EQ(calls.may_contain.load(), best_block_kernel().of(GetParam()).may_contain);
}

INSTANTIATE_TEST_SUITE_P(Profiles, BlockKernels, ::testing::ValuesIn(all_profiles),
                         [](const auto& p) { return testing::test_name(p.param); });

}  // namespace
}  // namespace bloomery::kernel
