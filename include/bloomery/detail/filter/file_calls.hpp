// Filters from and to containers, behind the number of their kind: what the calls of
// filter_of need to know of container.hpp.  (src/format/container/)
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/key_source.hpp>
#include <bloomery/detail/kind_facts.hpp>
#include <bloomery/detail/path_ref.hpp>
#include <bloomery/detail/probe/words.hpp>
#include <bloomery/pages.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1::detail {

// Makes the filter at `where`, if there is no error.  A file of keys of another source is
// refused.
BLOOMERY_EXPORT result<void> decode_filter(container_kind kind,
                                           std::span<const std::byte> bytes,
                                           key_source source, void* where) noexcept;
BLOOMERY_EXPORT result<void> load_filter(container_kind kind, path_ref path,
                                         key_source source, void* where) noexcept;
BLOOMERY_EXPORT result<pages> encode_filter(container_kind kind,
                                            const void* filter) noexcept;
BLOOMERY_EXPORT result<void> save_filter(container_kind kind, const void* filter,
                                         path_ref path) noexcept;

// make(where) constructs an F there, unless it returns an error.
template <class F, class Make>
BLOOMERY_INLINE result<F> made_in_place(Make make) noexcept {
  union room {
    room() noexcept {}
    ~room() {}
    F value;
  } r;
  if (result<void> made = make(static_cast<void*>(&r.value)); !made) return made.error();
  result<F> out(std::move(r.value));
  r.value.~F();
  return out;
}

}  // namespace bloomery::inline v1::detail
