#include "command/suggestion.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>

namespace bloomery::cli {
namespace {

// Edits that make `a` out of `b`: optimal string alignment, three rows of the table.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1,
                         last[j - 1] + static_cast<std::size_t>(a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view typed, const std::vector<std::string>& known) {
  constexpr std::size_t max_typed = 64;  // longer ones are no typing errors
  if (typed.empty() || typed.size() > max_typed) return {};
  const std::string* nearest = nullptr;
  std::size_t fewest = 0;
  bool is_tied = false;
  for (const std::string& name : known) {
    const std::size_t n = edits(typed, name);
    is_tied = nearest != nullptr && (n == fewest || (is_tied && n > fewest));
    if (nearest != nullptr && n >= fewest) continue;
    nearest = &name;
    fewest = n;
    is_tied = false;
  }
  if (nearest != nullptr && !is_tied && fewest <= (typed.size() + 2) / 3) return *nearest;
  const auto begins = [&](const std::string& name) { return name.starts_with(typed); };
  const bool is_only_one = std::ranges::count_if(known, begins) == 1;
  return is_only_one ? *std::ranges::find_if(known, begins) : std::string();
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known) {
  const std::string name = nearest_name(typed, known);
  return name.empty() ? "" : fmt::format("; did you mean '{}'?", name);
}

}  // namespace bloomery::cli
