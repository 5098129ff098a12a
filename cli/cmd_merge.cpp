// bloomery merge -- the union of filters.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <memory>

#include "command.hpp"
#include "dialects.hpp"
#include "filter_output.hpp"
#include "messages.hpp"

namespace bloomery::cli {
namespace {

struct merge_options {
  std::vector<std::string> filters;
  std::string out;
  std::string dialect;
  bool quiet = false;
};

opened open_for_merge(const std::string& path, const merge_options& o) {
  opened f = open_filter(path, o.dialect);
  // Damage would spread to the union and be invisible there.
  if (f.damage) throw failure(fmt::format("{}: {}; not merged", path, *f.damage));
  return f;
}

std::string keys_in(const any_filter& filter) {
  const double keys = filter.estimated_keys();
  return std::isfinite(keys) ? fmt::format("about {:.0f} keys", keys)
                             : std::string("every bit set");
}

exit_status merge(const merge_options& o) {
  if (o.filters.size() < 2)
    throw failure("merge: one filter is no union; name two or more before -o");
  check_output(o.out, {});
  opened first = open_for_merge(o.filters.front(), o);
  for (std::size_t i = 1; i < o.filters.size(); ++i) {
    const opened next = open_for_merge(o.filters[i], o);
    if (const auto merged = first.filter.merge(next.filter); !merged)
      throw failure(describe(fmt::format("{} and {}", o.filters[i], o.filters.front()),
                             merged.error()));
  }
  write_filter(first.filter, *first.how, o.out);
  if (!o.quiet)
    note(fmt::format("{}: {} filters, {}, realised rate {}", o.out, o.filters.size(),
                     keys_in(first.filter), rate(first.filter.realised_fpr())));
  return yes;
}

}  // namespace

void add_merge(CLI::App& app, action& run) {
  const auto o = std::make_shared<merge_options>();
  CLI::App& c = *app.add_subcommand("merge", "Write the union of filters of one layout");
  c.add_option("FILTER", o->filters, "two or more filters to unite")
      ->required()
      ->type_name("FILTER");
  c.add_option("-o,--output", o->out,
               "the filter to write, replaced only when whole; -: standard output")
      ->required()
      ->type_name("OUT");
  c.add_option("--dialect", o->dialect, "what the files hold: portable")->type_name("D");
  c.add_flag("-q,--quiet", o->quiet, "say nothing but warnings and errors");
  c.footer(
      "Examples:\n"
      "  bloomery merge --dialect portable monday.bloom tuesday.bloom -o week.bloom");
  c.callback([o, &run] { run = [o] { return merge(*o); }; });
}

}  // namespace bloomery::cli
