// Why a quotient filter was not changed.
#pragma once

#include <bloomery/detail/kind/quotient/probe.hpp>
#include <bloomery/result.hpp>

#include "kind/quotient/kernel/table.hpp"

namespace bloomery::inline v1 {

// REQUIRES: not done
inline error quotient_refusal(kernel::quotient_result why) noexcept {
  using enum kernel::quotient_result;
  if (why == not_present) return {errc::not_present, "the key is not in the filter"};
  if (why == too_many_copies)
    return {errc::too_many_copies, "the key, or others like it, is in 2^48 - 1 times", 0,
            0x1p48, static_cast<double>(quotient_layout::max_count)};
  if (why == unreadable)
    return {
        errc::corrupt,
        "another thread was changing this part of the filter when the process forked"};
  return {errc::full, "there is no room for the key"};
}

}  // namespace bloomery::inline v1
