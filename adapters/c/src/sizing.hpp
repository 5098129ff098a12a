// A filter that is to be: the caller's options, checked and sized.
#pragma once

#include <cstdint>

#include <bloomery/any_filter.hpp>
#include <bloomery/block_shape.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/result.hpp>
#include <bloomery/sizing.hpp>

#include "boundary.hpp"

namespace bloomery::c_abi {

struct plan {
  std::uint32_t kind = BLOOMERY_KIND_BLOCK;
  std::uint64_t keys = 0;
  double fpr = 0;  // 0: sized by another rule
  bool force = false;
  bloom_layout layout;  // of portable and bloom
  block_shape shape;    // of block and split-block
  hasher hash = hasher::xxh3();
};

// Errors: invalid_argument, unattainable, too_large, unsupported.
result<plan> plan_of(const bloomery_options* options) noexcept;

// Errors: those of the kind's make.
result<any_filter> make_filter(const plan& p) noexcept;

// A result of one kind as one of any kind.
template <class To, class F>
result<To> widened(result<F> made) noexcept {
  if (!made) return made.error();
  return To{*std::move(made)};
}

}  // namespace bloomery::c_abi
