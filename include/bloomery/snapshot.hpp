// Saves a filter in use to a file while threads go on inserting.
//
//   bloomery::save_snapshot(seen, "seen.bloom");
//
// The file is the container of a plain filter, and holds every key whose insert
// happens-before the call.  The bits are copied piece by piece; checksums and the number
// of ones are those of the copy, and the header, which holds that number, is written
// last.  Memory: a megabyte, and a thousandth of the filter for the checksums; of filters
// that erase keys a copy in memory is saved.
// Atomic and durable, as save_container; a crash leaves the old file.
#pragma once

#include <bloomery/concurrent.hpp>
#include <bloomery/container.hpp>
#include <bloomery/detail/export.hpp>
#include <bloomery/detail/path_ref.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

namespace detail {
// For a filter that other threads may be inserting into.  REQUIRES: it has all sentinels
BLOOMERY_EXPORT result<void> save_snapshot(container_kind kind, const void* filter,
                                           path_ref path,
                                           const write_notes& notes) noexcept;
}  // namespace detail

// F: any filter that `concurrent` takes; any policy.
// Errors: invalid_argument (notes that a reader would refuse, as save_container),
// out_of_memory, io.
template <class F, class Policy>
result<void> save_snapshot(const concurrent<F, Policy>& f, path_ref path,
                           const write_notes& notes = {}) noexcept {
  for (const key k : notes.sentinels)
    if (!f.may_contain(k))
      return error{errc::invalid_argument, "a sentinel is not in the filter"};
  if constexpr (shareable<F>) {
    return detail::save_snapshot(F::kind.number, &f.unsynchronised(), path, notes);
  } else {
    auto copy = f.snapshot();
    if (!copy) return copy.error();
    return save_container(*copy, path, notes);
  }
}

}  // namespace bloomery::inline v1
