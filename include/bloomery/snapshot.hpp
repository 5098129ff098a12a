// A filter in use, written to a file while threads go on inserting.
//
//   bloomery::save_snapshot(seen, "seen.bloom");
//
// The file is the container of a plain filter, and holds every key whose insert
// happens-before the call.  Piece by piece the bits are copied, and what is checked and
// counted is the copy: checksums, and the number of ones, which the header tells and is
// written last.  Takes a megabyte, and a thousandth of the filter for the checksums.
// Atomic and durable, as save_container; a crash leaves the old file.
#pragma once

#include <bloomery/concurrent.hpp>
#include <bloomery/container.hpp>
#include <bloomery/export.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

namespace detail {
// Of a filter whose bits others may be setting.
BLOOMERY_EXPORT result<void> save_snapshot(container_kind kind, const void* filter,
                                           const char* path,
                                           const write_notes& notes) noexcept;
}  // namespace detail

// F: any filter that `concurrent` takes; any policy.
// REQUIRES: notes.sentinels, if any, were inserted before the call
// Errors: out_of_memory, io.
template <class F, class Policy>
result<void> save_snapshot(const concurrent<F, Policy>& f, const char* path,
                           const write_notes& notes = {}) noexcept {
  return save_snapshot_of(f.unsynchronised(), path, notes);
}

// The same of a filter whose bits others may be setting.
template <class F>
result<void> save_snapshot_of(const F& f, const char* path,
                              const write_notes& notes) noexcept {
  return detail::save_snapshot(F::kind.number, &f, path, notes);
}

}  // namespace bloomery::inline v1
