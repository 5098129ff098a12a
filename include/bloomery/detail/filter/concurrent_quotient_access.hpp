// The slots of a quotient filter as several threads change them: what
// concurrent_quotient.hpp needs to know of the plain filter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/detail/filter/concurrent_access.hpp>
#include <bloomery/detail/sync/atomic_words.hpp>
#include <bloomery/detail/sync/quotient_stripes.hpp>
#include <bloomery/export.hpp>
#include <bloomery/key.hpp>
#include <bloomery/quotient.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

template <>
struct BLOOMERY_EXPORT concurrent_access<quotient> {
  using stripes = quotient_stripes<atomic_words>;

  // Errors: out_of_memory; corrupt (bytes of f are damaged: writers do not check).
  static result<stripes> share(quotient& f) noexcept;
  // f with all its bytes damaged if some of them are torn.
  static quotient release(quotient f, const stripes& s) noexcept;

  static bool may_contain(const stripes& s, key k) noexcept;
  static void may_contain(const stripes& s, std::span<const key> ks, bool* out) noexcept;
  static std::uint64_t count(const stripes& s, key k) noexcept;
  static result<void> insert(const stripes& s, key k) noexcept;
  // How many are in, before the first that is refused.
  static std::size_t insert(const stripes& s, std::span<const key> ks) noexcept;
  static result<void> erase(const stripes& s, key k) noexcept;
  static result<std::size_t> erase(const stripes& s, std::span<const key> ks,
                                   bool* erased) noexcept;
  // Into an empty filter of the same layout.  Errors: corrupt.
  static result<void> copy(const stripes& s, quotient& to) noexcept;

  // Block after block, each of one moment; without clusters.
  static quotient_census census(const stripes& s) noexcept;
  static double fill(const stripes& s) noexcept;
  static double estimated_keys(const stripes& s) noexcept;
  static double realised_fpr(const stripes& s) noexcept;

  static std::uint64_t scope(const quotient& f) noexcept { return f.scope(); }
};

}  // namespace bloomery::inline v1
