// Any filter, chosen at run time: a closed variant, for tools and adapters.
//
// A caller that knows its filter at compile time uses that type instead.  A new kind is
// one alternative below and one row of kind_name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <bloomery/filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/result.hpp>

namespace bloomery::inline v1 {

class any_filter {
 public:
  template <filter F>
  any_filter(F f) noexcept : filter_(std::move(f)) {}

  // For what only some kinds have: f.visit([](auto& filter) { ... }).
  template <class Visitor>
  decltype(auto) visit(Visitor&& v) {
    return std::visit(std::forward<Visitor>(v), filter_);
  }
  template <class Visitor>
  decltype(auto) visit(Visitor&& v) const {
    return std::visit(std::forward<Visitor>(v), filter_);
  }

  std::string_view kind() const noexcept {
    return visit([](const auto& f) noexcept { return kind_name(f); });
  }
  bloomery::hasher hasher() const noexcept {
    return visit([](const auto& f) noexcept { return f.hasher(); });
  }
  void may_contain(std::span<const std::string_view> ks,
                   std::span<bool> out) const noexcept {
    visit([&](const auto& f) noexcept { f.may_contain(ks, out); });
  }
  void may_contain(std::span<const key> ks, std::span<bool> out) const noexcept {
    visit([&](const auto& f) noexcept { f.may_contain(ks, out); });
  }
  void insert(std::span<const std::string_view> ks) noexcept {
    visit([&](auto& f) noexcept { f.insert(ks); });
  }
  void insert(std::span<const key> ks) noexcept {
    visit([&](auto& f) noexcept { f.insert(ks); });
  }

  // Errors: incompatible, of another kind or as the kind's own merge says.
  result<void> merge(const any_filter& other) noexcept {
    return visit([&](auto& mine) noexcept -> result<void> {
      const auto* theirs =
          std::get_if<std::remove_cvref_t<decltype(mine)>>(&other.filter_);
      if (theirs == nullptr)
        return error{errc::incompatible, "the filters differ in kind"};
      return mine.merge(*theirs);
    });
  }

  std::uint64_t capacity() const noexcept {
    return visit([](const auto& f) noexcept { return f.capacity(); });
  }
  std::size_t size_in_bytes() const noexcept {
    return visit([](const auto& f) noexcept { return f.size_in_bytes(); });
  }
  double fill() const noexcept {
    return visit([](const auto& f) noexcept { return f.fill(); });
  }
  double estimated_keys() const noexcept {
    return visit([](const auto& f) noexcept { return f.estimated_keys(); });
  }
  double expected_fpr(std::uint64_t keys) const noexcept {
    return visit([&](const auto& f) noexcept { return f.expected_fpr(keys); });
  }
  double realised_fpr() const noexcept {
    return visit([](const auto& f) noexcept { return f.realised_fpr(); });
  }

 private:
  static std::string_view kind_name(const portable_bloom&) noexcept { return "portable"; }

  std::variant<portable_bloom> filter_;
};

}  // namespace bloomery::inline v1
