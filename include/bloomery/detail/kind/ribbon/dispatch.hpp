// One-key lookups of the ribbon filter: one call of a kernel that was chosen once.  Each
// pointer, by ribbon_layout::form, starts at a function that looks up the CPU's features,
// stores its choice there, and goes on.
#pragma once

#include <cstddef>
#include <cstdint>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/kind/ribbon/shape.hpp>
#include <bloomery/detail/probe/chosen_call.hpp>

namespace bloomery::inline v1 {
namespace ribbon_probe {

using may_contain_call = bool (*)(const ribbon_layout& all, const std::byte* data,
                                  std::uint64_t h) noexcept;

BLOOMERY_EXPORT extern chosen_call<may_contain_call> may_contain[ribbon_layout::forms];

}  // namespace ribbon_probe
}  // namespace bloomery::inline v1
