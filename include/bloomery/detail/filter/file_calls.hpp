// Filters from and to containers (spec/container.md): the calls of every filter that has
// bytes, without options (container.hpp has those).  The work is done behind the number
// of the kind, in src/format/container/.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include <bloomery/detail/export.hpp>
#include <bloomery/detail/filter/core_parts.hpp>
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

namespace bloomery::inline v1 {

template <class F>
class file_calls {
 public:
  // Lookups in damaged chunks answer "possibly present".  `save` is atomic and durable.
  // A file whose keys are of another source than `source` is refused.
  // Errors: corrupt, unsupported, incompatible, out_of_memory, io.
  template <core_has_store S = F>
  BLOOMERY_INLINE static result<F> decode(
      std::span<const std::byte> bytes, key_source source = key_source::bytes) noexcept {
    return detail::made_in_place<F>([bytes, source](void* where) noexcept {
      return detail::decode_filter(F::kind.number, bytes, source, where);
    });
  }
  template <core_has_store S = F>
  BLOOMERY_INLINE static result<F> load(path_ref path,
                                        key_source source = key_source::bytes) noexcept {
    return detail::made_in_place<F>([path, source](void* where) noexcept {
      return detail::load_filter(F::kind.number, path, source, where);
    });
  }
  template <core_has_store S = F>
  BLOOMERY_INLINE result<pages> encode() const noexcept {
    return detail::encode_filter(F::kind.number, self());
  }
  template <core_has_store S = F>
  BLOOMERY_INLINE result<void> save(path_ref path) const noexcept {
    return detail::save_filter(F::kind.number, self(), path);
  }

 private:
  const F* self() const noexcept { return static_cast<const F*>(this); }
};

}  // namespace bloomery::inline v1
