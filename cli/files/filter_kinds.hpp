// From the kind in a container's header to the type of the filter.
#pragma once

#include <type_traits>

#include <bloomery/container.hpp>

namespace bloomery::cli {

// Calls use(std::type_identity<F>{}) for our own kinds.
// REQUIRES: kind is none of foreign and packed
template <class Use>
auto with_filter_of(container_kind kind, Use use) {
  switch (kind) {
    case container_kind::portable:
      return use(std::type_identity<portable_bloom>{});
    case container_kind::split_block:
      return use(std::type_identity<split_block_bloom>{});
    case container_kind::bloom:
      return use(std::type_identity<bloom>{});
    default:
      return use(std::type_identity<block_bloom>{});
  }
}

}  // namespace bloomery::cli
