// The ribbon filter: columns for a rate, slots for keys (docs/model.md, section 15).
#include <bloomery/detail/kind/ribbon/sizing.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/saturated.hpp"

namespace bloomery::inline v1 {
namespace {

constexpr double two32 = 0x1p32;
constexpr double max_bytes = static_cast<double>(ribbon_shape::max_bits) / 8;

// Slots per key of a layer that passes keys on, in 1/256.  Fewer leave fewer slots empty
// and pass more keys on; docs/decisions/0029-ribbon.md has what was tried.
constexpr std::uint64_t load_in_256(unsigned width) noexcept {
  return width == 64 ? 247 : 250;
}

// Slots that stay empty in a layer of so many: at its left end, and where thresholds pass
// on more keys than needed.  Measured (tests/unit/filter/ribbon_space_test.cpp).
double empty_slots(unsigned width, double slots, double segments) noexcept {
  return width == 64 ? 0.0019 * slots + 24 * segments : 0.0010 * slots + 40 * segments;
}

error too_large(double bytes) noexcept {
  return {errc::too_large, "more bytes than a filter can have", 0, bytes, max_bytes};
}
error no_keys() noexcept {
  return {errc::invalid_argument, "a filter is sized for at least one key", 0, 0, 1};
}

ribbon_columns columns_of(double bits) noexcept {
  const double whole = std::clamp(std::ceil(bits), 1.0, 32.0);
  const double narrow = whole < 2 ? 0 : (whole - bits) * two32;
  return {static_cast<std::uint32_t>(whole),
          model::saturated<std::uint32_t>(std::floor(narrow))};
}

}  // namespace

std::uint32_t ribbon_buckets_for(std::uint64_t keys, unsigned width) noexcept {
  ribbon_shape s;
  s.width = width;
  const std::uint64_t load = load_in_256(width), slots = s.bucket_slots();
  if (keys / 256 >= (std::uint64_t{1} << 32) * slots / load) return 0;
  // Down rather than up: a layer that is too full passes on more, one that is not full
  // wastes slots.
  const std::uint64_t wanted = keys / 256 * load + keys % 256 * load / 256;
  const auto buckets = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      (wanted + slots * 45 / 128) / slots, 1, std::numeric_limits<std::uint32_t>::max()));
  // Segments are equal.
  return buckets / s.segments(buckets) * s.segments(buckets);
}

result<ribbon_columns> ribbon_columns_by_rate(std::uint64_t keys, double fpr) noexcept {
  if (!(fpr > 0 && fpr < 1))
    return error{errc::invalid_argument, "the rate lies between 0 and 1", 0, fpr};
  if (ribbon_buckets_for(keys, 128) == 0)
    return too_large(static_cast<double>(keys) * std::ceil(-std::log2(fpr)) / 8);
  const double same_hash = 1.01 * static_cast<double>(keys) * 0x1p-64;
  const double rate = same_hash > 0.01 * fpr ? fpr - same_hash : fpr;
  if (rate < 0x1p-32)
    return error{errc::unattainable,
                 "32 bits of each key, or 64 bits of hash, do not reach this rate", 0,
                 fpr, 0x1p-32 + same_hash};
  int exponent;
  const double fraction = std::frexp(rate, &exponent);  // in [1/2, 1)
  if (exponent >= 0) return ribbon_columns{1, 0};
  // rate = 2^-columns (1 + narrow), 0 <= narrow < 1: exact in a double
  return ribbon_columns{static_cast<std::uint32_t>(1 - exponent),
                        static_cast<std::uint32_t>((2 * fraction - 1) * two32)};
}

result<ribbon_shape> plan_ribbon(std::uint64_t keys, unsigned width,
                                 ribbon_columns columns) noexcept {
  ribbon_shape s;
  s.width = width;
  s.columns = columns.columns;
  s.narrow = columns.narrow;
  for (std::size_t i = 0; i < s.max_layers; ++i) {
    if (keys <= (i == 0 ? ribbon_small_keys(width) : ribbon_last_keys)) break;
    const std::uint32_t buckets = ribbon_buckets_for(keys, width);
    if (buckets == 0) return too_large(static_cast<double>(keys) * columns.columns / 8);
    s.buckets[i] = buckets;
    const double slots = static_cast<double>(buckets) * s.bucket_slots();
    const double taken = slots - empty_slots(width, slots, s.segments(buckets));
    const double left = static_cast<double>(keys) - taken;
    keys = model::saturated<std::uint64_t>(left);
  }
  s.keeps_hashes = keys > ribbon_last_keys;
  s.rest =
      s.keeps_hashes ? static_cast<std::uint32_t>(keys) : ribbon_last_slots_for(keys);
  return s;
}

// The share of narrow slots is searched, not computed: it is a whole number of blocks.
result<ribbon_columns> ribbon_columns_by_bytes(std::uint64_t keys, unsigned width,
                                               std::uint64_t bytes) noexcept {
  if (keys == 0) return no_keys();
  const auto needed = [&](double bits) noexcept {
    const auto plan = plan_ribbon(keys, width, columns_of(bits));
    if (!plan) return std::numeric_limits<double>::infinity();
    const auto planned = static_cast<double>(ribbon_layout(*plan).size_in_bytes);
    // What a filter may be larger than planned.
    const double more = plan->layers() == 0 ? 0 : 48 + 0.001 * static_cast<double>(keys);
    return planned + more * bits / 8;
  };
  const auto room = static_cast<double>(bytes);
  if (!plan_ribbon(keys, width, {1, 0})) return too_large(room);
  if (needed(1) > room)
    return error{errc::unattainable, "less than one bit for each key", 0, room,
                 std::ceil(needed(1))};
  double fits = 1, too_much = 33;
  for (int i = 0; i < 48; ++i) {
    const double middle = (fits + too_much) / 2;
    (needed(std::min(middle, 32.0)) <= room ? fits : too_much) = middle;
  }
  return columns_of(std::min(fits, 32.0));
}

double ribbon_fpr(ribbon_columns c, double keys) noexcept {
  if (keys <= 0) return 0;
  const double narrow = c.columns == 1 ? 0 : c.narrow / two32;
  return std::min(
      1.0, std::exp2(-static_cast<double>(c.columns)) * (1 + narrow) + keys * 0x1p-64);
}

}  // namespace bloomery::inline v1
