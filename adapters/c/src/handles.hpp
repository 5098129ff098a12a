// What is behind the handles, and one way to look into all of them.
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include <bloomery/any_filter.hpp>
#include <bloomery/concurrent.hpp>
#include <bloomery/container.hpp>
#include <bloomery/filter_view.hpp>
#include <bloomery/foreign_filter.hpp>
#include <bloomery/pages.hpp>

#include "boundary.hpp"

struct bloomery_filter {
  bloomery::any_filter filter;
  std::optional<bloomery::read_report> read =
      std::nullopt;  // if it came from a container
};

struct bloomery_view {
  std::variant<bloomery::filter_view<bloomery::portable_bloom>,
               bloomery::filter_view<bloomery::block_bloom>,
               bloomery::filter_view<bloomery::split_block_bloom>,
               bloomery::filter_view<bloomery::bloom>>
      view;
};

struct bloomery_concurrent {
  std::variant<bloomery::concurrent<bloomery::portable_bloom>,
               bloomery::concurrent<bloomery::block_bloom>,
               bloomery::concurrent<bloomery::split_block_bloom>,
               bloomery::concurrent<bloomery::bloom>,
               bloomery::concurrent<bloomery::block_bloom, bloomery::locked>,
               bloomery::concurrent<bloomery::split_block_bloom, bloomery::locked>>
      filter;
};

struct bloomery_foreign {
  bloomery::foreign_filter filter;
  std::uint64_t damaged_chunks = 0;
};

struct bloomery_buffer {
  bloomery::pages bytes;
};

namespace bloomery::c_abi {

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
