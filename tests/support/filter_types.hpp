// The kinds of filter, as tests see them: the list, their names, and which of them
// threads may share.
#pragma once

#include <concepts>
#include <string>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/split_block_bloom.hpp>

namespace bloomery::testing {

template <class... Ts>
struct type_list {
  template <template <class...> class To>
  using apply = To<Ts...>;
};

using filter_types = type_list<portable_bloom, block_bloom, split_block_bloom, bloom>;

// Kinds that concurrent<F> takes, and concurrent<F, locked>.
template <class F>
concept shareable = filter<F>;
template <class F>
concept lockable = std::derived_from<F, block_storage>;

// As in file headers and options, with _ for -.
template <class F>
std::string kind_name();
template <>
inline std::string kind_name<portable_bloom>() {
  return "portable";
}
template <>
inline std::string kind_name<block_bloom>() {
  return "block";
}
template <>
inline std::string kind_name<split_block_bloom>() {
  return "split_block";
}
template <>
inline std::string kind_name<bloom>() {
  return "bloom";
}

}  // namespace bloomery::testing
