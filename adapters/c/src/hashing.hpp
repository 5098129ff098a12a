// The caller's hasher as ours.
#pragma once

#include <cstdint>

#include <bloomery/hasher.hpp>
#include <bloomery/result.hpp>

#include "boundary.hpp"

namespace bloomery::c_abi {

// Null, or an id of 0: `fallback`, which takes no seed but XXH3's.
// Errors: invalid_argument (a seed or secret that the hash does not take), unsupported.
result<hasher> hasher_of(const bloomery_hasher* from, const hasher& fallback) noexcept;

// A bloomery_source as ours.  Errors: unsupported.
result<key_source> source_of(std::uint32_t number) noexcept;

}  // namespace bloomery::c_abi
