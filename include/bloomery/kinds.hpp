// Every kind of filter: the one list of types, and the one step from number to type.
//
//   for (const bloomery::kind_info& k : bloomery::kinds()) print(k.facts.name);
//   auto f = bloomery::find_kind("bloom")->make(keys, {.fpr = 0.001}, hash);
//   with_kind(number, [&]<class F>(std::type_identity<F>) -> result<...> { ... });
//
// A new kind is its own files, its number (kind.hpp), its line in filter_types, and its
// row in src/format/kind.  any_filter, views, containers, the tool, the C interface, the
// benchmarks and the tests follow from these.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include <bloomery/block_bloom.hpp>
#include <bloomery/bloom.hpp>
#include <bloomery/counting_bloom.hpp>
#include <bloomery/cuckoo.hpp>
#include <bloomery/detail/filter/sorted_keys.hpp>
#include <bloomery/detail/type_list.hpp>
#include <bloomery/export.hpp>
#include <bloomery/filter.hpp>
#include <bloomery/fuse.hpp>
#include <bloomery/hasher.hpp>
#include <bloomery/key.hpp>
#include <bloomery/kind.hpp>
#include <bloomery/partitioned_bloom.hpp>
#include <bloomery/portable_bloom.hpp>
#include <bloomery/quotient.hpp>
#include <bloomery/result.hpp>
#include <bloomery/ribbon.hpp>
#include <bloomery/scalable_bloom.hpp>
#include <bloomery/sizing.hpp>
#include <bloomery/split_block_bloom.hpp>
#include <bloomery/stable_bloom.hpp>
#include <bloomery/window_bloom.hpp>
#include <bloomery/xor_filter.hpp>

namespace bloomery::inline v1 {

// The first is the default in the tool and in the C interface.
using filter_types =
    detail::type_list<block_bloom, split_block_bloom, bloom, partitioned_bloom,
                      scalable_bloom, counting_bloom, cuckoo, quotient, ribbon, fuse,
                      xor_filter, stable_bloom, window_bloom, portable_bloom>;

class any_filter;

namespace detail {

template <class... Fs>
consteval bool has_every_number_once(type_list<Fs...>) {
  for (unsigned n = 1; n <= static_cast<unsigned>(last_filter_kind); ++n)
    if (((static_cast<unsigned>(Fs::kind.number) == n) + ...) != 1) return false;
  return sizeof...(Fs) == static_cast<unsigned>(last_filter_kind);
}
static_assert(has_every_number_once(filter_types{}),
              "a number of container_kind has no type in filter_types, or two have it");

template <class... Fs>
consteval bool are_filters(type_list<Fs...>) {
  return (askable<Fs> && ...);
}
static_assert(are_filters(filter_types{}));

}  // namespace detail

// A type of the list filter_types.
template <class F>
concept listed_filter = filter_types::has<F>;

// Whether the number is that of a filter, not of a packed set or foreign bytes.
constexpr bool is_filter(container_kind k) noexcept {
  return k >= container_kind{1} && k <= last_filter_kind;
}

// use(std::type_identity<F>{}) with the filter type of that number: the only place where
// one becomes the other.  `use` returns something that can be made from an error:
// unsupported, if the number is that of no filter (asked: the number).
template <class Use>
auto with_kind(container_kind number, Use&& use) {
  return [&]<class First, class... Rest>(detail::type_list<First, Rest...>) {
    using answer = decltype(use(std::type_identity<First>{}));
    std::optional<answer> out;
    const auto match = [&]<class F>(std::type_identity<F> type) {
      if (F::kind.number != number) return false;
      out.emplace(use(type));
      return true;
    };
    if (!match(std::type_identity<First>{}))
      (void)(match(std::type_identity<Rest>{}) || ...);
    if (!out)
      out.emplace(error{errc::unsupported, "no kind of filter has this number", 10,
                        static_cast<double>(number)});
    return *std::move(out);
  }(filter_types{});
}

namespace detail {

struct refusal_text {
  std::array<char, 256> chars{};
  std::size_t size = 0;
  constexpr void add(std::string_view more) {
    for (const char c : more) chars[size++] = c;  // too long: does not compile
  }
};

template <class... Fs>
consteval refusal_text refusal(std::string_view kind, capability call, type_list<Fs...>) {
  refusal_text text;
  text.add("a filter of the kind ");
  text.add(kind);
  text.add(" has no ");
  text.add(name_of(call));
  const std::size_t having = (std::size_t{capabilities_of<Fs>().has(call)} + ...);
  text.add(having == 0 ? "; no kind of this version has" : "; these kinds have it: ");
  bool first = true;
  const auto list = [&](std::string_view name, bool has) {
    if (!has) return;
    if (!first) text.add(", ");
    first = false;
    text.add(name);
  };
  (list(Fs::kind.name, capabilities_of<Fs>().has(call)), ...);
  return text;
}

template <class F, capability call>
inline constexpr refusal_text refusal_of = refusal(F::kind.name, call, filter_types{});

}  // namespace detail

// The error of a call that F does not have, naming F's kind and the kinds that have it.
template <class F, capability call>
constexpr error no_such_call() noexcept {
  return {errc::unsupported, detail::refusal_of<F, call>.chars.data()};
}

// A kind at run time.
struct kind_info {
  kind_facts facts;
  capabilities can;
  // The smallest filter and the largest, in bytes.
  double min_bytes, max_bytes;

  // The size that results from the request.  Errors: invalid_argument (no keys, a rate
  // outside (0, 1), less memory than the smallest filter takes), unsupported (a profile,
  // flag or identity that the kind does not have), unattainable (a rate; or, asked and
  // possible in bytes, memory that so many keys do not fit), too_large (asked: bytes).
  result<filter_size> (*size)(std::uint64_t keys, const size_request& request) noexcept;

  // The same without expected_fpr, which takes milliseconds where the model is exact.
  result<filter_size> (*layout)(std::uint64_t keys, const size_request& request) noexcept;

  // An empty filter.  `keys` is what it is sized for.  Errors: those of `size`;
  // unsupported (a hasher that the kind does not take, or a kind that is only built);
  // out_of_memory.
  result<any_filter> (*make)(std::uint64_t keys, const size_request& request,
                             const hasher& h) noexcept;

  // A filter with all of `ks` in it, sized for `keys`.
  // Errors: as make, full.  REQUIRES: threads >= 1
  result<any_filter> (*build)(std::span<const key> ks, std::uint64_t keys,
                              const size_request& request, const hasher& h,
                              unsigned threads) noexcept;
  // The same of keys that need not be in memory at once; the filter has the same bytes.
  // Errors: as build, and those of `ks`.
  result<any_filter> (*build_sorted)(sorted_keys& ks, std::uint64_t keys,
                                     const size_request& request, const hasher& h,
                                     unsigned threads) noexcept;

  // The rate that the format actually gives; null for formats that can give every rate.
  portable_promise (*promise)(const filter_size& size, std::uint64_t keys,
                              double fpr) noexcept;
};

// In the order of filter_types.
BLOOMERY_EXPORT std::span<const kind_info> kinds() noexcept;

// Null if there is none.
BLOOMERY_EXPORT const kind_info* find_kind(std::string_view name) noexcept;
BLOOMERY_EXPORT const kind_info* find_kind(container_kind number) noexcept;

}  // namespace bloomery::inline v1
