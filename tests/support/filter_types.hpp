// The kinds of filter, as tests see them: the library's list, and their names.
#pragma once

#include <string>
#include <type_traits>

#include <bloomery/concurrent.hpp>
#include <bloomery/kinds.hpp>

namespace bloomery::testing {

using bloomery::filter_types;
using bloomery::detail::type_list;

// use(std::type_identity<F>{}) for each F of a list.
template <class... Fs, class Use>
void for_each_type(type_list<Fs...>, [[maybe_unused]] Use use) {
  (use(std::type_identity<Fs>{}), ...);
}

// Every filter that threads can share, under every policy that it takes.
template <class F>
struct is_shareable : std::bool_constant<shareable<F>> {};
template <class F>
struct is_lockable : std::bool_constant<lockable<F>> {};
template <class F>
using as_wait_free = concurrent<F>;
template <class F>
using as_locked = concurrent<F, locked>;
using concurrent_types = bloomery::detail::joined<
    bloomery::detail::filtered<filter_types, is_shareable>::type::map<as_wait_free>,
    bloomery::detail::filtered<filter_types, is_lockable>::type::map<as_locked>>::type;

// A filter that threads share: under a policy, around a plain one.
template <class F>
concept shared_form = requires {
  typename F::policy;
  typename F::plain;
};

// Those that are built from all keys at once, and in no other way.
template <class F>
struct is_build_only : std::bool_constant<build_only<F>> {};
using static_types = bloomery::detail::filtered<filter_types, is_build_only>::type;

// As in file headers and options, with _ for -.
template <class F>
std::string kind_name() {
  std::string name = F::kind.name;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

}  // namespace bloomery::testing
