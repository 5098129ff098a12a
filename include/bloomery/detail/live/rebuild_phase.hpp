// Where a rebuild stands.
#pragma once

#include <cstdint>

#include <bloomery/detail/export.hpp>

namespace bloomery::inline v1 {

enum class rebuild_phase : std::uint8_t {
  idle,
  preparing,  // memory for the new generation, then until every insert writes to both
  filling,
  checking,
  swapping,  // no way back
  stopped,   // no longer written to; until the source returns
};

// "idle", "preparing", ...
BLOOMERY_EXPORT const char* name_of(rebuild_phase phase) noexcept;

}  // namespace bloomery::inline v1
