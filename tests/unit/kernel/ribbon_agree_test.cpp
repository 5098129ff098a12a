// Every kernel of the ribbon filter gives the bytes and answers of the portable one, and
// that one those of the specification.
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "cases.hpp"
#include "hex.hpp"
#include "kind/ribbon/kernel/table.hpp"
#include "must.hpp"
#include "ribbon_oracle.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::keys;
using testing::must;

std::vector<ribbon> filters() {
  std::vector<ribbon> out;
  for (const unsigned width : {64u, 128u}) {
    const std::size_t slots = width == 64 ? 128 : 512;
    // Every number of columns, whole and mixed.
    for (std::uint32_t r = 1; r <= ribbon_shape::max_columns; ++r)
      out.push_back(testing::ribbon_of(
          keys(r, 3 * slots), {r, r % 3 == 0 ? 0x70000000u : 0u}, width,
          {.small_keys = 10, .last_keys = r % 4 == 0 ? 1u : 4096u, .max_buckets = 2}));
    // As large as those that kernels have loops of their own for.
    for (std::uint32_t r = 1; r <= 8; ++r)
      out.push_back(testing::ribbon_of(
          keys(r + 40, 20'000), {r, r == 1 || r == 8 ? 0u : 0x50000000u}, width, {}));
    out.push_back(testing::ribbon_of(keys(5, 700), {6, 0x40000000}, width, {}));
    out.push_back(testing::ribbon_of(keys(6, 5), {32, 0}, width, {}));
    out.push_back(testing::ribbon_of({}, {8, 0}, width, {}));
  }
  return out;
}

TEST(RibbonKernels, AnswerAsTheSpecificationSays) {
  ASSERT_STREQ(kernel::ribbon_kernels().front()->name, "portable");
  std::uint64_t seed = 0;
  for (const ribbon& f : filters()) {
    SCOPED_TRACE(::testing::Message() << "w=" << f.shape().width << " r=" << f.columns());
    const testing::ribbon_oracle page(f.shape(), f.bytes());
    const auto ks = keys(1000 + ++seed, 400);
    std::vector<bool> want;
    for (const key k : ks) want.push_back(page.may_contain(k.bits()));
    for (const kernel::ribbon_kernel* k : kernel::ribbon_kernels()) {
      SCOPED_TRACE(k->name);
      const auto got = std::make_unique<bool[]>(ks.size());
      for (std::size_t i = 0; i < ks.size(); ++i)
        ASSERT_EQ(
            k->may_contain[f.layout().form()](f.layout(), f.bytes().data(), ks[i].bits()),
            want[i]);
      for (const bool far : {false, true})
        for (const std::size_t n : {0u, 1u, 7u, 8u, 31u, 33u, 400u}) {
          std::fill_n(got.get(), ks.size(), n % 2 == 0);
          k->query(f.layout(), f.bytes().data(), ks.data(), n, got.get(), far);
          for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(got[i], want[i]) << i;
          testing::count_cases("lookups", n);
        }
    }
  }
}

// The form that has one-key lookups of its own: its keys, and others, in every layer.
TEST(RibbonKernels, AnswerAlikeWhereBlocksAreLines) {
  const std::vector<ribbon> some = [] {
    std::vector<ribbon> out;
    out.push_back(testing::ribbon_of(keys(70, 200'000), {8, 0}, 64, {}));
    // Many keys are passed on, through all layers.
    out.push_back(
        testing::ribbon_of(keys(70, 100'000), {8, 0}, 64,
                           {.small_keys = 10, .last_keys = 4096, .max_buckets = 180}));
    return out;
  }();
  const kernel::ribbon_kernel& definition = *kernel::ribbon_kernels().front();
  for (const ribbon& f : some) {
    constexpr std::size_t form = ribbon_layout::whole_form;
    ASSERT_EQ(f.layout().form(), form);
    for (const std::uint64_t seed : {70u, 71u})  // its keys, others
      for (const key k : keys(seed, 100'000)) {
        const auto ask = [&](const kernel::ribbon_kernel& by) {
          return by.may_contain[form](f.layout(), f.bytes().data(), k.bits());
        };
        const bool want = ask(definition);
        if (seed == 70) {
          ASSERT_TRUE(want);
        }
        for (const kernel::ribbon_kernel* by : kernel::ribbon_kernels())
          ASSERT_EQ(ask(*by), want) << by->name;
      }
    testing::count_cases("lookups", 200'000);
  }
}

// The bytes of one segment, its thresholds, and what it passes on.
std::string solved(const kernel::ribbon_kernel& k, unsigned width, ribbon_columns columns,
                   std::size_t count, std::uint32_t buckets) {
  ribbon_shape s;
  s.width = width;
  s.columns = columns.columns;
  s.narrow = columns.narrow;
  s.buckets[0] = buckets;
  const ribbon_layout all(s);
  auto ks = keys(count + width, count);
  std::ranges::sort(ks, {}, &key::bits);
  auto data = must(pages::make(static_cast<std::size_t>(all.size_in_bytes)));
  auto rows =
      must(pages::make(static_cast<std::size_t>(all.layer[0].segment_slots) * 20));
  std::vector<std::uint8_t> thresholds(buckets);
  std::vector<key> passed(count);
  const kernel::ribbon_segment segment{
      &all, 0, 0, ks, rows.data(), data.data(), thresholds.data(), passed.data()};
  std::size_t n = 0;
  k.solve({&segment, 1}, &n);
  EXPECT_LE(n, count);
  passed.resize(n);
  return testing::to_hex(data.bytes()) + " " +
         testing::to_hex(std::as_bytes(std::span(thresholds))) + " " +
         testing::to_hex(std::as_bytes(std::span(passed)));
}

TEST(RibbonKernels, SolveTheSame) {
  for (const unsigned width : {64u, 128u})
    for (const std::uint32_t r : {1u, 3u, 7u, 8u, 9u, 15u, 16u, 24u, 29u, 32u})
      for (const std::uint32_t narrow : {0u, 0x30000000u, 0xfffffff0u}) {
        if (r == 1 && narrow != 0) continue;
        const std::size_t count = width == 64 ? 800 : 3100;
        const ribbon_columns c{r, narrow};
        const std::string want =
            solved(*kernel::ribbon_kernels().front(), width, c, count, 6);
        for (const kernel::ribbon_kernel* k : kernel::ribbon_kernels())
          ASSERT_EQ(solved(*k, width, c, count, 6), want)
              << k->name << " w=" << width << " r=" << r;
        testing::count_cases("segments", kernel::ribbon_kernels().size());
      }
}

TEST(RibbonKernels, NoticeKeysThatDoNotAscend) {
  ribbon_shape s{.width = 64, .columns = 8};
  s.buckets[0] = 4;
  const ribbon_layout all(s);
  auto data = must(pages::make(static_cast<std::size_t>(all.size_in_bytes)));
  auto rows =
      must(pages::make(static_cast<std::size_t>(all.layer[0].segment_slots) * 20));
  std::vector<std::uint8_t> thresholds(4);
  const std::vector<key> ks{key::from_bits(~std::uint64_t{0}), key::from_bits(0)};
  std::vector<key> passed(2);
  const kernel::ribbon_segment segment{
      &all, 0, 0, ks, rows.data(), data.data(), thresholds.data(), passed.data()};
  for (const kernel::ribbon_kernel* k : kernel::ribbon_kernels()) {
    std::size_t n = 0;
    k->solve({&segment, 1}, &n);
    EXPECT_GT(n, ks.size()) << k->name;
  }
}

}  // namespace
}  // namespace bloomery
