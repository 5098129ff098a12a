// bloomery merge -- the union of filters.
#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "command/commands.hpp"
#include "command/shared_options.hpp"
#include "files/doubling.hpp"
#include "files/filter_output.hpp"
#include "files/loaded_filter.hpp"
#include "files/merged_sizes.hpp"
#include "files/rebuild_command.hpp"
#include "files/updated_file.hpp"
#include "files/written_report.hpp"
#include "sizes/kind_choice.hpp"
#include "sizes/overfull.hpp"
#include "sizes/rate_limit.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/numbers.hpp"
#include "text/shell_quote.hpp"

namespace bloomery::cli {
namespace {

struct merge_options {
  std::vector<std::string> filters;
  std::string out;
  read_request from;
  std::optional<double> max_fpr;
  bool force = false;
  bool as_json = false;
  bool quiet = false;
};

// From here on a union is wrong more often than right.
constexpr double useless_fpr = 0.5;

constexpr const char* for_the_union =
    "build each part with a --capacity for the whole union";

// What two filters must have in common, in words.
std::string hash_of(const any_filter& f) {
  const hasher h = f.hasher();
  return fmt::format("{} under hash {} with seed {}", name_of(h.source()),
                     name_of(h.id()), h.seed());
}
bool is_of_hasher(std::string_view field) {
  return field == "hash" || field == "key_source";
}
std::string shape_of(const any_filter& f) {
  // Numbers may differ where a kind can fold; what has a name may not.
  std::string text = fmt::format("{} filter", f.kind());
  f.visit([&](const auto& any) {
    for_each_field(any, static_cast<unsigned>(field_group::layout),
                   [&](const field_place& at, const field_value& v) {
                     if (at.column == nullptr && v.what == field_value::type::text &&
                         !is_of_hasher(at.field->name))
                       text += fmt::format(" of {} {}", at.field->name, v.text);
                   });
  });
  return text;
}

// What has come of the filters so far.
struct merged {
  const merge_options& asked;
  loaded_filter whole;
  merged_sizes sizes;
  doubling growth;
};

// What to do instead of a merge that is refused.  KEYS and OUT are the user's.
std::string command_for_all(const merged& all, std::optional<double> fpr = {}) {
  merged_sizes sizes = all.sizes;
  for (std::size_t i = sizes.parts(); i < all.asked.filters.size(); ++i) try {
      sizes.add(load_filter(all.asked.filters[i], all.asked.from, "merged"));
    } catch (const failure&) {
      // It would be refused in its turn.
    }
  return rebuild_command(all.whole, sizes.capacity(), fpr.value_or(sizes.asked_fpr()));
}
std::string to_build_each(const merged& all) {
  const std::string command = command_for_all(all);
  return command.empty() ? "build each from its keys, with the same options"
                         : "build each from its keys, with the same options: " + command;
}
std::string to_build_one(const merged& all) {
  return "build one filter from the keys of all: " + command_for_all(all);
}

[[noreturn]] void refuse(const std::string& path, const merged& all, const error& e) {
  const bool has_numbers = e.code == errc::incompatible && e.asked > 0 && e.possible > 0;
  throw failure(fmt::format(
      "{} does not fit {}: {}{}; {}", path, all.whole.path, e.what,
      has_numbers
          ? fmt::format(" ({} against {})", grouped(static_cast<std::uint64_t>(e.asked)),
                        grouped(static_cast<std::uint64_t>(e.possible)))
          : std::string(),
      to_build_each(all)));
}

void check_alike(const std::string& path, const any_filter& next, const any_filter& first,
                 const merged& all) {
  const auto differ = [&](const std::string& next_has, const std::string& first_has) {
    if (next_has != first_has)
      throw failure(
          fmt::format("{} has another layout than {}: {} against {}; keys have other "
                      "bits there: {}",
                      path, all.whole.path, next_has, first_has, to_build_each(all)));
  };
  differ(shape_of(next), shape_of(first));
  differ(hash_of(next), hash_of(first));
}

// Kinds that have no union, whatever the other filter.
void check_kind(const any_filter& f, const merged& all) {
  if (f.can(capability::merge)) return;
  throw failure(fmt::format(
      "{}: {} filters cannot be merged{}; {}, or build each part of a kind that merges: "
      "{}",
      all.whole.path, f.kind(),
      f.can(capability::build) ? ": each is built from all its keys at once" : "",
      to_build_one(all),
      kind_names([](const kind_info& k) { return k.can.has(capability::merge); })));
}

// Block filters of different sizes meet at their greatest common divisor; a union that
// does not fit is doubled, if the kind can be.
void unite(any_filter& whole, const std::string& path, const any_filter& next,
           const merge_options& o, merged& all) {
  check_kind(whole, all);
  check_alike(path, next, whole, all);
  all.growth.what = fmt::format("the union of {} {} {}", all.whole.path,
                                all.sizes.parts() == 2 ? "and" : "to", path);
  all.growth.remedy = [&] {
    return fmt::format("{}: {}", for_the_union, command_for_all(all, o.max_fpr));
  };
  // Where the kind cannot fold, `merge` says what differs.
  const bool folds =
      whole.size_in_bytes() != next.size_in_bytes() && whole.can(capability::fold);
  if (folds) all.sizes.fold(whole.realised_fpr(), next.realised_fpr());
  auto done = folds ? whole.fold_and_merge(next) : whole.merge(next);
  while (!done && done.error().code == errc::full && all.growth.make_room(all.whole))
    done = whole.merge(next);
  if (!done) refuse(path, all, done.error());
}

void unite(foreign_filter& whole, const std::string& path, const foreign_filter& next,
           const merge_options&, merged& all) {
  if (const auto done = whole.merge(next); !done) refuse(path, all, done.error());
}

// What became of filters of different sizes, once all are united.
void check_fold(const any_filter& whole, const merged& all, bool force) {
  const merged_sizes& sizes = all.sizes;
  if (!sizes.are_folded()) return;
  const double now = whole.realised_fpr();
  const std::size_t left = whole.size_in_bytes();
  if (now > useless_fpr && !force)
    throw failure(sizes.refusal(
        left, now,
        rebuild_command(all.whole, sizes.advised_capacity(), sizes.advised_fpr())));
  warn(fmt::format("{} differ in size: folded to {}, the rate goes from {} to {}",
                   sizes.odd_ones(), size(left), rate(sizes.rate_before()), rate(now)));
}

// The union lies in the same bytes as the first filter.
void check_same_family(const loaded_filter& next, const merged& all) {
  const loaded_filter& first = all.whole;
  const bool same_form = first.filter.index() == next.filter.index();
  if (same_form && first.container.has_value() == next.container.has_value()) return;
  const auto* const mine = std::get_if<any_filter>(&first.filter);
  const auto* const other = std::get_if<any_filter>(&next.filter);
  const bool same_bits =
      same_form && (mine == nullptr || mine->facts().number == other->facts().number);
  const std::string differ = fmt::format("{} is of dialect {}, {} of {}", next.path,
                                         name_of(next), first.path, name_of(first));
  if (!same_bits)
    throw failure(
        fmt::format("{}: keys have other bits there; {}", differ, to_build_each(all)));
  const loaded_filter& bare = first.container ? next : first;
  throw failure(
      fmt::format("{}: put {} into a container too: bloomery convert {} --from {} -o OUT",
                  differ, bare.path, shell_quoted(bare.path), bare.how->facts.name));
}

// The union says what its keys are, so that each part's must be known.
void check_meaning(const loaded_filter& f) {
  if (f.keys.in_both_meanings)
    throw failure(fmt::format(
        "{}: it does not say what its keys are, and 64-bit integers have had two "
        "meanings: record it first: bloomery convert {} --key-type u64 --keys F -o "
        "OUT",
        f.path, f.path));
}

// The rate that all were built for, if it is the same.
double asked_rate(const loaded_filter& first, const loaded_filter& next) {
  return first.container && next.container &&
                 first.container->asked_fpr == next.container->asked_fpr
             ? first.container->asked_fpr
             : 0;
}

void write(const loaded_filter& whole, const merge_options& o,
           const input_file* replaces) {
  write_notes notes{.asked_fpr = whole.container ? whole.container->asked_fpr : 0};
  notes.replaces = replaces;
  std::visit(
      [&](const auto& f) {
        if (whole.container)
          write_container(f, notes, o.out, o.quiet);
        else
          write_bare(f, o.out, replaces);
      },
      whole.filter);
}

// The filters, one after the other.  One of them may be the output: it stays locked until
// the union is written, so that an insert meanwhile is not lost.
class parts {
 public:
  explicit parts(const merge_options& o) : o_(o) {}

