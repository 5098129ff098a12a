#include "kit/kinds.hpp"

#include <algorithm>
#include <array>

#include <bloomery/kinds.hpp>

#include "kit/spec_of.hpp"

namespace bloomery::bench {
namespace {

template <class F>
result<figures> measure_kind(std::uint64_t keys, double fpr, const options& o) {
  return measure(spec_of<F>(keys, fpr), o);
}

template <class... Fs>
constexpr auto all_kinds(detail::type_list<Fs...>) noexcept {
  return std::array{kind{Fs::kind.name, Fs::kernel_name, measure_kind<Fs>}...};
}

constexpr auto table = all_kinds(filter_types{});

}  // namespace

std::span<const kind> kinds() noexcept { return table; }

const kind* find_kind(std::string_view name) noexcept {
  const auto found = std::ranges::find(table, name, &kind::name);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace bloomery::bench
