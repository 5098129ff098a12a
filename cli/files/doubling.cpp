#include "files/doubling.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <bloomery/any_filter.hpp>
#include <bloomery/kinds.hpp>

#include "text/messages.hpp"
#include "text/notices.hpp"

namespace bloomery::cli {
namespace {

bool has_every_kind(const char* field) {
  return std::ranges::all_of(
      kinds(), [&](const kind_info& k) { return find_field(k, field) != nullptr; });
}

// The numbers of its layout that are special to its kind, by their names.
using layout_numbers = std::vector<std::pair<std::string, std::uint64_t>>;
layout_numbers layout_of(const any_filter& f) {
  layout_numbers all;
  auto add = [&](const field_place& at, const field_value& v) {
    if (at.column == nullptr && v.what == field_value::type::count &&
        !has_every_kind(at.field->name))
      all.emplace_back(at.field->name, v.count);
  };
  f.visit([&](const auto& own) {
    for_each_field(own, static_cast<unsigned>(field_group::layout), add);
  });
  return all;
}

// "quotients 2,560, remainder_bits 6": what is different now.
std::string changes(const layout_numbers& before, const layout_numbers& now) {
  std::string text;
  for (std::size_t i = 0; i < now.size() && i < before.size(); ++i)
    if (now[i] != before[i])
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", now[i].first,
                          grouped(now[i].second));
  return text;
}

}  // namespace

void doubling::refuse(const loaded_filter& f, std::string_view why,
                      std::string_view else_do) const {
  throw failure(fmt::format("{}: refused: it is full, and {}; {}: {}{}",
                            what.empty() ? f.path : what, why, unchanged, remedy(),
                            else_do));
}

bool doubling::make_room(loaded_filter& f) {
  auto* const filter = std::get_if<any_filter>(&f.filter);
  if (filter == nullptr || !filter->can(capability::grow)) return false;
  const double now = filter->realised_fpr(), keys = filter->estimated_keys();
  if (!forced && limit.is_exceeded(now, keys))
    refuse(f, fmt::format("its rate of {} is above {}", rate(now), limit.in_words()),
           ", or --force");
  const layout_numbers before = layout_of(*filter);
  if (const auto grown = filter->grow(); !grown)
    refuse(f, fmt::format("cannot be doubled: {}", grown.error().what));
  said.push_back(fmt::format(
      "{}: was full with {} copies of keys: doubled to {} ({}); its rate was {}, and is "
      "{} when it is full again",
      what.empty() ? f.path : what, grouped(static_cast<std::uint64_t>(keys)),
      size(filter->size_in_bytes()), changes(before, layout_of(*filter)), rate(now),
      rate(filter->expected_fpr(filter->keys_when_full().value_or(0)))));
  return true;
}

}  // namespace bloomery::cli
