// The shape of a scalable filter: a chain of block filters, each `growth` times as large
// as the one before.  spec/filters.md, section 12.
//
// Everything a reader needs is a few small numbers: a level has its size from its place,
// so a file needs no directory that could be damaged.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kind/block/shape.hpp>

namespace bloomery::inline v1 {

// How the rate is divided among the levels.  Numbers are stored in files.
enum class growth_policy : std::uint8_t {
  equal = 0,      // the number of levels is known: each has the same share
  geometric = 1,  // it is not: each has 0.9 of the share of the one before
  dynamic = 2,    // each has the whole rate: that of the chain grows with every level
};

// As in options: "equal", "geometric", "dynamic".
constexpr const char* name_of(growth_policy p) noexcept {
  constexpr const char* names[] = {"equal", "geometric", "dynamic"};
  const auto i = static_cast<std::size_t>(p);
  return i < std::size(names) ? names[i] : "unknown";
}

// What a chain is to be.
struct growth_plan {
  // Up to this many times the keys it begins with, at the same rate; 0: not known.
  double max_growth = 0;
  unsigned growth = 0;   // each level is so many times the one before: 2, 4, 8, 16; 0: 2
  bool dynamic = false;  // every level has the whole rate; no max_growth

  bool is_default() const noexcept { return max_growth == 0 && growth == 0 && !dynamic; }
};

struct scalable_shape {
  static constexpr unsigned level_limit = 48;  // of any chain
  static constexpr std::uint64_t line_bytes = 64;
  static constexpr std::uint64_t max_lines = (std::uint64_t{1} << 48) / line_bytes;
  // The shares of a chain of unknown length: first_share * ratio^i, 1 in all.
  static constexpr double ratio = 0.9, first_share = 0.1;

  std::uint64_t lines = 0;  // of level 0
  double fpr = 0.01;        // that the chain is to keep
  std::uint8_t growth = 2;  // 2, 4, 8, 16
  growth_policy policy = growth_policy::geometric;
  std::uint8_t max_levels = 0;       // of the policy equal; otherwise 0
  std::uint8_t line_from = 0;        // the first level of the profile line
  std::uint8_t two_lines_from = 48;  // and of two_lines

  static constexpr bool is_growth(unsigned s) noexcept {
    return s == 2 || s == 4 || s == 8 || s == 16;
  }
  constexpr unsigned effective_max_levels() const noexcept {
    return policy == growth_policy::equal ? max_levels : level_limit;
  }
  constexpr block_profile profile(unsigned level) const noexcept {
    if (level >= two_lines_from) return block_profile::two_lines;
    return level >= line_from ? block_profile::line : block_profile::half_line;
  }
  // Lines of so many levels together; more than max_lines if that is too many.
  constexpr std::uint64_t lines_of(unsigned levels) const noexcept {
    std::uint64_t all = 0, more = lines;
    for (unsigned i = 0; i < levels; ++i, more *= growth) {
      all += more;
      if (lines > max_lines || all > max_lines) return max_lines + 1;
    }
    return all;
  }
  // REQUIRES for the calls below: lines_of(level + 1) <= max_lines
  constexpr std::uint64_t level_lines(unsigned level) const noexcept {
    return lines_of(level + 1) - lines_of(level);
  }
  constexpr block_shape level(unsigned level) const noexcept {
    block_shape s{1, profile(level)};
    s.blocks = level_lines(level) * (line_bytes / s.block_bytes());
    return s;
  }
  constexpr std::uint64_t offset(unsigned level) const noexcept {
    return line_bytes * lines_of(level);
  }
  constexpr std::uint64_t size_in_bytes(unsigned levels) const noexcept {
    return line_bytes * lines_of(levels);
  }

  // The rate of a level that is full.
  BLOOMERY_EXPORT double level_fpr(unsigned level) const noexcept;

  friend constexpr bool operator==(const scalable_shape&,
                                   const scalable_shape&) noexcept = default;
};

}  // namespace bloomery::inline v1
