// Scalable filters: the levels of a chain, one by one, and the chain (spec/model.md, 12).
//
// P. S. Almeida, C. Baquero, N. Preguica and D. Hutchison, "Scalable Bloom Filters",
// 2007, for the chain and its geometric shares; equal shares need fewer bits where the
// number of levels is known.
#include <bloomery/detail/kind/scalable/sizing.hpp>

#include <algorithm>
#include <cmath>

#include <bloomery/detail/kind/block/sizing.hpp>
#include <bloomery/model.hpp>

#include "model/saturated.hpp"

namespace bloomery::inline v1 {

double scalable_shape::level_fpr(unsigned level) const noexcept {
  if (policy == growth_policy::equal) return fpr / max_levels;
  if (policy == growth_policy::dynamic) return fpr;
  return fpr * first_share * std::pow(ratio, level);
}

namespace {

// Standard deviations of its realised rate that a level stays below its share.
constexpr double margin = 3;

double guarded_fpr(const block_shape& s, double keys) noexcept {
  return model::block_fpr(s, keys) * (1 + margin * model::block_fpr_scatter(s, keys));
}

bool is_level_profile(block_profile p) noexcept {
  return p >= block_profile::half_line && p <= block_profile::two_lines;
}

error too_large(double bytes) noexcept {
  return {errc::too_large, "more bytes than a filter can have", 0,
          std::max(bytes, std::nextafter(0x1p48, 0x1p49)), 0x1p48};
}

// Levels that together are at least `growth` times the first.
unsigned levels_for(double max_growth, unsigned growth) noexcept {
  double all = 1, last = 1;
  unsigned levels = 1;
  for (; all < max_growth && levels <= scalable_shape::level_limit; ++levels)
    all += last *= growth;
  return levels;
}

// The chain without its lines.
result<scalable_shape> planned(double fpr, const growth_plan& plan,
                               block_profile profile) noexcept {
  if (!(fpr > 0 && fpr < 1))
    return error{errc::invalid_argument,
                 "a false-positive rate lies strictly between 0 and 1", 0, fpr};
  scalable_shape s;
  s.fpr = fpr;
  const unsigned growth = plan.growth == 0 ? 2 : plan.growth;
  if (!s.is_growth(growth))
    return error{errc::invalid_argument,
                 "a level is 2, 4, 8 or 16 times as large as the one before", 0,
                 static_cast<double>(growth), 16};
  s.growth = static_cast<std::uint8_t>(growth);
  if (plan.dynamic) {
    if (plan.max_growth != 0)
      return error{errc::invalid_argument,
                   "a dynamic chain keeps no rate up to a limit of growth"};
    s.policy = growth_policy::dynamic;
  } else if (plan.max_growth != 0) {
    if (!(plan.max_growth >= 1))
      return error{errc::invalid_argument, "a limit of growth is at least 1", 0,
                   plan.max_growth, 1};
    const unsigned levels = levels_for(plan.max_growth, growth);
    if (levels > s.level_limit)
      return error{errc::too_large, "growth by more levels than a chain can have", 0,
                   static_cast<double>(levels), s.level_limit};
    s.policy = growth_policy::equal;
    s.max_levels = static_cast<std::uint8_t>(levels);
  }
  if (profile != block_profile::by_rate && !is_level_profile(profile))
    return error{errc::unsupported, "a profile that levels of a chain do not have"};
  const auto first_of = [&](block_profile from) noexcept {
    std::uint8_t i = 0;
    while (i < s.level_limit &&
           (profile == block_profile::by_rate ? best_profile(s.level_fpr(i)) : profile) <
               from)
      ++i;
    return i;
  };
  s.line_from = first_of(block_profile::line);
  s.two_lines_from = first_of(block_profile::two_lines);
  return s;
}

// As many as `keys` keys may seem to be: the ones that decide scatter with a variance, in
// keys, of n (e^r - r - 1) / (r k), r being the load of a bit (K.-Y. Whang, B. T.
// Vander-Zanden and H. M. Taylor 1990, for one lane).
double at_most(const block_shape& s, double keys) noexcept {
  const double load = std::min(8.0, keys * s.hashes() / static_cast<double>(s.bits()));
  return keys + 1 +
         4 * std::sqrt(keys * (std::expm1(load) - load) /
                       (load * static_cast<double>(s.hashes())));
}

bool holds(scalable_shape s, std::uint64_t lines, double keys) noexcept {
  s.lines = lines;
  return guarded_fpr(s.level(0), at_most(s.level(0), keys)) <= s.level_fpr(0);
}

// The fewest lines of a level 0 that holds `keys`; more than max_lines if none does.
std::uint64_t min_lines(const scalable_shape& s, double keys) noexcept {
  std::uint64_t low = 0, high = 1;
  for (; !holds(s, high, keys); high = std::min(4 * high, s.max_lines)) {
    low = high;
    if (high >= s.max_lines) return s.max_lines + 1;
  }
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (holds(s, middle, keys) ? high : low) = middle;
  }
  return high;
}

// For a level after the first so many.
bool has_place(const scalable_shape& s, unsigned levels) noexcept {
  return levels < s.effective_max_levels() && s.lines_of(levels + 1) <= s.max_lines;
}

// use(level, the keys that it holds, whether it is the last) for every level that the
// chain may have, until it returns false.
template <class Use>
void for_each_level(const scalable_shape& s, Use use) noexcept {
  std::uint64_t room = scalable_level_keys(s, 0);
  for (unsigned level = 0;; ++level) {
    const std::uint64_t next =
        has_place(s, level + 1) ? scalable_level_keys(s, level + 1) : 0;
    const bool is_last = next <= room;
    if (!use(level, room, is_last) || is_last) return;
    room = next;
  }
}

}  // namespace