  loaded_filter load(const std::string& path) {
    std::error_code ignored;
    if (replaced_ || !std::filesystem::equivalent(path, o_.out, ignored) ||
        !std::filesystem::is_regular_file(path, ignored))
      return load_filter(path, o_.from, "merged");
    replaced_.emplace(locked_source(path, o_.from));
    return load_filter(*replaced_, "merged");
  }
  // The part that is the output, or null.
  const input_file* replaced() const {
    return replaced_ ? &replaced_->open_file() : nullptr;
  }

 private:
  const merge_options& o_;
  std::optional<source> replaced_;
};

// A rate that the user named is kept, whatever the kind.
void check_rate(const merged& all, const merge_options& o) {
  if (!o.max_fpr || o.force) return;
  const loaded_filter& whole = all.whole;
  std::visit(
      [&](const auto& f) {
        const double now = f.realised_fpr();
        if (limit_of(f, 0, o.max_fpr).is_exceeded(now, f.estimated_keys()))
          throw failure(
              fmt::format("{}: refused: the union would have a rate of {}, above the {} "
                          "that --max-fpr allows; nothing is written: {}: {}; or --force",
                          o.out, rate(now), rate(*o.max_fpr), for_the_union,
                          command_for_all(all, *o.max_fpr)));
      },
      whole.filter);
}

// A filter that grows keeps its rate, and its union must: another rate has to be named.
void check_levels(const any_filter& whole, const merged& all, const merge_options& o) {
  if (o.max_fpr || o.force) return;
  if (const auto levels = overfull_levels(whole))
    throw failure(
        fmt::format("{}: refused: in the union {}; nothing is written: {}; or --max-fpr "
                    "P, or --force",
                    o.out, *levels, to_build_one(all)));
}

// A union that was doubled has room, and a higher rate than its parts.
void warn_of_rate(const any_filter& whole, const loaded_filter& f) {
  const double asked = f.container ? f.container->asked_fpr : 0,
               now = whole.realised_fpr();
  const rate_limit limit = limit_of(whole, asked, std::nullopt);
  if (limit.is_exceeded(now, whole.estimated_keys()))
    warn(fmt::format("the union has a rate of {}, above {}; --max-fpr P sets a limit",
                     rate(now), limit.in_words()));
}

void print_report(merged& all, const merge_options& o) {
  const json::members more{{"filters", o.filters.size()},
                           {"doublings", all.growth.said.size()}};
  if (all.whole.container)
    print_container_report(o.out, o.from.secret_file, more);
  else
    print_bare_report(o.out, *all.whole.how, std::move(all.whole.filter), more);
}

exit_status merge(merge_options& o) {
  o.from.is_shared = true;
  check_report_output(o.out, o.as_json);
  if (o.filters.size() < 2)
    throw failure("merge: needs at least two filters; name them before -o");
  check_output(o.out, {{o.from.secret_file, as_secret}});
  check_replaceable(o.out, !o.from.dialect.empty(), o.force);
  for (const std::string& filter : o.filters) check_not_in_dump(o.out, filter);
  parts from(o);
  merged all{.asked = o,
             .whole = from.load(o.filters.front()),
             .sizes = {},
             .growth = {.forced = o.force,
                        .what = "the union",
                        .unchanged = "nothing is written",
                        .remedy = {}}};
  loaded_filter& whole = all.whole;
  merged_sizes& sizes = all.sizes;
  doubling& growth = all.growth;
  check_meaning(whole);
  sizes.add(whole);
  if (const auto* native = std::get_if<any_filter>(&whole.filter); native && o.max_fpr)
    growth.limit = limit_of(*native, 0, o.max_fpr);
  for (std::size_t i = 1; i < o.filters.size(); ++i) {
    const loaded_filter next = from.load(o.filters[i]);
    check_meaning(next);
    sizes.add(next);
    check_same_family(next, all);
    std::visit(
        [&]<class F>(F& mine) {
          unite(mine, o.filters[i], std::get<F>(next.filter), o, all);
        },
        whole.filter);
    if (whole.container) whole.container->asked_fpr = asked_rate(whole, next);
  }
  check_rate(all, o);
  if (const auto* native = std::get_if<any_filter>(&whole.filter)) {
    check_fold(*native, all, o.force);
    check_levels(*native, all, o);
    if (!sizes.are_folded()) warn_if_overfull(*native, for_the_union);
    if (!growth.said.empty()) warn_of_rate(*native, whole);
  }
  write(whole, o, from.replaced());
  if (o.as_json) {
    print_report(all, o);
    return yes;
  }
  if (!o.quiet)
    for (const std::string& text : growth.said) note(text);
  if (!o.quiet)
    std::visit(
        [&](const auto& f) {
          note(fmt::format("{}: {} filters, {}, realised rate {}", o.out,
                           o.filters.size(), about_keys(f.estimated_keys()),
                           rate(f.realised_fpr())));
        },
        whole.filter);
  return yes;
}

}  // namespace

void add_merge(command_line& tool) {
  const auto o = std::make_shared<merge_options>();
  command c = tool.add("merge", "Write the union of filters of one kind and hash");
  c.add("FILTER", "FILTER", o->filters, "two or more filters to merge").required();
  add_output_option(c, o->out);
  add_read_options(c, o->from);
  c.add(
      "--max-fpr", "P",
      [o](const std::string& p) { o->max_fpr = rate_between_0_and_1(p); },
      "refuse a union whose rate is higher");
  c.add_flag(
      "--force", o->force,
      "merge even if the rate rises above 50 %, or --max-fpr, or if OUT is no filter");
  c.add_flag("--json", o->as_json, "report as info --json does");
  c.add_flag("-q,--quiet", o->quiet, "print only warnings and errors");
  c.footer(
      "Filters of one size merge exactly: build them with the same --capacity, --fpr and "
      "hash.  A\nunion holds the keys of all its parts, and most kinds cannot grow: give "
      "each part the capacity\nof the union.  Without --capacity each part is sized for "
      "its own keys.\n\n"
      "Block filters of different sizes are folded to the greatest common divisor of "
      "their sizes,\nwhich raises the rate: refused above 50 % unless forced.  Other "
      "kinds of different sizes are\nrefused, and so are damaged filters.  The union is "
      "written in the dialect of its parts; OUT\nmay be one of them: it is replaced when "
      "the union is complete.\n\n"
      "A union of quotient filters that is full is doubled, as insert does, as long as "
      "its "
      "remainders\nhave bits; --max-fpr sets a limit.  A union of scalable filters that "
      "would not keep\nits rate is refused unless --max-fpr allows it.\n\n"
      "Examples:\n"
      "  for day in mon tue wed thu fri sat sun; do\n"
      "    bloomery build --capacity 1000000 $day.txt -o $day.bloom\n"
      "  done\n"
      "  bloomery merge mon.bloom tue.bloom wed.bloom thu.bloom fri.bloom sat.bloom "
      "sun.bloom -o week.bloom\n"
      "  bloomery merge --dialect portable here.bloom there.bloom -o shared.bloom");
  c.run([o] { return merge(*o); });
}

}  // namespace bloomery::cli
