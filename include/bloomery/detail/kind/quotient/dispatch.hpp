// One-key lookups of the quotient filter: one call of a kernel that was chosen once.  The
// pointer starts at a function that looks up the CPU's features, stores its choice there,
// and goes on.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kind/quotient/probe.hpp>
#include <bloomery/detail/probe/chosen_call.hpp>

namespace bloomery::inline v1 {
namespace quotient_probe {

using may_contain_call = bool (*)(const quotient_layout& l, const std::byte* data,
                                  std::uint64_t h) noexcept;

BLOOMERY_EXPORT extern chosen_call<may_contain_call> may_contain;

}  // namespace quotient_probe
}  // namespace bloomery::inline v1
