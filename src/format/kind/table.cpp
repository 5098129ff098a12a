// Every kind's row, in the order of filter_types.
#include <bloomery/kinds.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include <bloomery/any_filter.hpp>

#include "format/kind/block.hpp"
#include "format/kind/bloom.hpp"
#include "format/kind/counting.hpp"
#include "format/kind/cuckoo.hpp"
#include "format/kind/partitioned.hpp"
#include "format/kind/portable.hpp"
#include "format/kind/quotient.hpp"
#include "format/kind/ribbon.hpp"
#include "format/kind/scalable.hpp"
#include "format/kind/slots.hpp"
#include "format/kind/stable.hpp"
#include "format/kind/window.hpp"

namespace bloomery::inline v1 {
namespace {

using format::kind_row;

result<void> check_request(const kind_facts& facts, capabilities can, std::uint64_t keys,
                           const size_request& r) noexcept {
  if (keys == 0 && !r.exact)
    return error{errc::invalid_argument, "a filter is sized for at least one key", 0, 0,
                 1};
  const bool known = r.profile == block_profile::by_rate || is_block_profile(r.profile);
  if (!facts.takes_profile && r.profile != block_profile::by_rate)
    return error{errc::unsupported, "a profile that the kind does not have"};
  if (facts.takes_profile && !known)
    return error{errc::unsupported, "a profile that the kind does not have"};
  if (!facts.takes_cells && (r.cell_bits != 0 || r.cells != cell_layout::by_rate))
    return error{errc::unsupported, "a width or layout of cells: the kind has no cells"};
  if (!facts.takes_ribbon_width && r.ribbon_width != 0)
    return error{errc::unsupported, "a width of windows: the kind is no ribbon"};
  if (!facts.takes_arity && r.arity != 0)
    return error{errc::unsupported, "a number of slots per key: the kind has no choice"};
  if (!facts.takes_growth && !r.growth.is_default())
    return error{errc::unsupported, "a plan of growth: the kind does not grow"};
  if (!facts.takes_generations && r.generations != 0)
    return error{errc::unsupported, "a number of generations: the kind has none"};
  if (r.foldable &&
      (!facts.takes_profile || !can.has(capability::fold) || !r.is_by_rate()))
    return error{errc::unsupported,
                 "only a block filter sized by rate can be made foldable"};
  if (r.identity != 0 && !can.has(capability::erase))
    return error{errc::unsupported,
                 "an identity is for receipts, which the kind does not issue"};
  return {};
}

// Without expected_fpr: the exact model of a small portable filter takes milliseconds.
template <class F>
result<filter_size> layout_of_kind(std::uint64_t keys, const size_request& r) noexcept {
  if (auto ok = check_request(F::kind, capabilities_of<F>(), keys, r); !ok)
    return ok.error();
  return kind_row<F>::size(keys, r);
}

template <class F>
result<filter_size> size_of_kind(std::uint64_t keys, const size_request& r) noexcept {
  auto size = layout_of_kind<F>(keys, r);
  if (!size) return size;
  size->expected_fpr = keys == 0 ? std::numeric_limits<double>::quiet_NaN()
                                 : kind_row<F>::expected_fpr(*size, keys);
  return size;
}

template <class F>
result<any_filter> widened(result<F> made) noexcept {
  if (!made) return made.error();
  return any_filter(*std::move(made));
}

template <class F>
result<filter_size> checked_layout(std::uint64_t keys, const size_request& r,
                                   const hasher& h) noexcept {
  if (!F::kind.takes_hasher && h.of(key_source::bytes) != F::kind.hasher())
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
    return widened(kind_row<F>::make(*size, keys, r, h));
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

// By the row's build; ks: a span, or sorted_keys.
template <class F, class Keys>
result<any_filter> build_by_row(Keys& ks, std::uint64_t keys, const size_request& r,
                                const hasher& h, unsigned threads) noexcept {
  const auto size = checked_layout<F>(keys, r, h);
  if (!size) return size.error();
  return widened(kind_row<F>::build(ks, *size, keys, r, h, threads));
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
constexpr kind_info info_of() noexcept {
  using row = kind_row<F>;
  kind_info k{.facts = F::kind,
              .can = capabilities_of<F>(),
              .min_bytes = row::min_bytes,
              .max_bytes = row::max_bytes,
              .size = size_of_kind<F>,
              .layout = layout_of_kind<F>,
              .make = make_of_kind<F>,
              .build = build_of_kind<F>,
              .build_sorted = build_sorted_of_kind<F>,
              .promise = nullptr};
  if constexpr (requires { row::promise; }) k.promise = row::promise;
  return k;
}

template <class... Fs>
constexpr auto all_infos(detail::type_list<Fs...>) noexcept {
  return std::array{info_of<Fs>()...};
}
template <class... Fs>
constexpr auto all_rows(detail::type_list<Fs...>) noexcept {
  return std::array{format::erased<Fs>()...};
}

constexpr auto infos = all_infos(filter_types{});
constexpr auto rows = all_rows(filter_types{});

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

const char* name_of(container_kind kind) noexcept {
  if (const kind_info* k = find_kind(kind)) return k->facts.name;
  if (kind == container_kind::foreign) return "foreign";
  if (kind == container_kind::packed_static) return "packed-static";
  return kind == container_kind::packed ? "packed" : "unknown";
}

}  // namespace bloomery::inline v1

namespace bloomery::format {

const erased_row* find_row(container_kind number) noexcept {
  for (const erased_row& r : rows)
    if (number == r.facts->number) return &r;
  return nullptr;
}

}  // namespace bloomery::format
