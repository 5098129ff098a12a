// What is behind the handles, and one way to look into all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include <bloomery/any_filter.hpp>
#include <bloomery/build.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/container.hpp>
#include <bloomery/foreign_filter.hpp>
#include <bloomery/kinds.hpp>
#include <bloomery/pages.hpp>

#include "boundary.hpp"
#include "held.hpp"

namespace bloomery::c_abi {

// What a builder knows of a filter; until the filter's keys change.
struct builder_notes {
  double asked_fpr = 0;
  std::uint64_t keys = 0;
  sentinel_picker sentinels{};
};

template <class F>
struct is_shareable : std::bool_constant<shareable<F>> {};
template <class F>
struct is_lockable : std::bool_constant<lockable<F>> {};
template <class F>
using wait_free_filter = concurrent<F, wait_free>;
template <class F>
using locked_filter = concurrent<F, locked>;

// Every kind that threads can share, under every policy it can have.
using concurrent_filters = detail::joined<
    detail::filtered<filter_types, is_shareable>::type::map<wait_free_filter>,
    detail::filtered<filter_types, is_lockable>::type::map<locked_filter>>::type;

using held_filter = held<filter_types>;
using held_view = held<filter_types::map<filter_view>>;
using held_concurrent = held<concurrent_filters>;

}  // namespace bloomery::c_abi

// The first three move only until they are handles: then they stay where they are.
struct bloomery_filter {
  bloomery::any_filter filter;
  // If it came from a container, or from a builder.
  std::optional<bloomery::read_report> read;
  std::optional<bloomery::c_abi::builder_notes> built;
  bloomery::c_abi::held_filter held;

  explicit bloomery_filter(
      bloomery::any_filter f, std::optional<bloomery::read_report> r = std::nullopt,
      std::optional<bloomery::c_abi::builder_notes> b = std::nullopt) noexcept
      : filter(std::move(f)),
        read(std::move(r)),
        built(std::move(b)),
        held(filter.visit([](auto& g) { return bloomery::c_abi::held_filter(g); })) {}
  bloomery_filter(bloomery_filter&& o) noexcept
      : bloomery_filter(std::move(o.filter), std::move(o.read), std::move(o.built)) {}
};

struct bloomery_view {
  bloomery::any_view view;
  bloomery::c_abi::held_view held;

  explicit bloomery_view(bloomery::any_view v) noexcept
      : view(std::move(v)),
        held(std::visit([](auto& g) { return bloomery::c_abi::held_view(g); }, view)) {}
  bloomery_view(bloomery_view&& o) noexcept : bloomery_view(std::move(o.view)) {}
};

struct bloomery_concurrent {
  using any = bloomery::c_abi::concurrent_filters::apply<std::variant>;
  any filter;
  bloomery::c_abi::held_concurrent held;

  explicit bloomery_concurrent(any f) noexcept
      : filter(std::move(f)),
        held(std::visit([](auto& g) { return bloomery::c_abi::held_concurrent(g); },
                        filter)) {}
  bloomery_concurrent(bloomery_concurrent&& o) noexcept
      : bloomery_concurrent(std::move(o.filter)) {}
};

struct bloomery_foreign {
  bloomery::foreign_filter filter;
  std::uint64_t damaged_chunks = 0;
};

struct bloomery_buffer {
  bloomery::pages bytes;
};

namespace bloomery::c_abi {

// The filter has other keys than its builder counted.
inline void forget_builder(bloomery_filter& h) noexcept { h.built.reset(); }
inline void forget_builder(bloomery_concurrent&) noexcept {}

// visit(handle, f): f gets the filter, the view, or the concurrent filter itself.
template <class Visitor>
decltype(auto) visit(bloomery_filter& h, Visitor&& v) {
  return h.filter.visit(std::forward<Visitor>(v));
}
template <class Visitor>
decltype(auto) visit(const bloomery_filter& h, Visitor&& v) {
  return h.filter.visit(std::forward<Visitor>(v));
}
template <class Visitor>
decltype(auto) visit(const bloomery_view& h, Visitor&& v) {
  return std::visit(std::forward<Visitor>(v), h.view);
}
template <class Visitor>
decltype(auto) visit(bloomery_concurrent& h, Visitor&& v) {
  return std::visit(std::forward<Visitor>(v), h.filter);
}
template <class Visitor>
decltype(auto) visit(const bloomery_concurrent& h, Visitor&& v) {
  return std::visit(std::forward<Visitor>(v), h.filter);
}
template <class Visitor>
decltype(auto) visit(const bloomery_foreign& h, Visitor&& v) {
  return std::forward<Visitor>(v)(h.filter);
}

}  // namespace bloomery::c_abi
