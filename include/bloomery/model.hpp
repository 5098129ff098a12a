// False-positive mathematics: pure functions, no memory, no I/O.
//
// bits = m, hashes = k, keys = n, ones = set bits.  Sources and derivations are in
// docs/model.md; tests hold each function to brute force or simulation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kind/block/shape.hpp>
#include <bloomery/detail/kind/counting/shape.hpp>
#include <bloomery/detail/kind/scalable/shape.hpp>
#include <bloomery/detail/kind/stable/shape.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {
namespace model {

// --- independent probes: the classic filter ---

// Expected rate of a filter with `keys` keys.  Delta form: the textbook
// (1 - e^(-kn/m))^k plus its Jensen correction; within 0.02 % of exact from m = 2048 up.
BLOOMERY_EXPORT double classic_fpr(double bits, double hashes, double keys) noexcept;

// The same without the approximation: a sum over the distinct positions a query hits.
// O(k^2); alternating, so only for hashes <= 16.
BLOOMERY_EXPORT double classic_fpr_exact(double bits, unsigned hashes,
                                         double keys) noexcept;

// Keys that explain `ones` set bits; infinite if every bit is set.
BLOOMERY_EXPORT double classic_keys(double bits, double hashes, double ones) noexcept;

// The classic filter of bloom.hpp: independent probes, and the chance that two different
// keys start their walks alike.
BLOOMERY_EXPORT double bloom_fpr(double bits, double hashes, double keys) noexcept;

// Share of random 64-bit keys that equal one of `keys` others but for the lowest bit.
BLOOMERY_EXPORT double key_collisions(double keys) noexcept;

// Rate of a filter of bloom.hpp or partitioned_bloom.hpp in which a random key finds all
// its bits by chance with probability `by_chance`: the keys that collide are added.
BLOOMERY_EXPORT double fpr_with_collisions(double by_chance, double keys) noexcept;

// --- slices: partitioned_bloom ---

// Expected rate with `keys` keys: exact, and the chance that two different keys are one.
BLOOMERY_EXPORT double partitioned_fpr(double slice_bits, double slices,
                                       double keys) noexcept;

// Keys that explain `ones` set bits in all slices; infinite if every bit is set.
BLOOMERY_EXPORT double partitioned_keys(double slice_bits, double slices,
                                        double ones) noexcept;

// --- tags: cuckoo ---

// Expected rate with `keys` distinct keys: exact.
BLOOMERY_EXPORT double cuckoo_fpr(double buckets, double tag_bits, double keys) noexcept;

// --- runs: quotient ---

// Expected rate with `keys` distinct keys, of so many fingerprints (S * 2^r): exact.
BLOOMERY_EXPORT double quotient_fpr(double fingerprints, double keys) noexcept;

// --- slots: fuse and xor_filter ---

// Rate with fingerprints of `width` bits, none if that is 0, and `keys` distinct keys.
BLOOMERY_EXPORT double slot_fpr(unsigned width, double keys) noexcept;

// --- blocks: block_bloom and split_block_bloom ---

// Expected rate with `keys` keys: exact but for the scatter of one filter around it.
BLOOMERY_EXPORT double block_fpr(const block_shape& shape, double keys) noexcept;

// Keys that explain `ones` set bits; infinite if every bit is set.
BLOOMERY_EXPORT double block_keys(const block_shape& shape, double ones) noexcept;

// Ones expected with `keys` keys: the inverse of block_keys.
BLOOMERY_EXPORT double block_ones(const block_shape& shape, double keys) noexcept;

// The scatter of one filter around block_fpr: the standard deviation of its realised rate
// among filters with as many ones, relative to the rate.
BLOOMERY_EXPORT double block_fpr_scatter(const block_shape& shape, double keys) noexcept;

// Rate of a filter with these bits.  `passing`: the mean over its blocks of the product
// over lanes of their fill.  Keys that share block and 32 low bits with one of the `ones`
// are added: below about 1e-7 they are the larger part.
BLOOMERY_EXPORT double block_fpr_from_bits(const block_shape& shape, double passing,
                                           double ones) noexcept;

// --- chains of blocks: scalable_bloom ---

// Expected rate with `keys` keys, in as many levels as they need; what no level has room
// for is in the last.
BLOOMERY_EXPORT double scalable_fpr(const scalable_shape& shape, double keys) noexcept;

// --- cells: counting_bloom ---

// Expected rate with `keys` distinct keys: that of the filter of bits that it becomes.
BLOOMERY_EXPORT double counting_fpr(const counting_shape& shape, double keys) noexcept;

// --- cells that are forgotten: stable_bloom ---

// Share of the cells that are 0 at the stable point, and the rate there.
BLOOMERY_EXPORT double stable_zeros(const stable_shape& shape) noexcept;
BLOOMERY_EXPORT double stable_fpr(const stable_shape& shape) noexcept;

// Probability that a key is not found `gap` inserts of other keys after its own: the
// false negatives by age.
BLOOMERY_EXPORT double stable_forgetting(const stable_shape& shape, double gap) noexcept;

// Rate after so many inserts of distinct keys into an empty filter.
BLOOMERY_EXPORT double stable_fpr_after(const stable_shape& shape,
                                        double inserts) noexcept;

// --- generations: window_bloom ---

// Rate of `generations` filters of this shape after so many inserts of distinct keys, of
// which each generation takes `generation_keys`; 0: all are in one.
BLOOMERY_EXPORT double window_fpr(const block_shape& one, unsigned generations,
                                  std::uint64_t generation_keys,
                                  std::uint64_t inserts) noexcept;

// --- double hashing: the portable filter ---

// What h1 + i*h2 adds to the rate at this fill (0..1): collapsed steps and overlapping
// progressions, O(1/m).
BLOOMERY_EXPORT double double_hashing_excess(std::uint64_t bits, std::uint32_t hashes,
                                             double keys, double fill) noexcept;

// Expected rate of a portable filter, whatever its size.
BLOOMERY_EXPORT double portable_fpr(std::uint64_t bits, std::uint32_t hashes,
                                    double keys) noexcept;

// Rate of a portable filter with that many ones, without reading the bits themselves.
BLOOMERY_EXPORT double portable_fpr_from_ones(std::uint64_t bits, std::uint32_t hashes,
                                              std::uint64_t ones) noexcept;

// Keys that explain `ones` set bits in a portable filter, whatever its size.
BLOOMERY_EXPORT double portable_keys(std::uint64_t bits, std::uint32_t hashes,
                                     std::uint64_t ones) noexcept;

// Rate of exactly these bits (LSB-first) over all pairs of start and step.
// O(m^2 log k / 64).  REQUIRES: 1 <= bits <= exact_limit, array holds them
inline constexpr std::uint64_t exact_limit = 65536;
BLOOMERY_EXPORT double double_hashing_fpr_exact(std::span<const std::byte> array,
                                                std::uint64_t bits,
                                                std::uint32_t hashes) noexcept;

// --- 32-bit halves over many bits ---

// From here on halves no longer look uniform modulo m, and the integral below is used.
inline constexpr std::uint64_t halves_matter_from = std::uint64_t{1} << 31;

// Probes start and step in [0, 2^32), so for large m the bits are not equally likely:
// integrates the rate over both halves with the load each bit really carries.
struct halves {
  double fpr;
  double fill;  // expected share of ones
};
BLOOMERY_EXPORT halves short_halves(std::uint64_t bits, std::uint32_t hashes,
                                    double keys) noexcept;

// --- one budget for several filters ---

// Rates by bits per key: fpr[i] with i / steps_per_bit of them; fpr[0] = 1 is no filter.
// Between two entries the rate falls by a constant factor per bit.
// rate_curve_of (kinds.hpp) has those of our kinds.
struct rate_curve {
  static constexpr std::size_t steps_per_bit = 4, max_bits = 32;
  std::array<double, steps_per_bit * max_bits + 1> fpr{};

