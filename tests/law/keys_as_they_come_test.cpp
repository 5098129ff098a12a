// Law: ranges, iterators and bytes (key_types.hpp) are the keys that they mean, one by
// one (integers: unit/filter/integer_filter_test.cpp); a clone is the same filter and
// another one.
#include <algorithm>
#include <list>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "cases.hpp"
#include "form.hpp"
#include "test_key.hpp"

namespace bloomery::testing {
namespace {

class KeysAsTheyCome : public law {
 protected:
  void SetUp() override {
    if (!GetParam().grows) GTEST_SKIP();
  }
};
INSTANTIATE_TEST_SUITE_P(Filters, KeysAsTheyCome, ::testing::ValuesIn(every_form()),
                         form_name);

// Around the groups of 512 in which ranges are hashed.
constexpr std::size_t counts[] = {0, 1, 2, 511, 512, 513, 1100};

TEST_P(KeysAsTheyCome, ARangeOfTextIsItsKeysOneByOne) {
  for (const std::size_t n : counts) {
    SCOPED_TRACE(n);
    const auto texts = strings_for(GetParam(), n + 1, n);
    subject one_by_one = GetParam().empty(n, 0.1);
    for (const std::string& s : texts) one_by_one.insert(std::string_view(s));

    subject range = GetParam().empty(n, 0.1), nodes = GetParam().empty(n, 0.1);
    range.insert(texts);
    nodes.insert(std::list<std::string>(texts.begin(), texts.end()));
    EXPECT_TRUE(range == one_by_one);
    EXPECT_TRUE(nodes == one_by_one);

    const auto probe = mixed_strings(n + 1, 2 * n);
    const std::vector<bool> answers = range.may_contain(probe);
    ASSERT_EQ(answers.size(), probe.size());
    for (std::size_t i = 0; i < probe.size(); ++i)
      EXPECT_EQ(answers[i], one_by_one.may_contain(std::string_view(probe[i])));
    count_cases("comparisons", 3);
  }
}

// An istream_iterator has one string, which changes at each step.
TEST_P(KeysAsTheyCome, OnePassIsEnough) {
  subject one_by_one = GetParam().empty(2000, 0.01), pass = GetParam().empty(2000, 0.01);
  std::stringstream words;
  for (int i = 0; i < 1100; ++i) {
    const std::string word = "a-word-beyond-the-short-strings-" + std::to_string(i);
    words << word << ' ';
    one_by_one.insert(std::string_view(word));
  }
  pass.insert_words(words);
  EXPECT_TRUE(pass == one_by_one);
  count_cases("comparisons", 1);
}

TEST_P(KeysAsTheyCome, BytesAreOneKey) {
  subject text = GetParam().empty(100, 0.01), bytes = GetParam().empty(100, 0.01);
  for (const std::string& s : strings_for(GetParam(), 3, 40)) {
    text.insert(std::string_view(s));
    bytes.insert(std::as_bytes(std::span(s)));
    EXPECT_TRUE(text.may_contain(std::as_bytes(std::span(s))));
  }
  EXPECT_TRUE(bytes == text);
  count_cases("comparisons", 1);
}

TEST_P(KeysAsTheyCome, TheFirstOfEqualKeysIsNew) {
  if (!GetParam().is_deduplicating) GTEST_SKIP();
  subject f = GetParam().empty(4000, 1e-4);
  const auto once = mixed_strings(5, 700);
  std::vector<std::string> twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  const std::vector<bool> first = f.insert_if_absent(twice);
  ASSERT_EQ(first.size(), twice.size());
  subject one_by_one = GetParam().empty(4000, 1e-4);
  for (std::size_t i = 0; i < twice.size(); ++i) {
    const std::string_view s = twice[i];
    EXPECT_EQ(first[i], !one_by_one.may_contain(s)) << i;
    one_by_one.insert(s);
  }
  EXPECT_TRUE(f == one_by_one);
  count_cases("comparisons", 1);
}

TEST_P(KeysAsTheyCome, ACloneIsEqualAndApart) {
  if (!GetParam().is_plain) GTEST_SKIP();
  for (auto& [name, f] : GetParam().shapes()) {
    SCOPED_TRACE(name);
    f.insert_up_to(keys(6, 50));
    subject copy = f.clone();
    EXPECT_TRUE(copy == f);
    EXPECT_EQ(copy.capacity(), f.capacity());
    copy.clear();
    EXPECT_EQ(copy.fill(), 0);
    EXPECT_GT(f.fill(), 0);
    count_cases("comparisons", 1);
  }
}

}  // namespace
}  // namespace bloomery::testing
