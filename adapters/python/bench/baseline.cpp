// The same batches in C++: what the package is measured against (compare.py --tree).
//
// Keys "user-000000000000" and on, as views of one text; the integers from 0.  Prints the
// best of some rounds, nanoseconds per key: insert and lookup of texts, then of integers.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <bloomery/bloomery.hpp>

namespace {

template <class Call>
double best(std::size_t keys, int rounds, Call call) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < rounds; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double, std::nano> took =
        std::chrono::steady_clock::now() - begin;
    least = std::min(least, took.count());
  }
  return least / static_cast<double>(keys);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bloomery;
  const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  std::string text;
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < n; ++i) {
    char key[32];
    text += std::string_view(
        key, static_cast<std::size_t>(std::snprintf(key, sizeof key, "user-%012zu", i)));
    ends.push_back(text.size());
  }
  std::vector<std::string_view> texts;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    texts.push_back(std::string_view(text).substr(begin, ends[i] - begin));
  }
  std::vector<std::uint64_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  const auto answers = std::make_unique<bool[]>(n);
  const std::span<bool> out(answers.get(), n);

  auto names = block_bloom::make({.keys = n, .fpr = 0.01}).value();
  auto ids =
      block_bloom::make(
          {.keys = n, .fpr = 0.01, .hasher = hasher::xxh3().of(key_source::integers)})
          .value();
  const std::span<const std::string_view> all(texts);
  std::printf("%.2f ", best(n, rounds, [&] { names.insert(all); }));
  std::printf("%.2f ", best(n, rounds, [&] { names.may_contain(all, out); }));
  std::printf("%.2f ", best(n, rounds, [&] { ids.insert(numbers); }));
  std::printf("%.2f\n", best(n, rounds, [&] { ids.may_contain(numbers, out); }));
}
