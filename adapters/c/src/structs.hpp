// Structs of callers that were compiled with other versions of the headers: the first
// member says how much of one there is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <bloomery/result.hpp>

#include "boundary.hpp"

namespace bloomery::c_abi {

// No struct of ours will ever reach this: a larger one was not initialised.
inline constexpr std::uint32_t largest_struct = 4096;
inline constexpr std::uint32_t smallest_struct = 8;

inline result<std::uint32_t> size_of_struct(const void* s) noexcept {
  std::uint32_t size;
  std::memcpy(&size, s, sizeof size);
  if (size < smallest_struct || size > largest_struct)
    return error{errc::invalid_argument, "struct_size is wrong: use the struct's _INIT",
                 0, static_cast<double>(size)};
  return size;
}

// The caller's struct as ours: what it lacks is zero, what we lack must be.
template <class S>
result<S> read_struct(const S* from) noexcept {
  static_assert(std::is_trivially_copyable_v<S>);
  if (from == nullptr) return null_argument();
  const auto size = size_of_struct(from);
  if (!size) return size.error();
  const auto* bytes = reinterpret_cast<const unsigned char*>(from);
  for (std::size_t i = sizeof(S); i < *size; ++i)
    if (bytes[i] != 0)
      return error{errc::unsupported, "an option that this version does not know", i};
  S s{};
  std::memcpy(&s, bytes, std::min<std::size_t>(*size, sizeof s));
  return s;
}

// The same where null means: all zero.
template <class S>
result<S> read_optional(const S* from) noexcept {
  return from == nullptr ? result<S>(S{}) : read_struct(from);
}

// Whether write_struct can, so that a call finds out before it does its work.
template <class S>
result<void> check_writable(const S* to) noexcept {
  if (to == nullptr) return null_argument();
  const auto size = size_of_struct(to);
  if (!size) return size.error();
  return {};
}

// REQUIRES: check_writable(to)
template <class S>
void write_struct(S s, S* to) noexcept {
  static_assert(std::is_trivially_copyable_v<S>);
  std::memcpy(&s.struct_size, to, sizeof s.struct_size);
  const std::size_t size = s.struct_size, known = std::min(size, sizeof s);
  auto* bytes = reinterpret_cast<unsigned char*>(to);
  std::memcpy(bytes, &s, known);
  std::memset(bytes + known, 0, size - known);
}

// Fills in `*to` with what `body` returns (result<S>).
template <class S, class Body>
bloomery_status fill_struct(S* to, bloomery_error* why, Body body) noexcept {
  return guarded(why, [&]() -> result<void> {
    if (auto ok = check_writable(to); !ok) return ok;
    const result<S> s = body();
    if (!s) return s.error();
    write_struct(*s, to);
    return {};
  });
}

}  // namespace bloomery::c_abi
