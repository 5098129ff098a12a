#include "keys/terminators.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace bloomery::cli {
namespace {

TEST(Terminators, EveryStartAndLengthAgreesWithTheObviousLoop) {
  std::mt19937 random(1);
  for (const char wanted : {'\n', '\0', '\xff'}) {
    std::string text(300, 'x');
    for (char& c : text)
      if (random() % 3 == 0) c = wanted;
    for (std::size_t from = 0; from < 70; ++from) {
      for (std::size_t to = from; to <= text.size(); to += 1 + to % 3) {
        std::vector<std::size_t> expected, found;
        for (std::size_t i = from; i < to; ++i)
          if (text[i] == wanted) expected.push_back(i);
        for_each_terminator(text.data(), from, to, wanted,
                            [&](std::size_t at) { found.push_back(at); });
        ASSERT_EQ(found, expected) << from << ".." << to;
      }
    }
  }
}

}  // namespace
}  // namespace bloomery::cli
