// build takes every range that insert takes: the filter is that of the hashed keys.
#include <cstddef>
#include <iterator>
#include <list>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <bloomery/filter.hpp>
#include <bloomery/kinds.hpp>

#include "filter_types.hpp"
#include "must.hpp"

namespace bloomery::testing {
namespace {

template <class F>
struct is_buildable : std::bool_constant<buildable<F>> {};
using buildable_types = bloomery::detail::filtered<filter_types, is_buildable>::type;

std::vector<std::string> names_of(std::size_t n) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < n; ++i)
    out.push_back("a-name-beyond-the-short-strings-" + std::to_string(i));
  return out;
}

template <class F>
hasher own_hasher() {
  return F::kind.hasher();
}

template <class F>
class RangeBuilds : public ::testing::Test {};
TYPED_TEST_SUITE(RangeBuilds, buildable_types::apply<::testing::Types>);

// 512: the groups in which ranges are hashed; 4096: the first room for keys of one pass.
TYPED_TEST(RangeBuilds, MakeTheFilterOfTheHashedKeys) {
  using F = TypeParam;
  for (const std::size_t n : {std::size_t{1}, std::size_t{512}, std::size_t{10'000}}) {
    SCOPED_TRACE(n);
    const auto names = names_of(n);
    std::vector<key> keys;
    std::string words;
    for (const auto& name : names) {
      keys.push_back(own_hasher<F>().hash(name));
      words += name + ' ';
    }
    const F expected = must(F::build(keys, {.fpr = 0.002}));
    EXPECT_TRUE(must(F::build(names, {.fpr = 0.002})) == expected);
    EXPECT_TRUE(must(F::build(names.begin(), names.end(), {.fpr = 0.002})) == expected);
    EXPECT_TRUE(must(F::build(std::list<std::string>(names.begin(), names.end()),
                              {.fpr = 0.002})) == expected);
    const std::vector<std::string_view> views(names.begin(), names.end());
    EXPECT_TRUE(must(F::build(views, {.fpr = 0.002})) == expected);
    std::istringstream in(words);
    EXPECT_TRUE(must(F::build(std::istream_iterator<std::string>(in),
                              std::istream_iterator<std::string>(), {.fpr = 0.002})) ==
                expected);
    EXPECT_TRUE(must(F::build(names)) == must(F::build(keys)));
    if constexpr (buildable_by_threads<F>) {
      EXPECT_TRUE(must(F::build(names, {.fpr = 0.002}, 3)) == expected);
    }
  }
}

TYPED_TEST(RangeBuilds, OfBytesListsAndNothing) {
  using F = TypeParam;
  const std::vector<std::vector<unsigned char>> bytes{{'a', 'b'}, {'c'}};
  EXPECT_TRUE(must(F::build(bytes)) == must(F::build({"ab", "c"})));
  EXPECT_TRUE(must(F::build({"ab", "c"})).may_contain("ab"));
  const auto none = F::build(std::vector<std::string>());
  const auto no_keys = F::build(std::span<const key>());
  ASSERT_EQ(none.has_value(), no_keys.has_value());
  if (!none) {
    EXPECT_EQ(none.error().code, no_keys.error().code);
  }
}

}  // namespace
}  // namespace bloomery::testing
