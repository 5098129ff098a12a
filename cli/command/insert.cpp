// bloomery insert -- add keys to a filter file.
#include <fmt/core.h>

#include <memory>
#include <optional>

#include "command/commands.hpp"
#include "command/shared_options.hpp"
#include "files/doubling.hpp"
#include "files/forgetting.hpp"
#include "files/insert_keys.hpp"
#include "files/interrupts.hpp"
#include "files/receipt_file.hpp"
#include "files/updated_file.hpp"
#include "files/used_files.hpp"
#include "sizes/kind_choice.hpp"
#include "sizes/rate_limit.hpp"
#include "text/json.hpp"
#include "text/messages.hpp"
#include "text/notices.hpp"
#include "text/numbers.hpp"
#include "text/output.hpp"

namespace bloomery::cli {
namespace {

struct insert_options {
  std::string filter;
  std::vector<std::string> files;
  std::string receipts;
  read_request from;
  record_format format;
  std::optional<double> max_fpr;
  bool force = false;
  bool as_json = false;
  bool quiet = false;
};

// The rate before and after, and how high it may be.
struct rates {
  double before = 0, after = 0, keys = 0;
  rate_limit limit;

  bool are_refused() const { return after > before && limit.is_exceeded(after, keys); }
};

// Keys that all test positive leave the bits as they are, and the file with its number of
// keys, unless each adds a copy or counts as recent.
bool changes_bits(const loaded_filter& f, const inserted_keys& in) {
  const auto* const native = std::get_if<any_filter>(&f.filter);
  const bool is_set =
      native != nullptr && !native->can(capability::erase) && !native->facts().forgets;
  return is_set ? in.fresh != 0 : in.read != 0;
}

std::string keys_in_words(const inserted_keys& in) {
  return fmt::format("{} key{} read, {} new", grouped(in.read), in.read == 1 ? "" : "s",
                     grouped(in.fresh));
}

[[noreturn]] void refuse(const insert_options& o, const inserted_keys& in,
                         const rates& r) {
  throw failure(fmt::format(
      "{}: refused: inserting {} key{} would raise its rate from {} to {}, above {}; the "
      "file is unchanged: build a filter with a larger --capacity, or --force",
      o.filter, grouped(in.read), in.read == 1 ? "" : "s", rate(r.before), rate(r.after),
      r.limit.in_words()));
}

void warn_of_rate(const insert_options& o, const rates& r) {
  if (r.are_refused())
    warn(fmt::format("{}: its rate is {} now, above {}", o.filter, rate(r.after),
                     r.limit.in_words()));
  else if (r.limit.from == rate_limit::origin::none && r.after > r.before)
    warn(
        fmt::format("{}: the file records no target rate: {} before, {} now; --max-fpr P "
                    "sets a limit",
                    o.filter, rate(r.before), rate(r.after)));
}

// A run that was killed after it replaced the filter, and before it had written all
// receipts, leaves a file that ends too early.
void warn_of_missing_receipts(const insert_options& o, const any_filter& filter,
                              const receipt_writer& receipts) {
  const auto last = receipts.last();
  if (!last && receipts.was_empty() && filter.receipts()->issued() != 0)
    warn(
        fmt::format("{}: is empty, and {} has issued {} receipt{}: they are in another "
                    "file, or a run was interrupted before it wrote them; their keys are "
                    "in the filter",
                    o.receipts, o.filter, grouped(filter.receipts()->issued()),
                    filter.receipts()->issued() == 1 ? "" : "s"));
  if (!last) return;
  const auto state = filter.state_of(*last);
  const std::uint64_t issued = filter.receipts()->issued();
  // erase refuses a file with receipts of two filters as a whole.
  if (!state || *state == receipt_state::foreign)
    throw failure(
        fmt::format("{}: its last receipt is of another filter than {}, or newer than "
                    "this copy of it: name another file with --receipts",
                    o.receipts, o.filter));
  if (last->number() >= issued) return;
  warn(fmt::format(
      "{}: ends with receipt {} of {}, which has issued {}: the others are in another "
      "file, or a run was interrupted before it wrote them; their keys are in the filter",
      o.receipts, grouped(last->number()), o.filter, grouped(issued)));
}

void report(const insert_options& o, const inserted_keys& in, const rates& r,
            const doubling& growth) {
  if (o.as_json) {
    output out;
    out.write(json::object({{"filter", o.filter},
                            {"keys_read", in.read},
                            {"keys_new", in.fresh},
                            {"doublings", growth.said.size()},
                            {"realised_fpr_before", r.before},
                            {"realised_fpr", r.after},
                            {"max_fpr", r.limit.fpr}})
                  .dump());
    out.write('\n');
    out.flush();
  } else if (!o.quiet) {
    for (const std::string& text : growth.said) note(text);
    note(fmt::format("{}: {}, realised rate {}", o.filter, keys_in_words(in),
                     rate(r.after)));
  }
}

exit_status insert(const insert_options& o) {
  if (o.filter == "-")
    throw failure("-: keys are inserted into a file: name it instead of standard input");
  if (o.from.part) throw failure("--part: insert adds keys to whole files: leave it out");
  const std::vector<used_file> inputs = used_files(o.files, o.from.secret_file);
  check_not_used(o.filter, inputs, "keys are read from another file");
  if (!o.receipts.empty()) {
    check_not_used(o.receipts, inputs, "name another file with --receipts");
    check_not_used(o.receipts, {{o.filter, "the filter"}},
                   "name another file with --receipts");
  }
  updated_file file(o.filter, o.from, "changed");
  loaded_filter& f = file.loaded();
  check_insertable(f, !o.receipts.empty());
  std::optional<receipt_writer> receipts;
  if (!o.receipts.empty()) {
    receipts.emplace(o.receipts, o.format.terminator());
    warn_of_missing_receipts(o, std::get<any_filter>(f.filter), *receipts);
  }
  const double asked = f.container ? f.container->asked_fpr : 0;
  rates r;
  std::visit(
      [&](const auto& filter) {
        r.limit = limit_of(filter, asked, o.max_fpr);
        r.before = filter.realised_fpr();
      },
      f.filter);
  doubling growth{.limit = r.limit, .forced = o.force};
  const inserted_keys in = insert_keys(file, o.files, spelling(o.format, f.keys),
                                       receipts ? &*receipts : nullptr, growth, o.quiet);
  std::visit(
      [&](const auto& filter) {
        r.after = filter.realised_fpr();
        r.keys = filter.estimated_keys();
      },
      f.filter);
  if (r.are_refused() && !o.force) refuse(o, in, r);
  // A receipt for a key that is not in the filter could delete another: they come second.
  const deferred_interrupts both_or_none;
  if (receipts) receipts->reserve();
  if (changes_bits(f, in)) file.save(o.quiet);
  if (receipts) receipts->write();
  warn_of_rate(o, r);
  if (const auto* native = std::get_if<any_filter>(&f.filter))
    note_forgetting(o.filter, *native, o.quiet);
  report(o, in, r, growth);
  return yes;
}

}  // namespace

void add_insert(command_line& tool) {
  const auto o = std::make_shared<insert_options>();
  command c = tool.add("insert", "Add keys to a filter file");
  c.add("FILTER", "FILTER", o->filter, "the filter file to change").required();
  c.add("KEYFILE", "KEYFILE", o->files, "files of keys; none, or -: standard input");
  add_key_option(c, o->format.arguments);
  c.add(
      "--max-fpr", "P",
      [o](const std::string& p) { o->max_fpr = rate_between_0_and_1(p); },
      "refuse to exceed this rate (default: the rate recorded in the file)");
  c.add_flag("--force", o->force, "insert even if the rate is exceeded");
  c.add("--receipts", "FILE", o->receipts,
        fmt::format(
            "append a receipt of each key to this file, for erase: kinds {}",
            kind_names([](const kind_info& k) { return k.can.has(capability::erase); })));
  add_read_options(c, o->from);
  add_record_options(c, o->format);
  add_empty_option(c, o->format);
  c.add_flag("--json", o->as_json, "report as JSON");
  c.add_flag("-q,--quiet", o->quiet, "print only warnings and errors");
  c.footer(
      "The file is replaced when the new one is complete and on disk.  Until then, and "
      "if "
      "the run is\ninterrupted or refused, the old file is unchanged.  Another insert or "
      "dedup of the same file\nwaits, so that no keys are lost.  If another program "
      "replaces the file meanwhile, insert stops\nwith exit status 2.\n\n"
      "A scalable filter grows.  A quotient filter that is full is doubled, as long as "
      "its "
      "remainders\nhave bits; receipts issued before stay valid.  Its rate grows "
      "with its keys, as that of any\nother kind does.  An insert that would exceed the "
      "rate recorded in the file (or, if it records\nnone, the rate at the number of "
      "keys "
      "it was sized for) is refused.  Build with --capacity to\nleave room.  A damaged "
      "filter is refused, too.  Afterwards the number of distinct keys is\nunknown, "
      "unless no key was new: then the file is left as it is.\n\n"
      "Kinds that erase keys hold copies: each key that is read adds one, and erase "
      "takes "
      "one away.\nA cuckoo filter that is full refuses the key and names its line; the "
      "file is unchanged.\n--receipts appends to FILE one line per key: 48 hex digits, a "
      "TAB, and the row of the key (line\nends inside it as spaces); they are written "
      "after the filter.  A run that is killed in between\nleaves keys without "
      "receipts, never receipts without keys, and the next run says so.\n\n"
      "insert also works on the formats of other systems that this tool writes: see "
      "bloomery\nformats.\n\n"
      "Examples:\n"
      "  bloomery build --capacity 1000000 monday.txt -o users.bloom\n"
      "  bloomery insert users.bloom tuesday.txt\n"
      "  bloomery insert users.bloom -k alice -k bob\n"
      "  bloomery insert --dialect portable shared.bloom new.txt");
  c.run([o] { return insert(*o); });
}

}  // namespace bloomery::cli
