#include "files/query_filter.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/progress.hpp"

namespace bloomery::cli {
namespace {

using texts = std::span<const std::string_view>;

// Whether any member may contain it, or the one that is named.
bool ask(const packed_set& set, std::uint64_t part, key k) {
  if (part != foreign_options::every_part) return set.may_contain(part, k);
  std::array<std::uint64_t, 64> found;
  for (std::uint64_t first = 0; first < set.size(); first += 64 * found.size()) {
    const auto count = std::min<std::uint64_t>(64 * found.size(), set.size() - first);
    const auto words = std::span(found).first((count + 63) / 64);
    set.may_contain(first, count, k, words);
    if (std::ranges::any_of(words, [](std::uint64_t w) { return w != 0; })) return true;
  }
  return false;
}

void ask(const foreign_filter& filter, const query_filter&, texts encoded,
         std::span<bool> out) {
  filter.may_contain(encoded, out);
}
void ask(const any_filter& filter, const query_filter& q, texts encoded,
         std::span<bool> out) {
  query_native(filter, q.keys, encoded, out);
}
void ask(const any_view& view, const query_filter& q, texts encoded,
         std::span<bool> out) {
  std::visit([&](const auto& v) { query_native(v, q.keys, encoded, out); }, view);
}
void ask(const packed_set& set, const query_filter& q, texts encoded,
         std::span<bool> out) {
  query_encoded(q.keys, set.hasher(), encoded, out,
                [&](std::span<const key> ks, std::span<bool> answers) {
                  for (std::size_t i = 0; i < ks.size(); ++i)
                    answers[i] = ask(set, q.part, ks[i]);
                });
}

// Counts for filters that are checked as they are read.
std::uint64_t damaged_chunks(const auto&) { return 0; }
std::uint64_t damaged_chunks(const packed_set& set) { return set.damaged_chunks(); }
std::uint64_t damaged_chunks(const any_view& view) {
  return std::visit([](const auto& v) { return v.damaged_chunks(); }, view);
}

// What is mapped can be changed by others.
bool is_unchanged(const auto&) { return true; }
bool is_unchanged(const packed_set& set) { return set.unchanged(); }
bool is_unchanged(const any_view& view) {
  return std::visit([](const auto& v) { return v.unchanged(); }, view);
}

}  // namespace

void query_filter::may_contain(std::span<const std::string_view> encoded,
                               std::span<bool> out) const {
  std::visit([&](const auto& f) { ask(f, *this, encoded, out); }, filter);
}

bool query_filter::is_mapped() const {
  if (std::holds_alternative<any_filter>(filter)) return false;
  if (std::holds_alternative<foreign_filter>(filter)) return mapped != nullptr;
  return container->file_bytes() > source::max_copy;
}

void query_filter::check_unchanged() const {
  if (mapped != nullptr) mapped->check_unchanged();
  if (!std::visit([](const auto& f) { return is_unchanged(f); }, filter))
    refuse_changed(path);
}

void check_unchanged(const source& from, const query_filter* filter) {
  // A view knows more of its file than the status says; a copy was checked when made.
  if (filter != nullptr)
    filter->check_unchanged();
  else
    from.file.check_unchanged();
}

std::string query_filter::dialect_name() const {
  return cli::dialect_name(*how, std::get_if<foreign_filter>(&filter));
}

bool query_filter::is_checked() const {
  const auto* f = std::get_if<foreign_filter>(&filter);
  return f != nullptr && !container && f->is_checked();
}

std::optional<std::string> query_filter::damage() const {
  if (const auto* bare = std::get_if<any_filter>(&filter)) {
    if (bare->padding_is_clear()) return std::nullopt;
    return "damaged or of another dialect: bits beyond the last one are set, which no "
           "writer of this format does";
  }
  const std::uint64_t damaged =
      damaged_at_loading +
      std::visit([](const auto& f) { return damaged_chunks(f); }, filter);
  if (damaged == 0) return std::nullopt;
  return fmt::format(
      "damaged: {} of {} chunks so far; lookups there answer \"possibly present\"; "
      "bloomery verify checks the whole file",
      grouped(damaged), grouped(container->chunks()));
}

read_report check_container(const source& from) {
  progress bar("checking");
  const auto report = verify_container(from.open_file(), calls_of(bar));
  if (!report || report->damaged_chunks != 0) from.file.check_unchanged();
  if (!report)
    throw failure(describe(from.path(), report.error(), context::reading_container));
  return *report;
}

std::string damaged_chunks_in_words(const read_report& report) {
  return fmt::format("{} of {} chunks damaged, first at byte {}",
                     grouped(report.damaged_chunks), grouped(report.facts.chunks()),
                     report.first_damage_at);
}

std::string damage_in_words(const read_report& report) {
  return damaged_chunks_in_words(report) + "; lookups there answer \"possibly present\"";
}

}  // namespace bloomery::cli
