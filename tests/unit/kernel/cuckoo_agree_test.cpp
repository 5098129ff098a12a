// Every kernel for batched lookups in a cuckoo filter answers as the portable loop does.
#include <memory>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/cuckoo.hpp>

#include "cases.hpp"
#include "filter/cuckoo_table_of.hpp"
#include "kernel/cuckoo_loops.hpp"
#include "kernel/cuckoo_vectors.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::keys;
using testing::must;

struct vector_kernel {
  const char* name;
  bool (*can)(const cuckoo_probe&) noexcept;
  std::size_t (*query)(const cuckoo_probe&, const std::byte*, std::span<const key>, bool*,
                       bool) noexcept;
};
constexpr vector_kernel vector_kernels[] = {
    {"avx2", kernel::can_query_avx2, kernel::query_avx2},
    {"avx512", kernel::can_query_avx512, kernel::query_avx512}};

TEST(CuckooKernels, AnswerAsThePortableLoop) {
  std::size_t comparisons = 0;
  for (const vector_kernel& k : vector_kernels)
    for (std::uint32_t f = 6; f <= 16; ++f)
      for (const std::uint64_t buckets : {2u, 6u, 50u, 3000u}) {
        const cuckoo_probe probe(buckets, f);
        if (!k.can(probe)) continue;
        SCOPED_TRACE(::testing::Message() << k.name << " B=" << buckets << " f=" << f);
        auto filter = must(cuckoo::make(cuckoo_layout{buckets, f}));
        const auto in = keys(f, 3 * buckets);
        filter.try_insert(std::span<const key>(in));
        auto asked = keys(f + buckets, 2 * buckets + 100);
        asked.insert(asked.end(), in.begin(), in.end());
        asked.push_back(key::from_bits(0));
        asked.push_back(key::from_bits(~std::uint64_t{0}));
        const auto want = std::make_unique<bool[]>(asked.size());
        with_table(probe, filter.bytes().data(),
                   [&](const auto& t) { kernel::query(t, asked, want.get(), false); });
        for (const bool far : {false, true})
          for (const std::size_t n : {asked.size(), std::size_t{63}, std::size_t{7}}) {
            const auto got = std::make_unique<bool[]>(n);
            const std::size_t done = k.query(probe, filter.bytes().data(),
                                             std::span(asked).last(n), got.get(), far);
            ASSERT_GT(done + 8, n);
            for (std::size_t i = 0; i < done; ++i)
              ASSERT_EQ(got[i], want[asked.size() - n + i]) << i << " far " << far;
            ++comparisons;
          }
      }
  testing::count_cases("comparisons", comparisons);
}

}  // namespace
}  // namespace bloomery
