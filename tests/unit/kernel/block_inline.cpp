// Law: one-key calls that a caller inlines, because it compiles for vector instructions,
// set and test the bits of the specification.
//
// A program of its own for each instruction set, without GoogleTest: code compiled for
// AVX must not reach the other tests through a shared inline function.  Exit 77: this CPU
// has no such instructions.
#include <algorithm>
#include <cstdio>
#include <span>
#include <type_traits>

#include <bloomery/block_bloom.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "block_oracle.hpp"
#include "test_key.hpp"

namespace {

using namespace bloomery;
static_assert(!std::is_same_v<block_probe::native, block_probe::dispatched>,
              "compile this for vector instructions");

// Half the keys go in, some with halves at the ends of their range; then all are asked.
template <class F>
bool holds(F f) {
  testing::block_oracle want(f.shape());
  auto ks = testing::keys(1, 2000);
  constexpr std::uint64_t ends[] = {0, ~std::uint64_t{0}, 0xffffffff, 0xffffffff00000000};
  for (std::size_t i = 0; i < std::size(ends); ++i) ks[i] = key::from_bits(ends[i]);
  for (const key k : std::span(ks).first(1000)) want.insert(k), f.insert(k);
  if (!std::ranges::equal(f.bytes(), want.bytes())) return false;
  return std::ranges::all_of(
      ks, [&](key k) { return f.may_contain(k) == want.may_contain(k); });
}

// The same keys by the calls for several threads.
template <class Policy, class F>
bool agrees(F f) {
  testing::block_oracle want(f.shape());
  auto shared = *concurrent<F, Policy>::adopt(std::move(f));
  for (const key k : testing::keys(1, 1000)) {
    const bool is_new = !want.may_contain(k);
    want.insert(k);
    if (shared.insert_and_test(k) != is_new || !shared.may_contain(k)) return false;
    if (shared.insert_if_absent(k)) return false;
  }
  return std::ranges::equal(std::move(shared).release().bytes(), want.bytes());
}

template <class F>
bool all_hold(F a, F b, F c) {
  return holds(std::move(a)) && agrees<wait_free>(std::move(b)) &&
         agrees<locked>(std::move(c));
}

bool cpu_has_it() {
#if defined(__AVX512VL__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
#else
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#endif
}

}  // namespace

int main() {
  if (!cpu_has_it()) return 77;
  int wrong = 0;
  for (const std::uint64_t blocks : {1u, 7u, 100u, 151u}) {
    using enum block_profile;
    for (const block_profile p : {half_line, line, two_lines, lanes16})
      if (!all_hold(*block_bloom::make({blocks, p}), *block_bloom::make({blocks, p}),
                    *block_bloom::make({blocks, p})))
        ++wrong, std::printf("%s, %d blocks: differs\n", name_of(p), int(blocks));
    if (!all_hold(*split_block_bloom::make(blocks), *split_block_bloom::make(blocks),
                  *split_block_bloom::make(blocks)))
      ++wrong, std::printf("split, %d blocks: differs\n", int(blocks));
  }
  return wrong == 0 ? 0 : 1;
}
