// The exact rate of given bits under double hashing: the share of pairs (start, step)
// whose progression of k positions is all ones.
//
// For one step s let A_j be the starts whose first j positions are set.  A_1 is the
// array, and A_(i+j) = A_i & (A_j moved by i*s): as sets of bits, whole words at a time.
// Doubling j, with an overlap at the end, takes ceil(log2 k) moves instead of k - 1.
// Steps s and m - s visit the same progressions in opposite order: half are enough.
//
// Halves are uniform over 2^32, not over m: the error of treating residues as equally
// likely is below m / 2^32, 2e-5 of the rate.
#include <bloomery/model.hpp>

#include <algorithm>
#include <cassert>

#include "model/cyclic_bits.hpp"

namespace bloomery::inline v1::model {
namespace {

// Starts from which every one of `hashes` positions with this step is set.
std::uint64_t starts_all_set(const cyclic_bits& array, std::uint64_t step,
                             std::uint32_t hashes, cyclic_bits& even,
                             cyclic_bits& odd) noexcept {
  const cyclic_bits* have = &array;
  for (std::uint32_t covered = 1; covered < hashes;) {
    const std::uint32_t more = std::min(covered, hashes - covered);
    cyclic_bits& next = have == &even ? odd : even;
    next.assign_and_moved(*have, more * step % array.bits());
    have = &next;
    covered += more;
  }
  return have->count();
}

}  // namespace

double double_hashing_fpr_exact(std::span<const std::byte> array, std::uint64_t bits,
                                std::uint32_t hashes) noexcept {
  assert(bits >= 1 && bits <= exact_limit && array.size() * 8 >= bits);
  // Positions repeat after at most m steps.
  const auto probes = static_cast<std::uint32_t>(std::min<std::uint64_t>(hashes, bits));
  const cyclic_bits ones(array, bits);
  cyclic_bits even(bits), odd(bits);
  std::uint64_t hits = 0;
  for (std::uint64_t s = 0; 2 * s <= bits; ++s) {
    const std::uint64_t here = starts_all_set(ones, s, probes, even, odd);
    hits += s == 0 || 2 * s == bits ? here : 2 * here;
  }
  const auto m = static_cast<double>(bits);
  return static_cast<double>(hits) / (m * m);
}

}  // namespace bloomery::inline v1::model
