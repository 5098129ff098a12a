// Every kernel for lines of 4-bit cells does what the specification says.
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/pages.hpp>

#include "cases.hpp"
#include "counting_oracle.hpp"
#include "hex.hpp"
#include "kind/counting/kernel/table.hpp"
#include "must.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::keys;
using testing::must;

TEST(CountingKernels, DoWhatTheSpecificationSays) {
  ASSERT_STREQ(kernel::counting_kernels().front()->name, "portable");
  for (const kernel::counting_kernel* k : kernel::counting_kernels())
    for (const std::uint64_t blocks : {1u, 2u, 7u, 100u})
      for (const bool in_cache : {true, false}) {
        SCOPED_TRACE(::testing::Message() << k->name << " blocks=" << blocks);
        const counting_shape s{128 * blocks, cell_layout::line, 4, 8};
        testing::counting_oracle want(s);
        auto store = must(pages::make(s.size_in_bytes()));
        const kernel::line_array a{store.data(), blocks, in_cache};
        std::mt19937_64 random(blocks);
        const auto all = keys(blocks, 20 * blocks);
        for (int round = 0; round < 40; ++round) {
          std::vector<key> some;
          for (std::size_t n = random() % 200; n != 0; --n)
            some.push_back(all[random() % all.size()]);
          const auto got = std::make_unique<bool[]>(some.size() + 1);
          k->insert(a, some.data(), some.size());
          for (const key x : some) want.insert(x);
          ASSERT_EQ(testing::to_hex(store.bytes()), testing::to_hex(want.bytes()));
          for (key& x : some) x = all[random() % all.size()];
          k->erase(a, some.data(), some.size(), got.get());
          for (std::size_t i = 0; i < some.size(); ++i)
            ASSERT_EQ(got[i], want.erase(some[i]));
          ASSERT_EQ(testing::to_hex(store.bytes()), testing::to_hex(want.bytes()));
          for (key& x : some) x = key::from_bits(random());
          k->query(a, some.data(), some.size(), got.get());
          for (std::size_t i = 0; i < some.size(); ++i)
            ASSERT_EQ(got[i], want.may_contain(some[i]));
          for (const key x : some) {
            ASSERT_EQ(k->may_contain(a.data, blocks, x.bits()), want.may_contain(x));
            k->insert_one(a.data, blocks, x.bits()), want.insert(x);
            if (random() % 2 == 0) continue;
            ASSERT_EQ(k->erase_one(a.data, blocks, x.bits()), want.erase(x));
          }
          testing::count_cases("comparisons", 5);
        }
        ASSERT_GT(want.stuck(), 0u);
      }
}

}  // namespace
}  // namespace bloomery
