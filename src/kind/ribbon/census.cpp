// The rate of a ribbon filter, from its shape and thresholds (spec/model.md, section 10).
#include <bloomery/ribbon.hpp>

#include <algorithm>
#include <cmath>

#include "kind/ribbon/kernel/probe.hpp"

namespace bloomery::inline v1 {
namespace {

// Places of a layer where a window may begin, by what becomes of keys there.
struct place_counts {
  std::uint64_t passed = 0, narrow = 0, wide = 0, damaged = 0;
};

// The places of one block from `first` up to `end`, in a bucket that takes them.
void count_block(const ribbon_layout& all, const ribbon_layer& l, std::uint64_t block,
                 std::uint64_t first, std::uint64_t end, const damage_set& damage,
                 place_counts& to) noexcept {
  const bool is_narrow = block < l.narrow_blocks;
  const std::uint64_t bytes = all.column_bytes() * (all.columns - is_narrow);
  const std::uint64_t at =
      l.at +
      all.column_bytes() * (block * all.columns - (is_narrow ? block : l.narrow_blocks));
  std::uint64_t& good = is_narrow ? to.narrow : to.wide;
  const bool here = damage.touches(at, bytes);
  // The first place of a block reads no other.
  const bool has_first = first % all.width == 0;
  const std::uint64_t others = end - first - has_first;
  (here ? to.damaged : good) += has_first;
  if (others != 0)
    (here || damage.touches(at + bytes, bytes) ? to.damaged : good) += others;
}

place_counts count_places(const ribbon_layout& all, const ribbon_layer& l,
                          const std::byte* data, const damage_set& damage) noexcept {
  place_counts to;
  const std::uint64_t slots = all.width == 64 ? 128 : 512;
  for (std::uint64_t segment = 0; segment < l.segments; ++segment)
    for (std::uint64_t first = 0; first < l.starts; first += slots) {
      const std::uint64_t end = std::min(first + slots, l.starts);
      const std::uint64_t origin = segment * l.segment_slots;
      const std::uint64_t bucket = l.first_bucket + (origin + first) / slots;
      if (damage.touches(all.thresholds_at + bucket / 4, 1)) {
        to.damaged += end - first;
        continue;
      }
      const unsigned t = kernel::threshold_at(data + all.thresholds_at, bucket);
      const unsigned limit =
          all.width == 64 ? kernel::limit_of<64>(t) : kernel::limit_of<128>(t);
      const std::uint64_t taken = std::min(first + limit, end);
      to.passed += taken - first;
      for (std::uint64_t at = taken; at < end;) {
        const std::uint64_t block = (origin + at) / all.width;
        const std::uint64_t next = std::min(end, (block + 1) * all.width - origin);
        count_block(all, l, block, origin + at, origin + next, damage, to);
        at = next;
      }
    }
  return to;
}

}  // namespace

double ribbon::estimated_keys() const noexcept {
  return static_cast<double>(shape_.slots() + (shape_.keeps_hashes ? shape_.rest : 0));
}

double ribbon::expected_fpr(std::uint64_t keys) const noexcept {
  return ribbon_fpr({shape_.columns, shape_.narrow}, static_cast<double>(keys));
}

double ribbon::realised_fpr() const noexcept {
  const double wide = std::exp2(-static_cast<double>(shape_.columns)), narrow = 2 * wide;
  double reach = 1, rate = 0;
  for (std::size_t i = 0; i < layout_.layers; ++i) {
    const ribbon_layer& l = layout_.layer[i];
    const place_counts n = count_places(layout_, l, store_.data(), damage_);
    const auto all = static_cast<double>(l.segments * l.starts);
    rate += reach *
            (static_cast<double>(n.narrow) * narrow + static_cast<double>(n.wide) * wide +
             static_cast<double>(n.damaged)) /
            all;
    reach *= static_cast<double>(n.passed) / all;
  }
  const std::uint64_t last_bytes = layout_.size_in_bytes - layout_.last_at;
  if (last_bytes != 0 && damage_.touches(layout_.last_at, last_bytes)) {
    rate += reach;
  } else if (layout_.last_slots != 0) {
    const auto starts = static_cast<double>(layout_.last_starts);
    const double share = static_cast<double>(layout_.last_narrow) / starts;
    rate += reach * (share * narrow + (1 - share) * wide);
  }
  return std::min(1.0, rate + estimated_keys() * 0x1p-64);
}

}  // namespace bloomery::inline v1
