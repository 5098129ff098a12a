// The cuckoo filter: its exact rate, and how full it may be made.
//
// Why the keys fit.  By Hall's theorem n keys fit unless some k buckets are both buckets
// of more than 4 k keys, and the search for room (detail/kind/cuckoo/search.hpp) finds
// a place whenever there is one.  Three kinds of such sets, each bounded by the expected
// number of them (docs/model.md has the derivation):
//   pairs   9 keys with the same two buckets: (B/2)^2 C(n, 9) (4 / B^2)^9.  It decides
//           below some 700 keys: few keys need many buckets.
//   large   a good part of all buckets.  Summed over all sizes this is below 1e-12 for
//           n <= 3.62 B - 33.  If one takes only the set with the most keys too many,
//           whose buckets have 5 or more keys of it each, and all others 4 or fewer, what
//           remains at n <= 3.76 B is below e^(-0.038 B) times a polynomial: 1e-20 from
//           2048 buckets.
//   tags    9 keys with the same tag and buckets, which partial-key hashing makes
//   likelier:
//           (B/2) T C(n, 9) (2 / (B T))^9.  At 94 % that is below 1e-12 from 10 bits up
//           for every B; at 9 bits for up to 160 million keys, at 8 bits for 600,000.
#include <bloomery/detail/kind/cuckoo/sizing.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <bloomery/model.hpp>

namespace bloomery::inline v1 {

double model::cuckoo_fpr(double buckets, double tag_bits, double keys) noexcept {
  if (keys <= 0) return 0;
  const double classes = buckets / 2 * (std::exp2(tag_bits) - 1);
  return -std::expm1(keys * std::log1p(-1 / classes));
}

namespace {

constexpr std::uint32_t min_tag_bits = cuckoo_probe::min_tag_bits,
                        max_tag_bits = cuckoo_probe::max_tag_bits;
constexpr double max_bits = static_cast<double>(cuckoo_probe::max_bits);

error no_keys() noexcept {
  return {errc::invalid_argument, "a filter is sized for at least one key", 0, 0, 1};
}
error too_large(double bits) noexcept {
  return {errc::too_large, "more bits than a filter can have", 0, bits, max_bits};
}

double even(double buckets) noexcept { return std::max(2.0, 2 * std::ceil(buckets / 2)); }
double bits_of(double buckets, std::uint32_t tag_bits) noexcept {
  return buckets * cuckoo_probe::slots * tag_bits;
}

// The fewest buckets in which so many keys have a rate of at most `fpr`.  The rate falls
// as buckets are added.  (The inverse of cuckoo_fpr, rounded, would be off by many
// buckets where rates are close to 1 or filters huge.)
double buckets_for_rate(double keys, double fpr, std::uint32_t tag_bits) noexcept {
  const auto keeps = [&](double pairs) noexcept {
    return model::cuckoo_fpr(2 * pairs, tag_bits, keys) <= fpr;
  };
  double enough = 1;
  while (enough < 0x1p100 && !keeps(enough)) enough *= 2;
  double too_few = std::floor(enough / 2);
  // Beyond 2^53 doubles are not whole numbers apart; filters are never that large.
  for (int step = 0; step < 64 && enough - too_few > 1; ++step) {
    const double middle = too_few + std::floor((enough - too_few) / 2);
    (keeps(middle) ? enough : too_few) = middle;
  }
  return 2 * enough;
}

}  // namespace

double cuckoo_buckets_for(double keys) noexcept {
  if (keys <= 8) return 2;
  double choose_9 = 1;
  for (int i = 0; i < 9; ++i) choose_9 *= (keys - i) / (9 - i);
  const double pairs = 2 * std::pow(2e12 * choose_9, 1.0 / 16);
  const double large = std::min((keys + 33) / 3.62, std::max(2048.0, keys / 3.76));
  return even(std::max(pairs, large));
}

std::uint64_t cuckoo_capacity(std::uint64_t buckets) noexcept {
  std::uint64_t fit = 8, more = cuckoo_probe::slots * buckets + 1;
  while (more - fit > 1) {
    const std::uint64_t middle = fit + (more - fit) / 2;
    const bool fits =
        cuckoo_buckets_for(static_cast<double>(middle)) <= static_cast<double>(buckets);
    (fits ? fit : more) = middle;
  }
  return fit;
}

result<cuckoo_layout> size_cuckoo_by_rate(std::uint64_t keys, double fpr) noexcept {
  if (keys == 0) return no_keys();
  if (!(fpr > 0 && fpr < 1))
    return error{errc::invalid_argument,
                 "a false-positive rate lies strictly between 0 and 1", 0, fpr};
  const auto n = static_cast<double>(keys);
  const double room = cuckoo_buckets_for(n);
  // Twice the slots for the widest tags, and no more: that would cost a doubling for each
  // halving of the rate.
  const double floor = model::cuckoo_fpr(std::max(room, even(n / 2)), max_tag_bits, n);
  if (fpr < floor)
    return error{errc::unattainable, "tags of 32 bits are not enough for this rate", 0,
                 fpr, floor};
  double buckets = 0, fewest = std::numeric_limits<double>::infinity();
  std::uint32_t tag_bits = 0;
  for (std::uint32_t f = min_tag_bits; f <= max_tag_bits; ++f) {
    const double b = std::max(room, buckets_for_rate(n, fpr, f));
    if (bits_of(b, f) >= fewest) continue;
    fewest = bits_of(b, f), buckets = b, tag_bits = f;
  }
  if (fewest > max_bits) return too_large(fewest);
  return cuckoo_layout{static_cast<std::uint64_t>(buckets), tag_bits};
}

result<cuckoo_layout> size_cuckoo_by_bits(std::uint64_t keys,
                                          std::uint64_t bits) noexcept {
  if (keys == 0) return no_keys();
  if (bits > cuckoo_probe::max_bits) return too_large(static_cast<double>(bits));
  const double room = cuckoo_buckets_for(static_cast<double>(keys));
  for (std::uint32_t f = max_tag_bits; f >= min_tag_bits; --f) {
    const std::uint64_t buckets = bits / (2 * cuckoo_probe::slots * f) * 2;
    if (buckets != 0 && static_cast<double>(buckets) >= room)
      return cuckoo_layout{buckets, f};
  }
  return error{errc::unattainable, "so many keys do not fit, with the shortest tags", 0,
               static_cast<double>(bits), bits_of(room, min_tag_bits)};
}

}  // namespace bloomery::inline v1
