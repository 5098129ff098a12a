#include "kit/bloom_bench.hpp"

#include <bloomery/bloom.hpp>

#include "kit/sizing_of.hpp"

namespace bloomery::bench {

result<figures> measure_bloom(std::uint64_t keys, double fpr, const options& o) {
  plan p = plan_of<bloom>("bloom", keys, fpr);
  p.kernel = "portable";  // scattered bits gain nothing from vectors
  return measure(p, o);
}

}  // namespace bloomery::bench
