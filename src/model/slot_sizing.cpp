#include <bloomery/detail/kind/slot/sizing.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

#include <bloomery/model.hpp>

namespace bloomery::inline v1 {
namespace {

// Keys per 10,000 slots of the segments that a key can begin in, at most: the longer the
// segments, the closer to the threshold of peeling (9179 for three slots per key, 9768
// for four). Measured, so that more than 9 of 10 first rounds succeed.  Index: log2 of
// the length, from 6.
constexpr unsigned first_log = 6;
constexpr std::uint64_t three_wise[] = {7000, 8150, 8300, 8440, 8580,
                                        8780, 8880, 8976, 9030};
constexpr std::uint64_t four_wise[] = {8050, 8550, 8780, 8980, 9180,
                                       9340, 9450, 9537, 9545};
static_assert(std::size(three_wise) == std::size(four_wise));
// The ends of few segments help more than their length.
constexpr std::uint64_t few_segments = 14, few_load = 8700;
// In many, there is more often one in which peeling stops; in many short ones, two keys
// with the same three slots.
constexpr std::uint64_t max_segments(unsigned arity, std::uint64_t length) noexcept {
  return arity == 3 ? std::min<std::uint64_t>(200, length * 2 / 5) : 200;
}

constexpr std::uint64_t keys_per_shard = std::uint64_t{3} << 20;

constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) noexcept {
  return a / b + (a % b != 0);
}
std::uint64_t root(std::uint64_t n) noexcept {  // rounded down
  std::uint64_t r = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1)
    if ((r | bit) * (r | bit) <= n) r |= bit;
  return r;
}

// One up to 3/2 of the keys of a shard.
std::uint64_t shards_for(std::uint64_t keys) noexcept {
  const std::uint64_t s = (keys + keys_per_shard / 2) / keys_per_shard;
  return s == 0 ? 1 : s;
}
// Keys that the fullest of many shards is likely to have.
std::uint64_t keys_of_shard(std::uint64_t keys, std::uint64_t shards) noexcept {
  if (shards == 1) return keys;
  const std::uint64_t mean = ceil_div(keys, shards);
  return mean + 3 * root(mean);
}

slot_shape segments_for(std::uint64_t keys, slot_layout layout) noexcept {
  const unsigned arity = layout == slot_layout::three ? 3 : 4;
  slot_shape best{.layout = layout};
  for (unsigned i = 0; i < std::size(three_wise); ++i) {
    const std::uint64_t segment = std::uint64_t{1} << (first_log + i);
    const std::uint64_t load = arity == 3 ? three_wise[i] : four_wise[i];
    std::uint64_t starts = ceil_div(keys * 10'000, load * segment);
    if (starts <= few_segments && load < few_load)
      starts = ceil_div(keys * 10'000, few_load * segment);
    if (starts < 6 && i != 0) break;
    if (starts > max_segments(arity, segment) && i + 1 != std::size(three_wise)) continue;
    const std::uint64_t slots = (starts + arity - 1) * segment;
    if (best.shard_slots != 0 && slots > best.shard_slots) continue;
    best.shard_slots = slots;
    best.segment_log = static_cast<std::uint8_t>(first_log + i);
  }
  return best;
}

// 1.23 and 32 slots more; shards begin at whole bytes.
slot_shape blocks_for(std::uint64_t keys) noexcept {
  const std::uint64_t block = ceil_div(keys * 123 / 100 + 32, 3);
  return {.shard_slots = 3 * ceil_div(block, 8) * 8, .layout = slot_layout::three};
}

template <class ShardFor>
result<slot_shape> size(std::uint64_t keys, std::uint32_t width,
                        ShardFor shard_for) noexcept {
  if (width == 0 || width > slot_shape::max_width)
    return error{errc::invalid_argument, "slots have 1 to 32 bits", 0,
                 static_cast<double>(width), slot_shape::max_width};
  slot_shape s;
  if (keys > slot_shape::max_bits / width)
    return error{errc::too_large, "more bits than a filter can have", 0,
                 1.125 * static_cast<double>(keys) * width,
                 static_cast<double>(slot_shape::max_bits)};
  if (keys <= slot_shape::max_small_keys) {
    s.shard_slots = keys == 0 ? 0 : keys + keys / 24 + 3;
  } else {
    const std::uint64_t shards = shards_for(keys);
    s = shard_for(keys_of_shard(keys, shards));
    s.shards = static_cast<std::uint32_t>(shards);
  }
  s.width = width;
  if (s.slots() > slot_shape::max_bits / width)
    return error{errc::too_large, "more bits than a filter can have", 0,
                 static_cast<double>(s.slots()) * width,
                 static_cast<double>(slot_shape::max_bits)};
  return s;
}

}  // namespace

// Keys whose 64 bits are equal cannot be distinguished.
double model::slot_fpr(unsigned width, double keys) noexcept {
  const double by_chance = width == 0 ? 0 : std::ldexp(1.0, -static_cast<int>(width));
  return std::min(1.0, by_chance + keys * 0x1p-64);
}

result<std::uint32_t> slot_width_for(double fpr) noexcept {
  if (!(fpr > 0 && fpr < 1))
    return error{errc::invalid_argument, "a rate is between 0 and 1", 0, fpr};
  for (std::uint32_t width = 1; width <= slot_shape::max_width; ++width)
    if (std::ldexp(1.0, -static_cast<int>(width)) <= fpr) return width;
  return error{errc::unattainable, "fingerprints have at most 32 bits", 0, fpr, 0x1p-32};
}

result<slot_shape> size_fuse(std::uint64_t keys, std::uint32_t width,
                             slot_layout layout) noexcept {
  if (layout != slot_layout::three && layout != slot_layout::four)
    return error{errc::unsupported, "a fuse filter has three or four slots per key"};
  return size(keys, width,
              [layout](std::uint64_t n) noexcept { return segments_for(n, layout); });
}

result<slot_shape> size_xor(std::uint64_t keys, std::uint32_t width) noexcept {
  return size(keys, width, [](std::uint64_t n) noexcept { return blocks_for(n); });
}

}  // namespace bloomery::inline v1