  // `rate` is a function of the bits per key.
  template <class Rate>
  static rate_curve of(Rate rate) noexcept {
    rate_curve c;
    c.fpr[0] = 1;
    for (std::size_t i = 1; i < c.fpr.size(); ++i)
      c.fpr[i] = rate(static_cast<double>(i) / double{steps_per_bit});
    return c;
  }
  // REQUIRES: bits_per_key is not NaN
  BLOOMERY_EXPORT double at(double bits_per_key) const noexcept;
};

// The filter of a run, or of a level that is one run.
struct budget_filter {
  double keys;
  double lookups;  // of keys that are not in it, in any unit: 1 each for absent Gets
  const rate_curve* curve;
};

struct budget_plan {
  double wasted_reads;  // the sum of lookups times rate
  double bits;          // of all filters: at most the budget
};

// The bits per key of each filter that minimise wasted reads under one budget (Dayan,
// Athanassoulis and Idreos, "Monkey", 2017, for curves of any form); 0: no filter.
// Against equal bits for all, absent Gets waste two thirds fewer reads in a tree of four
// levels that grow by 10.  Within 1 % of the best where rates fall smoothly; within 5 %
// where they fall in steps, as fuse filters' do.  A millisecond for ten filters.
// Errors: invalid_argument (a number that is negative or not finite, no curve, a curve
// that is not one of rates).  REQUIRES: bits_per_key.size() == filters.size()
BLOOMERY_EXPORT result<budget_plan> budget(std::span<const budget_filter> filters,
                                           double bits,
                                           std::span<double> bits_per_key) noexcept;

}  // namespace model
}  // namespace bloomery::inline v1
