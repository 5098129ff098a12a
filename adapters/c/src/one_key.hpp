// One key as callers give it: bytes, an integer or a hash.
#pragma once

#include <cstddef>
#include <cstdint>

#include "handles.hpp"
#include "keys.hpp"

namespace bloomery::c_abi {

// call(handle, key), a result, where both are there.
template <class Handle, class Call>
bloomery_status with_key(Handle* h, const void* bytes, std::size_t size,
                         bloomery_error* why, Call call) noexcept {
  return guarded(why, [&]() -> result<void> {
    if (h == nullptr || !is_readable(bytes, size)) return null_argument();
    if (!takes_bytes(h->held)) return other_source();
    return call(*h, h->held.hash().hash(text_of(bytes, size)));
  });
}
template <class Handle, class Call>
bloomery_status with_u64(Handle* h, std::uint64_t number, bloomery_error* why,
                         Call call) noexcept {
  return guarded(why, [&]() -> result<void> {
    if (h == nullptr) return null_argument();
    if (!takes_integers(h->held)) return other_source();
    return call(*h, h->held.hash().hash_u64(number));
  });
}
template <class Handle, class Call>
bloomery_status with_hash(Handle* h, std::uint64_t hash, bloomery_error* why,
                          Call call) noexcept {
  return guarded(why, [&]() -> result<void> {
    if (h == nullptr) return null_argument();
    return call(*h, key::from_bits(hash));
  });
}

}  // namespace bloomery::c_abi
