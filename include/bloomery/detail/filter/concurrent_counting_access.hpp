// The cells of a counting filter as several threads change them: what
// concurrent_counting.hpp needs to know of the plain filter.
// (src/filter/concurrent_counting.cpp)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <bloomery/counting_bloom.hpp>
#include <bloomery/detail/filter/concurrent_access.hpp>
#include <bloomery/export.hpp>
#include <bloomery/key.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

template <>
struct BLOOMERY_EXPORT concurrent_access<counting_bloom> {
  // Errors: corrupt (bytes of f are damaged).
  static result<void> check(const counting_bloom& f) noexcept;

  static void insert(counting_bloom& f, key k) noexcept;
  static void insert(counting_bloom& f, std::span<const key> ks) noexcept;
  // False: a cell is 0, and nothing has changed.
  static bool erase(counting_bloom& f, key k) noexcept;
  // Cells are added up, and stop at the sticky value.  Errors: incompatible.
  static result<void> add(counting_bloom& f, const counting_bloom& other) noexcept;
  // To `to`, which is empty and of the same shape: stuck cells at exactly the sticky
  // value.
  static void copy(counting_bloom& to, const counting_bloom& f) noexcept;
  // The same in place.  REQUIRES: alone
  static void normalise(counting_bloom& f) noexcept;
};

}  // namespace bloomery::inline v1
