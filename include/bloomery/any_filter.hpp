// Any filter, chosen at run time: a closed variant, for tools and adapters.
//
// A caller that knows its filter at compile time uses that type instead.  A new kind is
// one alternative below and one row of kind_name.  Of what only some kinds can do, the
// others do the nearest thing, which the call's comment names.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/result.hpp>
#include <bloomery/split_block_bloom.hpp>

namespace bloomery::inline v1 {

// Whether `Other` is a filter itself cannot be asked while its constructors are compared.
template <class F, class Other>
concept filter_other_than = !std::same_as<F, Other> && filter<F>;

class any_filter {
 public:
  template <filter_other_than<any_filter> F>
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

  // By several threads, or by one if the kind cannot; the same bits either way.
  // REQUIRES: threads >= 1
  void insert(std::span<const key> ks, unsigned threads) noexcept {
    visit([&](auto& f) noexcept {
      if constexpr (requires { f.insert(ks, threads); })
        f.insert(ks, threads);
      else
        f.insert(ks);
    });
  }

  // Errors: incompatible, of another kind or as the kind's own merge says.
  result<void> merge(const any_filter& other) noexcept {
    return with_same_kind(
        other, [](auto& mine, const auto& theirs) { return mine.merge(theirs); });
  }

  // Unites filters of different sizes where the kind can, at a higher rate; otherwise as
  // merge.  Errors: incompatible, out_of_memory.
  result<void> fold_and_merge(const any_filter& other) noexcept {
    return with_same_kind(other, [](auto& mine, const auto& theirs) {
      if constexpr (requires { mine.fold_and_merge(theirs); })
        return mine.fold_and_merge(theirs);
      else
        return mine.merge(theirs);
    });
  }

  // False: bits are set that no key of this kind can set.  True where there are none.
  bool padding_is_clear() const noexcept {
    return visit([](const auto& f) noexcept {
      if constexpr (requires { f.padding_is_clear(); })
        return f.padding_is_clear();
      else
        return true;
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
  static std::string_view kind_name(const block_bloom&) noexcept { return "block"; }
  static std::string_view kind_name(const split_block_bloom&) noexcept {
    return "split-block";
  }
  static std::string_view kind_name(const bloom&) noexcept { return "bloom"; }

  template <class Combine>
  result<void> with_same_kind(const any_filter& other, Combine combine) noexcept {
    return visit([&](auto& mine) noexcept -> result<void> {
      const auto* theirs =
          std::get_if<std::remove_cvref_t<decltype(mine)>>(&other.filter_);
      if (theirs == nullptr)
        return error{errc::incompatible, "the filters differ in kind"};
      return combine(mine, *theirs);
    });
  }

  std::variant<portable_bloom, block_bloom, split_block_bloom, bloom> filter_;
};

}  // namespace bloomery::inline v1
