#include "comparison/contestants.hpp"

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "comparison/ours.hpp"
#include "kit/v3.hpp"
#include "peers/peers.hpp"

namespace bloomery::bench {

namespace {

// The same filter, asked by a program built for x86-64-v3: its one-key calls only, the
// rest does not depend on how the caller was built.
void add_v3(std::vector<contestant>& all, bloomery_peer calls,
            const bloomery_v3_loops* loops, const char* name) {
  if (loops == nullptr) return;
  calls.name = name;
  calls.about = "its one-key calls in a program built for x86-64-v3";
  calls.insert = loops->insert;
  calls.count = loops->count;
  calls.ticks = loops->ticks;
  calls.insert_batched = nullptr;
  calls.count_batched = nullptr;
  all.push_back({.calls = calls, .ours = true, .one_key_only = true});
}

}  // namespace

std::vector<contestant> contestants() {
  const auto block =
      ours<block_bloom>::entry("block", "one cache line a key; built for any CPU");
  const auto split = ours<split_block_bloom>::entry(
      "split-block", "as in Parquet files; built for any CPU");
  const auto portable = ours<portable_bloom>::entry(
      "portable", "scattered bits, the same from any language; built for any CPU");
  std::vector<contestant> all;
  all.push_back({block, true});
  add_v3(all, block, BLOOMERY_V3_LOOPS(block), "block, v3 build");
  all.push_back({split, true});
  add_v3(all, split, BLOOMERY_V3_LOOPS(split_block), "split-block, v3 build");
  all.push_back(
      {ours<bloom>::entry("bloom", "the classic one; built for any CPU"), true});
  all.push_back({portable, true});
  for (const bloomery_peer* p : peers()) all.push_back({*p, false});
  return all;
}

}  // namespace bloomery::bench
