// Kinds by the numbers of C.
#pragma once

#include <cstdint>

#include <bloomery/kinds.hpp>

namespace bloomery::c_abi {

// Null where no kind of filter has this number.
inline const kind_info* kind_numbered(std::uint32_t number) noexcept {
  return number <= static_cast<std::uint32_t>(last_filter_kind)
             ? find_kind(static_cast<container_kind>(number))
             : nullptr;
}

}  // namespace bloomery::c_abi
