// Every kernel of the stable filter does what the specification's words do.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/pages.hpp>

#include "cases.hpp"
#include "hex.hpp"
#include "kind/stable/kernel/table.hpp"
#include "must.hpp"
#include "stable_oracle.hpp"
#include "test_key.hpp"

namespace bloomery {
namespace {

using testing::must;

constexpr std::uint64_t one = std::uint64_t{1} << 32;

std::vector<stable_shape> shapes() {
  auto out = testing::stable_shapes();
  // Runs of many words, from every place in a word, over the end too.
  for (const unsigned width : {1u, 2u, 4u})
    for (const std::uint64_t steps : {1u, 15u, 16u, 17u, 64u, 129u, 300u, 777u})
      out.push_back({779, width, (1u << width) - 1, 3, steps * one + one / 2});
  return out;
}

TEST(StableAgree, WithTheWordsOfTheSpecification) {
  for (const kernel::stable_kernel* k : kernel::stable_kernels())
    for (const stable_shape& s : shapes())
      for (const bool in_cache : {false, true}) {
        SCOPED_TRACE(std::string(k->name) + " cells=" + std::to_string(s.cells) +
                     " d=" + std::to_string(s.cell_bits));
        const auto ks = testing::keys(7, 700);
        pages store = must(pages::make(static_cast<std::size_t>(s.size_in_bytes())));
        testing::stable_oracle worded(s, 9, 100);
        kernel::stable_array a{store.data(), s, 9, 100, in_cache};
        k->insert(a, ks.data(), 300);
        a.inserts += 300;
        k->insert(a, ks.data() + 300, 1);
        a.inserts += 1;
        // Some of them again.
        auto more = std::vector<key>(ks.begin() + 200, ks.end());
        const auto absent = std::make_unique<bool[]>(more.size());
        k->insert_if_absent(a, more.data(), more.size(), absent.get());
        for (std::size_t i = 0; i < 301; ++i) worded.insert(ks[i]);
        for (std::size_t i = 0; i < more.size(); ++i) {
          ASSERT_EQ(absent[i], !worded.may_contain(more[i])) << i;
          worded.insert(more[i]);
        }
        ASSERT_EQ(testing::to_hex(store.bytes()), testing::to_hex(worded.bytes()));
        testing::count_cases("inserts", 301 + more.size());
      }
}

// Cells above the maximum, as a hostile file may have them, are decreased as any other.
TEST(StableAgree, OnAnyBytes) {
  for (const stable_shape& s : shapes()) {
    std::vector<std::string> results;
    for (const kernel::stable_kernel* k : kernel::stable_kernels()) {
      pages store = must(pages::make(static_cast<std::size_t>(s.size_in_bytes())));
      testing::random from(5);
      for (std::byte& b : store.bytes()) b = static_cast<std::byte>(from.next());
      const auto ks = testing::keys(8, 50);
      k->insert({store.data(), s, 1, 0, false}, ks.data(), ks.size());
      results.push_back(testing::to_hex(store.bytes()));
    }
    for (const std::string& r : results) EXPECT_EQ(r, results[0]);
  }
}

}  // namespace
}  // namespace bloomery