result<void> check_scalable_shape(const scalable_shape& s) noexcept {
  const bool equal = s.policy == growth_policy::equal;
  if (!(s.fpr > 0 && s.fpr < 1) || !s.is_growth(s.growth) ||
      s.policy > growth_policy::dynamic || s.two_lines_from > s.level_limit ||
      s.line_from > s.two_lines_from ||
      (equal ? s.max_levels == 0 || s.max_levels > s.level_limit : s.max_levels != 0))
    return error{errc::invalid_argument, "no shape of a chain of block filters"};
  if (s.lines == 0)
    return error{errc::invalid_argument, "a filter needs at least one line", 0, 0, 1};
  if (s.lines > s.max_lines) return too_large(static_cast<double>(s.lines) * 64);
  return {};
}

std::uint64_t scalable_level_keys(const scalable_shape& s, unsigned level) noexcept {
  const block_shape blocks = s.level(level);
  const double want = std::log(s.level_fpr(level));
  const auto rate_at = [&](double keys) noexcept {
    return std::log(guarded_fpr(blocks, keys));
  };
  // The rate rises with the keys, nearly as a power of their number: interpolation on
  // logarithms, and the middle whenever that does not close in.
  double low = 1, high = 4 * static_cast<double>(blocks.bits());
  double low_rate = rate_at(low), high_rate = rate_at(high);
  if (low_rate > want) return 1;
  if (high_rate <= want) return model::saturated<std::uint64_t>(high);
  for (int step = 0; high - low > std::max(1.0, low * 0x1p-30); ++step) {
    double middle = low + (high - low) / 2;
    if (step % 3 != 2 && high_rate > low_rate) {
      const double x = std::log(low), y = std::log(high);
      middle = std::exp(x + (y - x) * (want - low_rate) / (high_rate - low_rate));
    }
    middle = std::clamp(std::floor(middle), low + 1, std::max(low + 1, high - 1));
    if (middle >= high) break;
    const double rate = rate_at(middle);
    if (rate <= want)
      low = middle, low_rate = rate;
    else
      high = middle, high_rate = rate;
  }
  return static_cast<std::uint64_t>(low);
}

bool scalable_can_grow(const scalable_shape& s, unsigned levels) noexcept {
  return has_place(s, levels) &&
         scalable_level_keys(s, levels) > scalable_level_keys(s, levels - 1);
}

