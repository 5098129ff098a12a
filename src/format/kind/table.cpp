// Every kind's row, in the order of filter_types.
#include <bloomery/kinds.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <string_view>

#include <bloomery/any_filter.hpp>

#include "format/kind/field_table.hpp"
#include "kind/block/row.hpp"
#include "kind/bloom/row.hpp"
#include "kind/counting/row.hpp"
#include "kind/cuckoo/row.hpp"
#include "kind/fuse/row.hpp"
#include "kind/partitioned/row.hpp"
#include "kind/portable/row.hpp"
#include "kind/quotient/row.hpp"
#include "kind/ribbon/row.hpp"
#include "kind/scalable/row.hpp"
#include "kind/split_block/row.hpp"
#include "kind/stable/row.hpp"
#include "kind/window/row.hpp"
#include "kind/xor/row.hpp"

namespace bloomery::inline v1 {
namespace {

using format::as_any;
using format::kind_row;

// Here and not beside the list, where every file that reads it would pay for it.
template <class... Fs>
consteval bool are_filters(detail::type_list<Fs...>) {
  return (askable<Fs> && ...);
}
static_assert(are_filters(filter_types{}));

template <class F>
using layout_type = typename kind_row<F>::layout;

// The request's rule is the row's to check; its options are checked here, for all kinds.
template <class F>
result<layout_type<F>> layout_of_kind(std::uint64_t keys,
                                      const size_request& r) noexcept {
  if (keys == 0 && !r.exact)
    return error{errc::invalid_argument, "a filter is sized for at least one key", 0, 0,
                 1};
  if (auto ok = check_options(*find_kind(F::kind.number), r.options); !ok)
    return ok.error();
  return kind_row<F>::size(keys, r);
}

template <class F>
filter_size measured(const layout_type<F>& layout) noexcept {
  filter_size size = kind_row<F>::measure(layout);
  size.layout = kind_layout::of(layout);
  return size;
}

// Without expected_fpr: the exact model of a small portable filter takes milliseconds.
template <class F>
result<filter_size> bare_size_of_kind(std::uint64_t keys,
                                      const size_request& r) noexcept {
  const auto layout = layout_of_kind<F>(keys, r);
  if (!layout) return layout.error();
  return measured<F>(*layout);
}

template <class F>
result<filter_size> size_of_kind(std::uint64_t keys, const size_request& r) noexcept {
  const auto layout = layout_of_kind<F>(keys, r);
  if (!layout) return layout.error();
  filter_size size = measured<F>(*layout);
  using row = kind_row<F>;
  size.expected_fpr = keys == 0
                          ? std::numeric_limits<double>::quiet_NaN()
                          : row::expected_fpr(*layout, row::design_keys(*layout, keys));
  return size;
}

template <class F>
header_layout header_of_kind(const filter_size& size) noexcept {
  return kind_row<F>::header_of(size.layout.as<layout_type<F>>());
}

template <class F>
result<layout_type<F>> checked_layout(std::uint64_t keys, const size_request& r,
                                      const hasher& h) noexcept {
  if (!F::kind.any_hasher && h.of(key_source::bytes) != F::kind.hasher())
    return error{errc::unsupported, "the kind has its own hash, and takes no other"};
  return layout_of_kind<F>(keys, r);
}

template <class F>
result<any_filter> make_of_kind(std::uint64_t keys, const size_request& r,
                                const hasher& h) noexcept {
  if constexpr (build_only<F>) {
    return no_such_call<F, capability::insert>();
  } else {
    const auto size = checked_layout<F>(keys, r, h);
    if (!size) return size.error();
    return as_any(kind_row<F>::make(*size, keys, r, h));
  }
}

template <class F>
result<void> put_all(any_filter& into, std::span<const key> ks,
                     unsigned threads) noexcept {
  if constexpr (insertable<F>) {
    return into.insert(ks, threads);
  } else {
    const auto in = into.try_insert(ks);
    if (!in) return in.error();
    if (*in == ks.size()) return {};
    return error{errc::full, "the keys do not fit the filter sized for them", 0,
                 static_cast<double>(ks.size()), static_cast<double>(*in)};
  }
}

// Calls the row's build; ks: a span, or sorted_keys.
template <class F, class Keys>
result<any_filter> build_by_row(Keys& ks, std::uint64_t keys, const size_request& r,
                                const hasher& h, unsigned threads) noexcept {
  const auto size = checked_layout<F>(keys, r, h);
  if (!size) return size.error();
  return as_any(kind_row<F>::build(ks, *size, keys, r, h, threads));
}

// Keys inserted at a time where they come in ranges: enough for several threads.
constexpr std::uint64_t range_keys = std::uint64_t{4} << 20;

template <class F>
result<any_filter> build_sorted_of_kind(sorted_keys& ks, std::uint64_t keys,
                                        const size_request& r, const hasher& h,
                                        unsigned threads) noexcept {
  if constexpr (build_only<F>) {
    return build_by_row<F>(ks, keys, r, h, threads);
  } else {
    auto made = make_of_kind<F>(keys, r, h);
    if (!made) return made;
    const std::uint64_t ranges = ks.size() / range_keys + 1;
    const std::uint64_t width = ~std::uint64_t{0} / ranges + 1;  // 0: all in one
    for (std::uint64_t i = 1; i <= ranges; ++i) {
      const auto some = ks.take_below(i == ranges ? 0 : i * width);
      if (!some) return some.error();
      if (auto ok = put_all<F>(*made, *some, threads); !ok) return ok.error();
    }
    return made;
  }
}

template <class F>
result<any_filter> build_of_kind(std::span<const key> ks, std::uint64_t keys,
                                 const size_request& r, const hasher& h,
                                 unsigned threads) noexcept {
  if constexpr (insertable<F>) {
    auto made = make_of_kind<F>(keys, r, h);
    if (!made) return made;
    if (auto ok = made->insert(ks, threads); !ok) return ok.error();
    return made;
  } else {
    return build_by_row<F>(ks, keys, r, h, threads);
  }
}

template <class F>
portable_promise promise_of_kind(const filter_size& size, std::uint64_t keys,
                                 double fpr) noexcept {
  return kind_row<F>::promise(size.layout.as<layout_type<F>>(), keys, fpr);
}

template <class F>
consteval bool builds_by_threads() noexcept {
  return build_only<F> ? buildable_by_threads<F> : insertable_by_threads<F>;
}

// Functions compared as types: comparing their addresses is no constant under sanitizers.
template <auto function>
struct function_type {};
template <class F>
constexpr bool has_units_of_bits = kind_row<F>::sized_in_bits&&
    std::same_as<function_type<&kind_row<F>::units_in>,
                 function_type<&format::row_defaults::units_in>>;

template <class F>
constexpr kind_info info_of() noexcept {
  using row = kind_row<F>;
  kind_info k{.facts = F::kind,
              .can = capabilities_of<F>(),
              .min_bytes = row::min_bytes,
              .max_bytes = row::max_bytes,
              .options = row::options,
              .fields = format::described_fields<F>,
              .size = size_of_kind<F>,
              .layout = bare_size_of_kind<F>,
              .design_keys =
                  [](const void* f) noexcept {
                    return row::design_keys(*static_cast<const F*>(f));
                  },
              .header = header_of_kind<F>,
              .make = make_of_kind<F>,
              .build = build_of_kind<F>,
              .build_sorted = build_sorted_of_kind<F>,
              .builds_by_threads = builds_by_threads<F>(),
              .promise = nullptr,
              .units_in = row::sized_in_bits ? &row::units_in : nullptr,
              .units_are_bits = has_units_of_bits<F>,
              .read_fields = format::read_fields<F>,
              .bare = row::bare,
              .files = format::calls_of<F>()};
  if constexpr (!std::same_as<decltype(row::promise), const std::nullptr_t>)
    k.promise = promise_of_kind<F>;
  return k;
}

template <class... Fs>
constexpr auto all_infos(detail::type_list<Fs...>) noexcept {
  return std::array{info_of<Fs>()...};
}

constexpr auto infos = all_infos(filter_types{});

}  // namespace

std::span<const kind_info> kinds() noexcept { return infos; }

const kind_info* find_kind(std::string_view name) noexcept {
  for (const kind_info& k : infos)
    if (name == k.facts.name) return &k;
  return nullptr;
}

const kind_info* find_kind(container_kind number) noexcept {
  for (const kind_info& k : infos)
    if (number == k.facts.number) return &k;
  return nullptr;
}

const bare_form* find_form(std::string_view name) noexcept {
  for (const kind_info& k : infos)
    if (k.bare != nullptr && name == k.bare->name) return k.bare;
  return nullptr;
}

const kind_field* find_field(const kind_info& kind, std::string_view name) noexcept {
  const auto found = std::ranges::find_if(
      kind.fields, [&](const kind_field& f) { return name == f.name; });
  return found == kind.fields.end() ? nullptr : &*found;
}

const char* name_of(container_kind kind) noexcept {
  if (const kind_info* k = find_kind(kind)) return k->facts.name;
  if (kind == container_kind::foreign) return "foreign";
  if (kind == container_kind::packed_static) return "packed-static";
  return kind == container_kind::packed ? "packed" : "unknown";
}

}  // namespace bloomery::inline v1

namespace bloomery::format {

const kind_calls* find_calls(container_kind number) noexcept {
  const kind_info* const k = find_kind(number);
  return k != nullptr ? &k->files : nullptr;
}

}  // namespace bloomery::format
