#include "hash/fnv1a.hpp"

#include <algorithm>
#include <cassert>

namespace bloomery::hash {
namespace {

// Eight chains fill the multiplier (latency 3 to 4, one a cycle) and still fit the
// sixteen registers of x86-64.
constexpr std::size_t lanes = 8;

// Hashes exactly `lanes` keys: side by side as far as the shortest reaches, then the
// rest of each.  The rests are independent, so out-of-order execution overlaps them.
void hash_group(const std::string_view* keys, key* out) noexcept {
  std::uint64_t h[lanes];
  const char* p[lanes];
  std::size_t common = keys[0].size();
  for (std::size_t l = 0; l < lanes; ++l) {
    h[l] = fnv1a64_basis;
    p[l] = keys[l].data();
    common = std::min(common, keys[l].size());
  }
  for (std::size_t i = 0; i < common; ++i)
    for (std::size_t l = 0; l < lanes; ++l) h[l] = fnv1a64_step(h[l], p[l][i]);
  for (std::size_t l = 0; l < lanes; ++l)
    out[l] = key::from_bits(splitmix64(fnv1a64(keys[l].substr(common), h[l])));
}

}  // namespace

void fnv1a_splitmix(std::span<const std::string_view> keys, std::span<key> out) noexcept {
  assert(out.size() == keys.size());
  std::size_t i = 0;
  for (; i + lanes <= keys.size(); i += lanes) hash_group(&keys[i], &out[i]);
  for (; i < keys.size(); ++i) out[i] = key::from_bits(fnv1a_splitmix(keys[i]));
}

}  // namespace bloomery::hash
