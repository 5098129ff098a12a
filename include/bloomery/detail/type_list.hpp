// A list of types that others are derived from.
#pragma once

#include <concepts>
#include <cstddef>

namespace bloomery::inline v1::detail {

template <class... Ts>
struct type_list {
  static constexpr std::size_t size = sizeof...(Ts);

  template <template <class...> class To>
  using apply = To<Ts...>;
  template <template <class> class Each>
  using map = type_list<Each<Ts>...>;
  template <class T>
  static constexpr bool has = (std::same_as<T, Ts> || ...);
};

// The types of a list for which Keep<T>::value holds, in their order.
template <class List, template <class> class Keep, class Kept = type_list<>>
struct filtered;
template <template <class> class Keep, class... Kept>
struct filtered<type_list<>, Keep, type_list<Kept...>> {
  using type = type_list<Kept...>;
};
template <class T, class... Ts, template <class> class Keep, class... Kept>
requires(Keep<T>::value) struct filtered<type_list<T, Ts...>, Keep, type_list<Kept...>>
    : filtered<type_list<Ts...>, Keep, type_list<Kept..., T>> {
};
template <class T, class... Ts, template <class> class Keep, class... Kept>
requires(!Keep<T>::value) struct filtered<type_list<T, Ts...>, Keep, type_list<Kept...>>
    : filtered<type_list<Ts...>, Keep, type_list<Kept...>> {
};

// Two lists, one after the other.
template <class A, class B>
struct joined;
template <class... As, class... Bs>
struct joined<type_list<As...>, type_list<Bs...>> {
  using type = type_list<As..., Bs...>;
};

}  // namespace bloomery::inline v1::detail
