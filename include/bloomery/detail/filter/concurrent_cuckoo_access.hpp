// The tags of a cuckoo filter as several threads change them: what concurrent_cuckoo.hpp
// needs to know of the plain filter.  Lookups are inline; the rest is in
// src/filter/concurrent_cuckoo.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/cuckoo.hpp>
#include <bloomery/detail/filter/concurrent_access.hpp>
#include <bloomery/detail/sync/atomic_words.hpp>
#include <bloomery/detail/sync/shared_cuckoo.hpp>
#include <bloomery/export.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

template <>
struct BLOOMERY_EXPORT concurrent_access<cuckoo> {
  using stripes = shared_cuckoo<atomic_words>;

  // Errors: out_of_memory; corrupt (bytes of f are damaged: writers do not check).
  static result<stripes> share(cuckoo& f) noexcept;

  BLOOMERY_INLINE static bool may_contain(const cuckoo& f, const stripes& s,
                                          key k) noexcept {
    return with_tag_width(f.tag_bits(), [&]<class Width>(Width width) noexcept {
      return s.has(width, f.probe_.start(k, width.bits));
    });
  }
  static void may_contain(const cuckoo& f, const stripes& s, std::span<const key> ks,
                          bool* out) noexcept;
  static std::uint64_t count(const cuckoo& f, const stripes& s, key k) noexcept;
  static result<void> insert(const cuckoo& f, stripes& s, key k) noexcept;
  // How many are in, before the first that is refused.
  static std::size_t insert(const cuckoo& f, stripes& s,
                            std::span<const key> ks) noexcept;
  static result<void> erase(const cuckoo& f, stripes& s, key k) noexcept;
  static std::size_t erase(const cuckoo& f, stripes& s, std::span<const key> ks,
                           bool* erased) noexcept;

  static std::byte* data(cuckoo& f) noexcept { return f.store_.data(); }
  static std::uint64_t scope(const cuckoo& f) noexcept { return f.scope(); }
};

}  // namespace bloomery::inline v1
