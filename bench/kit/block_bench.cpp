#include "kit/block_bench.hpp"

#include <bloomery/block_bloom.hpp>
#include <bloomery/kernels.hpp>
#include <bloomery/split_block_bloom.hpp>

#include "kit/sizing_of.hpp"

namespace bloomery::bench {

result<figures> measure_block(std::uint64_t keys, double fpr, const options& o) {
  plan p = plan_of<block_bloom>("block", keys, fpr);
  p.kernel = kernel_name();
  p.v3 = BLOOMERY_V3_LOOPS(block);
  return measure(p, o);
}

result<figures> measure_split_block(std::uint64_t keys, double fpr, const options& o) {
  plan p = plan_of<split_block_bloom>("split-block", keys, fpr);
  p.kernel = kernel_name();
  p.v3 = BLOOMERY_V3_LOOPS(split_block);
  return measure(p, o);
}

}  // namespace bloomery::bench
