// Every kernel for batched lookups in a cuckoo filter answers as the portable loop does.
#include <memory>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/cuckoo.hpp>

#include "cases.hpp"
#include "kind/cuckoo/kernel/loops.hpp"
#include "kind/cuckoo/kernel/vectors.hpp"
#include "kind/cuckoo/table_of.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::keys;
using testing::must;

struct vector_kernel {
  const char* name;
  bool (*can)(const cuckoo_probe&) noexcept;
  std::size_t (*query)(const cuckoo_probe&, const std::uint32_t*, const std::byte*,
                       std::span<const key>, bool*, bool) noexcept;
};
constexpr vector_kernel vector_kernels[] = {
    {"avx2", kernel::can_query_avx2, kernel::query_avx2},
    {"avx512", kernel::can_query_avx512, kernel::query_avx512}};

// Keys whose tags are next to each other but for 1 in 2^64: the product that a tag is cut
// from is just below, at, and above where it changes.
std::vector<key> keys_where_tags_change(std::uint32_t f) {
  constexpr std::uint64_t golden = cuckoo_probe::golden;
  std::uint64_t inverse = golden;  // Newton: correct bits double, from three
  for (int i = 0; i < 5; ++i) inverse *= 2 - golden * inverse;
  const std::uint64_t most = (std::uint64_t{1} << f) - 1;
  __extension__ using u128 = unsigned __int128;
  std::vector<key> all;
  for (std::uint64_t t = 0; t <= most; ++t) {
    const auto product = static_cast<std::uint64_t>(((u128{t} << 64) + most - 1) / most);
    for (const std::uint64_t x : {product - 1, product, product + 1})
      all.push_back(key::from_bits(x * inverse));
  }
  return all;
}

// d of every tag, whatever the size of the filter.
std::vector<std::uint32_t> offsets_of(const cuckoo_probe& probe) {
  std::vector<std::uint32_t> all(std::size_t{1} << probe.tag_bits());
  for (std::uint32_t tag = 0; tag < all.size(); ++tag)
    all[tag] = static_cast<std::uint32_t>(probe.offset(tag));
  return all;
}

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
        const auto changes = keys_where_tags_change(f);
        filter.try_insert(std::span<const key>(in));
        filter.try_insert(std::span<const key>(changes));  // as many as there is room for
        auto asked = keys(f + buckets, 2 * buckets + 100);
        asked.insert(asked.end(), in.begin(), in.end());
        asked.insert(asked.end(), changes.begin(), changes.end());
        asked.push_back(key::from_bits(0));
        asked.push_back(key::from_bits(~std::uint64_t{0}));
        const auto want = std::make_unique<bool[]>(asked.size());
        with_table(probe, nullptr, filter.bytes().data(),
                   [&](const auto& t) { kernel::query(t, asked, want.get(), false); });
        const auto table = offsets_of(probe);
        for (const std::uint32_t* offsets : {table.data(), (const std::uint32_t*)nullptr})
          for (const bool far : {false, true})
            for (const std::size_t n : {asked.size(), std::size_t{63}, std::size_t{7}}) {
              const auto got = std::make_unique<bool[]>(n);
              const std::size_t done = k.query(probe, offsets, filter.bytes().data(),
                                               std::span(asked).last(n), got.get(), far);
              ASSERT_GT(done + 8, n);
              for (std::size_t i = 0; i < done; ++i)
                ASSERT_EQ(got[i], want[asked.size() - n + i])
                    << i << " far " << far << " table " << (offsets != nullptr);
              ++comparisons;
            }
      }
  testing::count_cases("comparisons", comparisons);
}

// One key after the other up to the first refusal, by the search alone: what the filter
// did before it had shorter ways.  Returns how many are in.
template <class Table>
std::size_t insert_by_search(const Table& t, std::span<const key> ks) {
  const auto everywhere = [](std::uint64_t) noexcept { return true; };
  for (std::size_t i = 0; i < ks.size(); ++i)
    if (kernel::insert(t, t.start(ks[i]), everywhere) != kernel::cuckoo_outcome::done)
      return i;
  return ks.size();
}

TEST(CuckooKernels, InsertAndEraseTheSameBytesWithAndWithoutTheTable) {
  std::size_t comparisons = 0;
  for (const std::uint32_t f : {6u, 7u, 8u, 9u, 11u, 12u, 13u, 16u, 17u, 24u, 32u})
    for (const std::uint64_t buckets : {2u, 4u, 6u, 50u, 3000u}) {
      SCOPED_TRACE(::testing::Message() << "B=" << buckets << " f=" << f);
      const cuckoo_probe probe(buckets, f);
      const auto table = f <= 12 ? offsets_of(probe) : std::vector<std::uint32_t>();
      const auto ks = keys(f, 4 * buckets + 20);  // more than it has slots
      std::vector<std::byte> want(probe.size_in_bytes() + 16);
      const std::size_t in = with_table(probe, nullptr, want.data(), [&](const auto& t) {
        return insert_by_search(t, ks);
      });
      const auto expect = [&](const char* way, const std::uint32_t* offsets, auto use) {
        std::vector<std::byte> got(want.size());
        EXPECT_EQ(with_table(probe, offsets, got.data(), use), in) << way;
        EXPECT_EQ(got, want) << way;
        ++comparisons;
      };
      const auto each = [&](const auto& t) {
        std::size_t i = 0;
        while (i < ks.size() &&
               kernel::insert(t, t.start(ks[i])) == kernel::cuckoo_outcome::done)
          ++i;
        return i;
      };
      const auto batch = [&](const auto& t) { return kernel::insert_each(t, ks); };
      expect("one by one", nullptr, each);
      expect("batched", nullptr, batch);
      if (table.empty()) continue;
      expect("one by one, table", table.data(), each);
      expect("batched, table", table.data(), batch);
      const auto erase = [&](const auto& t) {
        std::size_t gone = 0;
        for (const key k : std::span(ks).first(in)) gone += kernel::erase(t, t.start(k));
        return gone;
      };
      auto a = want, b = want;
      EXPECT_EQ(with_table(probe, nullptr, a.data(), erase), in);
      EXPECT_EQ(with_table(probe, table.data(), b.data(), erase), in);
      EXPECT_EQ(a, b);
      EXPECT_EQ(a, std::vector<std::byte>(want.size()));
    }
  testing::count_cases("comparisons", comparisons);
}

}  // namespace
}  // namespace bloomery
