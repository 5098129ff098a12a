// What a quotient filter's census says of it (spec/model.md, section 15).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include <bloomery/detail/kind/quotient/runs.hpp>
#include <bloomery/quotient.hpp>

namespace bloomery::inline v1 {

inline void add_copies(quotient_census& to, std::uint64_t count) noexcept {
  ++to.fingerprints;
  // Only bytes that no writer wrote come near.
  to.copies = count > ~to.copies ? ~std::uint64_t{0} : to.copies + count;
  to.max_copies = std::max(to.max_copies, count);
}

// The runs of a block's quotients, as far as they can be followed.  on_run(first, last)
// for each.  REQUIRES: the block may be read
template <class Runs, class OnRun>
void add_block(quotient_census& to, const Runs& runs, std::uint64_t b,
               OnRun on_run) noexcept {
  for (std::uint64_t left = runs.occupieds(b); left != 0; left &= left - 1) {
    const std::uint64_t q = 64 * b + static_cast<unsigned>(std::countr_zero(left));
    if (q >= runs.layout().quotients) break;
    const quotient_run run = runs.find(q);
    if (run.state != run_state::found) {
      ++to.unknown_quotients;
      continue;
    }
    on_run(run.first, run.last);
    const bool is_far = !Runs::is_near(run);
    to.far_quotients += is_far;
    for (std::uint64_t i = run.first; i <= run.last;) {
      const quotient_group g = runs.group_at(i, run.last);
      add_copies(to, g.count);
      to.far_fingerprints += is_far;
      i = g.end;
    }
  }
}
inline std::uint64_t quotients_of_block(const quotient_layout& l,
                                        std::uint64_t b) noexcept {
  return std::min<std::uint64_t>(64, l.quotients - 64 * b);
}

// The share of quotients whose runs can be followed.
inline double known_share(const quotient_layout& l, const quotient_census& c) noexcept {
  return 1 - static_cast<double>(c.unknown_quotients) / static_cast<double>(l.quotients);
}
inline double estimated_keys(const quotient_layout& l,
                             const quotient_census& c) noexcept {
  const double known = known_share(l, c);
  if (known <= 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(c.copies) / known;
}
inline double fill(const quotient_layout& l, const quotient_census& c) noexcept {
  const double known = known_share(l, c);
  if (known <= 0) return 1;
  return std::min(
      1.0, static_cast<double>(c.used_slots) / known / static_cast<double>(l.quotients));
}
inline double realised_fpr(const quotient_layout& l, const quotient_census& c) noexcept {
  const double far =
      static_cast<double>(c.far_quotients) / static_cast<double>(l.quotients);
  return std::min(1.0, 1 - known_share(l, c) + far +
                           static_cast<double>(c.fingerprints - c.far_fingerprints) /
                               static_cast<double>(l.fingerprints()));
}

}  // namespace bloomery::inline v1
