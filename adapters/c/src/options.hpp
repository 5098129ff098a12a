// A filter that is to be: the caller's options, checked.
#pragma once

#include <cstdint>

#include <bloomery/any_filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/kinds.hpp>
#include <bloomery/result.hpp>

#include "boundary.hpp"

namespace bloomery::c_abi {

struct filter_request {
  const kind_info* kind;
  std::uint64_t keys;
  bool has_keys;  // the caller said how many
  size_request size;
  bloomery::hasher hash;

  bloomery::hasher hasher() const noexcept { return hash; }
  result<filter_size> sized() const noexcept { return kind->size(keys, size); }
  // Errors: those of kind_info::make.
  result<any_filter> make() const noexcept { return kind->make(keys, size, hash); }
};

// `min_keys` stand in for keys that nobody has counted yet.
// Errors: invalid_argument, unattainable, too_large, unsupported.
result<filter_request> request_of(const bloomery_options* options,
                                  std::uint64_t min_keys = 0) noexcept;

// A result of one kind as one of any kind.
template <class To, class F>
result<To> as_handle(result<F> made) noexcept {
  if (!made) return made.error();
  return To{*std::move(made)};
}

}  // namespace bloomery::c_abi
