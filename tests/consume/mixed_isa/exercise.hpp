// Every inline path of the block and counting filters, compiled in two translation units
// with different flags.  What each returns must be the same, and neither may use the
// other's code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <bloomery/bloomery.hpp>

// A sum over all answers and bytes of filters of every profile, made one key at a time.
std::uint64_t baseline_answers();
std::uint64_t v3_answers();

// Always inlined: the test itself must not do what it looks for.
template <class F>
[[gnu::always_inline]] inline std::uint64_t answers_of(F& f) {
  std::uint64_t sum = 0;
  const auto ids = f.hasher().of(bloomery::key_source::integers);
  for (std::uint64_t i = 0; i < 500; ++i) f.insert(ids.hash_u64(i));
  const char* const words[] = {"alice", "bob", "carol"};
  const std::byte bytes[] = {std::byte{1}, std::byte{2}};
  bool found[3];
  f.insert(words);
  f.may_contain(words, found);
  if constexpr (bloomery::deduplicating<F>)
    sum += f.insert_if_absent(bytes);
  else
    sum += f.try_insert(bytes).has_value();
  for (const bool answer : {f.may_contain(bytes), found[2]}) sum = 31 * sum + answer;
  for (std::uint64_t i = 0; i < 5000; ++i)
    sum = 31 * sum + f.may_contain(ids.hash_u64(i)) + f.may_contain("text");
  for (const std::byte b : f.bytes()) sum = 31 * sum + static_cast<unsigned>(b);
  return sum;
}

[[gnu::always_inline]] inline std::uint64_t answers() {
  using namespace bloomery;
  std::uint64_t sum = 0;
  for (const double fpr : {0.1, 0.01, 0.0001}) {
    auto f = block_bloom::make({.keys = 500, .fpr = fpr});
    sum = 31 * sum + (f ? answers_of(*f) : 0);
  }
  for (const unsigned cell_bits : {4u, 8u}) {
    auto f = counting_bloom::make({.keys = 500, .fpr = 0.01, .cell_bits = cell_bits});
    sum = 31 * sum + (f ? answers_of(*f) : 0);
    checked_filter checked(*std::move(f));
    sum = 31 * sum + checked.may_contain("text");
  }
  auto f = split_block_bloom::make({.keys = 500, .fpr = 0.01});
  return 31 * sum + (f ? answers_of(*f) : 0);
}