std::uint64_t scalable_max_keys(const scalable_shape& s) noexcept {
  std::uint64_t keys = 0;
  for_each_level(s, [&](unsigned, std::uint64_t room, bool) noexcept {
    keys += room;
    return true;
  });
  return keys;
}

result<scalable_shape> scalable_of_lines(std::uint64_t lines, double fpr,
                                         const growth_plan& plan,
                                         block_profile profile) noexcept {
  auto s = planned(fpr, plan, profile);
  if (!s) return s;
  if (lines == 0)
    return error{errc::invalid_argument, "a filter needs at least one line", 0, 0, 1};
  if (lines > s->max_lines) return too_large(static_cast<double>(lines) * s->line_bytes);
  s->lines = lines;
  return s;
}

result<scalable_shape> size_scalable_by_rate(std::uint64_t keys, double fpr,
                                             const growth_plan& plan,
                                             block_profile profile) noexcept {
  if (keys == 0)
    return error{errc::invalid_argument, "a filter is sized for at least one key", 0, 0,
                 1};
  auto s = planned(fpr, plan, profile);
  if (!s) return s;
  // Rates that no block filter has, with the same words.
  if (auto one = size_blocks_by_rate(keys, s->level_fpr(0), s->profile(0)); !one)
    return one.error();
  const auto n = static_cast<double>(keys);
  s->lines = min_lines(*s, n);
  if (s->lines > s->max_lines) return too_large(n * 8);
  if (s->policy != growth_policy::equal) return s;
  // Levels of a few lines hold slightly less than their share of the keys.
  const double all = std::ceil(n * plan.max_growth);
  while (s->lines_of(s->max_levels) <= s->max_lines &&
         static_cast<double>(scalable_max_keys(*s)) < all)
    s->lines += std::max<std::uint64_t>(1, s->lines / 64);
  if (s->lines_of(s->max_levels) > s->max_lines)
    return too_large(static_cast<double>(s->lines) * s->line_bytes * plan.max_growth);
  return s;
}

result<scalable_shape> size_scalable_by_memory(std::uint64_t keys, std::uint64_t bytes,
                                               const growth_plan& plan,
                                               block_profile profile) noexcept {
  if (keys == 0)
    return error{errc::invalid_argument, "a filter is sized for at least one key", 0, 0,
                 1};
  if (bytes < scalable_shape::line_bytes)
    return error{errc::invalid_argument, "a filter needs at least one line", 0,
                 static_cast<double>(bytes), double{scalable_shape::line_bytes}};
  const std::uint64_t lines = bytes / scalable_shape::line_bytes;
  // The profile follows from the rate, and the rate from the profile: the best of each.
  // Below, larger levels could not keep their shares.
  constexpr double max_fpr = 0.5, min_fpr = 1e-6;
  result<scalable_shape> best = scalable_of_lines(lines, max_fpr, plan, profile);
  if (!best) return best;
  using enum block_profile;
  for (const block_profile p : {half_line, line, two_lines}) {
    if (profile != by_rate && p != profile) continue;
    const auto s = scalable_of_lines(lines, max_fpr, plan, p);
    if (!s) return s;
    const double share = s->level_fpr(0) / max_fpr;
    const block_shape level = s->level(0);
    const double fpr = std::max(
        min_fpr, guarded_fpr(level, at_most(level, static_cast<double>(keys))) / share);
    if (!(fpr < best->fpr)) continue;
    best = scalable_of_lines(lines, fpr, plan, profile);
    if (best && best->profile(0) != p) best = scalable_of_lines(lines, fpr, plan, p);
    if (!best) return best;
  }
  return best;
}

}  // namespace bloomery::inline v1

namespace bloomery::inline v1::model {

double scalable_fpr(const scalable_shape& s, double keys) noexcept {
  double rate = 0;
  for_each_level(s, [&](unsigned level, std::uint64_t room, bool is_last) noexcept {
    const double some = is_last ? keys : std::min(keys, static_cast<double>(room));
    rate += (1 - rate) * block_fpr(s.level(level), some);
    keys -= some;
    return keys > 0;
  });
  return rate;
}

}  // namespace bloomery::inline v1::model
