// The edge between C and C++: an error goes out as a status, an exception never does.
#pragma once

#include <new>
#include <utility>

#include <bloomery/bloomery.h>
#include <bloomery/result.hpp>

namespace bloomery::c_abi {

// Writes as much of `*to` as the caller's struct has.
bloomery_status report(const error& e, bloomery_error* to) noexcept;

inline error null_argument() noexcept {
  return {errc::invalid_argument, "a pointer is null that must not be"};
}

// What `body` returns (result<void>) as a status.
template <class Body>
bloomery_status guarded(bloomery_error* to, Body body) noexcept {
  try {
    const result<void> done = body();
    return done ? BLOOMERY_OK : report(done.error(), to);
  } catch (const std::bad_alloc&) {
    return report({errc::out_of_memory, "no memory for a handle"}, to);
  } catch (...) {
    return report({errc::out_of_memory, "the system refused a resource"}, to);
  }
}

// A new handle, or none.  `body` returns result<Handle>.
template <class Handle, class Body>
bloomery_status make_handle(Handle** to, bloomery_error* why, Body body) noexcept {
  if (to == nullptr) return report(null_argument(), why);
  *to = nullptr;
  return guarded(why, [&]() -> result<void> {
    auto made = body();
    if (!made) return made.error();
    *to = new Handle(*std::move(made));
    return {};
  });
}

// For calls that answer 1 or 0, or minus the status.
constexpr int wrong_call = -static_cast<int>(BLOOMERY_INVALID_ARGUMENT);
constexpr int other_keys = -static_cast<int>(BLOOMERY_INCOMPATIBLE);

}  // namespace bloomery::c_abi
