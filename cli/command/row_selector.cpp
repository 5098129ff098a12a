#include "command/row_selector.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "text/notices.hpp"

namespace bloomery::cli {

row_selector::row_selector(const filter_group& filters,
                           const std::vector<std::string>& names, const select_options& o)
    : filters_(filters),
      o_(o),
      out_(names, {.names_filter = names.size() > 1,
                   .numbers = o.numbers,
                   .as_json = o.as_json,
                   .annotates = o.annotates,
                   .separator = o.separator,
                   .is_csv = o.is_csv,
                   .terminator = o.terminator}),
      answers_(filters.size()),
      selected_(filters.size()),
      warned_(filters.size()) {}

bool row_selector::take(const key_rows& rows, const asker& ask) {
  if (room_ < rows.keys.size()) {
    room_ = rows.keys.size();
    for (auto& some : answers_) some = std::make_unique<bool[]>(room_);
  }
  std::uint64_t here = 0;
  for (std::size_t i = 0; i < filters_.size(); ++i) {
    const std::span<bool> maybe(answers_[i].get(), rows.keys.size());
    ask(i, maybe);
    // A plain count: its loop is vectorised whatever is inlined around it.
    const auto found = static_cast<std::uint64_t>(std::ranges::count(maybe, true));
    const std::uint64_t of_filter = o_.absent ? maybe.size() - found : found;
    selected_[i] += of_filter;
    here += of_filter;
  }
  warn_of_damage();
  if (o_.quiet) return here == 0;
  if (!o_.count && (here != 0 || o_.annotates)) print(rows, here);
  return true;
}

// Row by row, each for every filter that selects it.
void row_selector::print(const key_rows& rows, std::uint64_t here) {
  if (here == rows.keys.size() && out_.is_plain() && !rows.whole.empty())
    return out_.print_whole(rows.whole);
  if (out_.is_plain())  // of one filter
    return out_.print_selected(rows.texts, {answers_.front().get(), rows.keys.size()},
                               !o_.absent, !rows.whole.empty());
  if (o_.annotates && !o_.as_json) return out_.print_annotated(rows.texts, answers_);
  for (std::size_t k = 0; k < rows.keys.size(); ++k)
    for (std::size_t i = 0; i < filters_.size(); ++i)
      if (o_.annotates || answers_[i][k] != o_.absent)
        out_.print(i, {rows.texts[k], rows.first + k, rows.file, answers_[i][k]});
}

void row_selector::take_header(std::string_view header) {
  if (o_.count || o_.quiet || !out_.has_header() || header_ == header) return;
  header_ = header;
  out_.print_header(header);
}

void row_selector::warn_of_damage() {
  for (std::size_t i = 0; i < filters_.size(); ++i) {
    if (warned_[i]) continue;
    const auto damage = filters_.filter(i).damage();
    if (damage) warn(fmt::format("{}: {}", filters_.filter(i).path, *damage));
    warned_[i] = damage.has_value();
  }
}

exit_status row_selector::finish() {
  for (std::size_t i = 0; i < filters_.size(); ++i) filters_.filter(i).check_unchanged();
  for (std::size_t i = 0; o_.count && !o_.quiet && i < filters_.size(); ++i)
    out_.print_count(i, selected_[i]);
  out_.flush();
  const bool any = std::ranges::any_of(selected_, [](std::uint64_t n) { return n != 0; });
  return any ? yes : no;
}

}  // namespace bloomery::cli
