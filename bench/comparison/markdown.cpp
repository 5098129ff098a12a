#include "comparison/markdown.hpp"

#include <fmt/format.h>

#include <iterator>
#include <set>

#include "kit/table.hpp"

namespace bloomery::bench {
namespace {

std::string cell(const row& r, const figure_info& f) {
  const std::optional<timing>& t = r.*f.at;
  if (!t) return "-";
  return fmt::format("{:.1f} ({:.1f})", t->min, t->min / r.floor.best(f.writes).min);
}

std::string scaling(const row& r) {
  const auto& one = r.absent_batched ? r.absent_batched : r.absent;
  if (!r.absent_threaded || !one) return "-";
  return fmt::format("{:.2f}", one->min / r.absent_threaded->min);
}

std::string latency(const percentiles& p) {
  return fmt::format("{:.0f} / {:.0f} / {:.0f}", p.p50, p.p99, p.p999);
}

std::string latency(const row& r, const std::optional<percentiles>& p) {
  const double floor = r.floor.best(false).min;
  return p ? fmt::format("{} ({})", latency(*p),
                         latency({p->p50 / floor, p->p99 / floor, p->p999 / floor}))
           : "-";
}

std::string limit(const row& r) {
  const auto over = r.over_limit();
  return over ? fmt::format("{:+.0f} %", *over) : "-";
}

// A floor of the first candidate's size, as a separate row.
std::string floor_row(const row& r, const char* lines, const floor_times& floor,
                      const std::string& single) {
  std::string out = fmt::format("| {} | *{} of {} KiB* | | | ", short_count(r.keys),
                                lines, (r.bytes + 1023) / 1024);
  for (const figure_info& f : figure_infos) {
    const std::string_view name = f.name;
    const auto text = [](const timing& t) { return fmt::format("| {:.1f} ", t.min); };
    out += name == "insert"           ? text(floor.update)
           : name == "insert_batched" ? text(floor.update_batched)
           : name == "absent"         ? text(floor.load)
           : name == "absent_batched" ? text(floor.load_batched)
                                      : "| ";
  }
  return out + fmt::format("| | | {} |\n", single);
}

std::string floor_rows(const row& r) {
  return floor_row(r, "one random line", r.floor, latency(r.floor_latency)) +
         floor_row(r, "two random lines", r.floor2, "");
}

}  // namespace

std::string comparison_table(std::span<const row> rows) {
  std::string out = "| keys | filter | bits/key | FPR | over limit |";
  std::string line = "|--:|:--|--:|--:|--:|";
  for (const figure_info& f : figure_infos) {
    out += fmt::format(" {} |", f.label);
    line += "--:|";
  }
  out += " 2-thread scaling | present p50 / p99 / p99.9 | absent p50 / p99 / p99.9 |\n" +
         line + "--:|--:|--:|\n";
  std::uint64_t size = 0;
  for (const row& r : rows) {
    if (r.keys != size) out += floor_rows(r);
    size = r.keys;
    fmt::format_to(std::back_inserter(out), "| {} | {} | {:.2f} | {:.3f} % | {} |",
                   short_count(r.keys), r.ours ? fmt::format("**{}**", r.name) : r.name,
                   r.bits_per_key, 100 * r.measured_fpr, limit(r));
    for (const figure_info& f : figure_infos) out += " " + cell(r, f) + " |";
    fmt::format_to(std::back_inserter(out), " {} | {} | {} |\n", scaling(r),
                   latency(r, r.present_latency), latency(r, r.absent_latency));
  }
  return out;
}

std::string strings_table(std::span<const string_row> rows) {
  std::string out =
      "| keys | filter | hash alone | hashed keys | strings | strings / (hash + hashed) "
      "|\n"
      "|--:|:--|--:|--:|--:|--:|\n";
  for (const string_row& r : rows)
    fmt::format_to(std::back_inserter(out),
                   "| {} | **{}** | {:.1f} | {:.1f} | {:.1f} | {:.2f} |\n",
                   short_count(r.keys), r.name, r.hash.min, r.hashed.min, r.strings.min,
                   r.strings.min / (r.hash.min + r.hashed.min));
  return out;
}

std::string sets_table(std::span<const set_row> rows) {
  std::string out =
      "| filters | keys of each | filter_set, one key | filter_set, batched "
      "| loop over the filters | batches, filter by filter | floor |\n"
      "|--:|--:|--:|--:|--:|--:|--:|\n";
  for (const set_row& r : rows) {
    const double floor = r.floor.best(false).min;
    const auto text = [&](const timing& t) {
      return fmt::format("{:.2f} ({:.1f})", t.min, t.min / floor);
    };
    fmt::format_to(std::back_inserter(out), "| {} | {} | {} | {} | {} | {} | {:.2f} |\n",
                   r.filters, short_count(r.keys), text(r.set), text(r.set_batched),
                   text(r.loop), text(r.loop_batched), floor);
  }
  return out;
}

std::string comparison_legend(std::span<const row> rows) {
  std::string out;
  std::set<std::string> told;
  for (const row& r : rows)
    if (told.insert(r.name).second) out += fmt::format("- {}: {}\n", r.name, r.about);
  return out;
}

}  // namespace bloomery::bench
