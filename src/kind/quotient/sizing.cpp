// The quotient filter: its exact rate, and how full it may be made.
//
// Why the keys fit.  Slots are served in order, so the slots by which runs reach beyond
// slot i are a queue that one slot serves at a time.  With n keys in S slots, load a = n
// / S, arrivals in one slot are Poisson(a), and the queue exceeds t with a probability of
// at most e^(-z t), where a (e^z - 1) = z: z = 0.103 at 95 %, 0.040 at 98 %.  The blocks
// have 640 slots behind the last quotient: e^(-66) at 95 %.  Below 4096 quotients 10
// sqrt(S) are as good, since so few keys cannot be so uneven.
//
// Copies.  n keys that differ may have equal fingerprints.  Two copies take two slots,
// c >= 3 at most c + 1: so n keys take n slots, and one more for each fingerprint with
// three keys or more, of which n l^2 / 6 are expected, l = a / 2^r.
#include <bloomery/detail/kind/quotient/sizing.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <bloomery/model.hpp>

#include "model/saturated.hpp"

namespace bloomery::inline v1 {

double model::quotient_fpr(double fingerprints, double keys) noexcept {
  if (keys <= 0) return 0;
  return -std::expm1(keys * std::log1p(-1 / fingerprints));
}

namespace {

constexpr std::uint32_t min_bits = quotient_layout::min_remainder_bits,
                        max_bits = quotient_layout::max_remainder_bits;
constexpr double max_filter_bits = 0x1p48;

error no_keys() noexcept {
  return {errc::invalid_argument, "a filter is sized for at least one key", 0, 0, 1};
}
error too_large(double bits) noexcept {
  return {errc::too_large, "more bits than a filter can have", 0, bits, max_filter_bits};
}

double bits_of(double quotients, std::uint32_t r) noexcept {
  const double extra = std::min(640.0, 10 * std::ceil(std::sqrt(quotients)));
  const double blocks = std::ceil((quotients + extra) / 64);
  return 64 * (blocks * (r + 2) + std::ceil(blocks / 8));
}

// The fewest quotients whose slots so many keys fit.
double room_for(double keys, std::uint32_t r) noexcept {
  const double load = quotient_max_load / std::exp2(r);
  const double thrice = keys * load * load / 6;
  return std::ceil((keys + thrice + 6 * std::sqrt(thrice)) / quotient_max_load);
}

// The fewest with a rate of at most `fpr`.
double quotients_for_rate(double keys, double fpr, std::uint32_t r) noexcept {
  const double classes = std::exp2(r);
  double s = std::max(1.0, std::floor(keys / (classes * -std::log1p(-fpr))));
  const double first = s;
  for (int step = 0; model::quotient_fpr(s * classes, keys) > fpr && step < 64; ++step)
    s = first + std::ceil(std::max(step + 1.0, std::ldexp(first, step - 52)));
  return s;
}

bool can_be(double quotients, std::uint32_t r) noexcept {
  return quotients <= static_cast<double>(quotient_layout::max_quotients(r)) &&
         bits_of(quotients, r) <= max_filter_bits * (r + 2) / (r + 3);
}

}  // namespace

quotient_layout quotient_layout_of(std::uint64_t quotients,
                                   std::uint32_t remainder_bits) noexcept {
  constexpr std::uint64_t most = 640;
  std::uint64_t extra = 10;
  while (extra < most && extra / 10 * (extra / 10) < quotients) extra += 10;
  const std::uint64_t slots = quotients + extra;
  return {quotients, remainder_bits, slots / 64 + (slots % 64 != 0)};
}

result<void> check_quotient_layout(const quotient_layout& l) noexcept {
  const auto r = l.remainder_bits;
  if (r < min_bits || r > max_bits)
    return error{r < min_bits ? errc::invalid_argument : errc::too_large,
                 "remainders have 2 to 32 bits", 0, static_cast<double>(r),
                 r < min_bits ? double{min_bits} : double{max_bits}};
  if (l.quotients == 0)
    return error{errc::invalid_argument, "a filter needs at least one quotient", 0, 0, 1};
  if (l.quotients > quotient_layout::max_quotients(r))
    return error{errc::too_large, "more fingerprints than a filter can have", 0,
                 static_cast<double>(l.quotients),
                 static_cast<double>(quotient_layout::max_quotients(r))};
  if (l.blocks > quotient_layout::max_blocks(r))
    return error{errc::too_large, "more blocks than a filter can have", 0,
                 static_cast<double>(l.blocks),
                 static_cast<double>(quotient_layout::max_blocks(r))};
  if (l.slots() < l.quotients)
    return error{errc::invalid_argument, "fewer slots than quotients", 0,
                 static_cast<double>(l.slots()), static_cast<double>(l.quotients)};
  return {};
}

std::uint64_t quotient_capacity(const quotient_layout& l) noexcept {
  const auto s = static_cast<double>(l.quotients);
  std::uint64_t fit = 0, more = l.quotients + 1;
  while (more - fit > 1) {
    const std::uint64_t middle = fit + (more - fit) / 2;
    (room_for(static_cast<double>(middle), l.remainder_bits) <= s ? fit : more) = middle;
  }
  return fit;
}

result<quotient_layout> size_quotient_by_rate(std::uint64_t keys, double fpr) noexcept {
  if (keys == 0) return no_keys();
  if (!(fpr > 0 && fpr < 1))
    return error{errc::invalid_argument,
                 "a false-positive rate lies strictly between 0 and 1", 0, fpr};
  const auto n = static_cast<double>(keys);
  double quotients = 0, fewest = std::numeric_limits<double>::infinity(), floor = 1,
         tried = fewest;
  std::uint32_t remainder_bits = 0;
  for (std::uint32_t r = min_bits; r <= max_bits; ++r) {
    const double room = room_for(n, r), twice = std::max(room, 2 * n);
    const double s = std::max(room, quotients_for_rate(n, fpr, r));
    tried = std::min(tried, bits_of(s, r));
    if (can_be(twice, r))
      floor = std::min(floor, model::quotient_fpr(std::ldexp(twice, int(r)), n));
    if (!can_be(s, r) || bits_of(s, r) >= fewest) continue;
    // More than two slots for each key would cost a doubling for each halving of the
    // rate.
    if (s > twice && r == max_bits) continue;
    fewest = bits_of(s, r), quotients = s, remainder_bits = r;
  }
  if (fpr < floor && floor < 1)
    return error{errc::unattainable,
                 "the longest remainders are not enough for this rate", 0, fpr, floor};
  if (remainder_bits == 0) return too_large(tried);
  return quotient_layout_of(static_cast<std::uint64_t>(quotients), remainder_bits);
}

result<quotient_layout> size_quotient_by_bits(std::uint64_t keys,
                                              std::uint64_t bits) noexcept {
  if (keys == 0) return no_keys();
  if (static_cast<double>(bits) > max_filter_bits)
    return too_large(static_cast<double>(bits));
  const auto n = static_cast<double>(keys);
  for (std::uint32_t r = max_bits; r >= min_bits; --r) {
    const auto fits = [&](std::uint64_t s) noexcept {
      return 8 * quotient_layout_of(s, r).size_in_bytes() <= bits &&
             can_be(static_cast<double>(s), r);
    };
    std::uint64_t most = 0, over = bits + 1;
    while (over - most > 1) {
      const std::uint64_t middle = most + (over - most) / 2;
      (fits(middle) ? most : over) = middle;
    }
    if (most != 0 && room_for(n, r) <= static_cast<double>(most))
      return quotient_layout_of(most, r);
  }
  return error{errc::unattainable,
               "so many keys do not fit, with the shortest remainders", 0,
               static_cast<double>(bits), bits_of(room_for(n, min_bits), min_bits)};
}

result<quotient_layout> doubled(const quotient_layout& l) noexcept {
  if (l.remainder_bits <= min_bits)
    return error{errc::unattainable,
                 "remainders of 2 bits cannot be shortened: the filter is not doubled", 0,
                 static_cast<double>(l.remainder_bits), min_bits + 1};
  const auto twice = quotient_layout_of(2 * l.quotients, l.remainder_bits - 1);
  if (auto ok = check_quotient_layout(twice); !ok) return ok.error();
  return twice;
}

}  // namespace bloomery::inline v1
