// What the files about foreign filters share.
#pragma once

#include <cstdint>
#include <utility>

#include <bloomery/foreign_filter.hpp>
#include <bloomery/result.hpp>

#include "handles.hpp"
#include "structs.hpp"

namespace bloomery::c_abi {

struct foreign_request {
  foreign_params params;  // variant: the caller's string
  std::uint64_t max_bytes = ~std::uint64_t{0};
};

// Null: no options.  Errors: invalid_argument, unsupported.
result<foreign_request> foreign_request_of(
    const bloomery_foreign_options* options) noexcept;

inline result<bloomery_foreign> as_handle(result<foreign_filter> f,
                                          std::uint64_t damaged_chunks = 0) noexcept {
  if (!f) return f.error();
  return bloomery_foreign{*std::move(f), damaged_chunks};
}

}  // namespace bloomery::c_abi
