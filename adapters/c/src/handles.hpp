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

}  // namespace bloomery::c_abi

struct bloomery_filter {
  bloomery::any_filter filter;
  // If it came from a container, or from a builder.
  std::optional<bloomery::read_report> read = std::nullopt;
  std::optional<bloomery::c_abi::builder_notes> built = std::nullopt;
};

struct bloomery_view {
  bloomery::any_view view;
};

struct bloomery_concurrent {
  bloomery::c_abi::concurrent_filters::apply<std::variant> filter;
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
